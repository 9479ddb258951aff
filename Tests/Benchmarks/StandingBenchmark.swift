import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues

/// Cost of computing a peer's standing, in this process: a team of a thousand members, on disk.
struct StandingBenchmark {
    private let clock = ContinuousClock()
    private static let size = 1000

    func run() throws -> [Verdict] {
        say("\nthe standing of a peer, in a team of \(Self.size) members, in one process")
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-standing-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = try HomeDirectory(override: root.path, environment: [:])
        let own = DeviceIdentity(name: try DeviceName("own"), key: .generate())
        let members = (1..<Self.size).map { _ in DeviceKey.generate().publicKey }
        try makeTeam(of: own, members, in: home)

        var loads: [Double] = []
        var evaluations: [Double] = []
        for round in 0..<20 {
            let store = PeerStore(home: home, own: own.publicKey)
            let load = try clock.measure { try Self.use(store.standing(of: members[round], now: .now)) }
            let each = try clock.measure {
                for key in members { try Self.use(store.standing(of: key, now: .now)) }
            }
            loads.append(load / .milliseconds(1))
            evaluations.append(each / .microseconds(1) / Double(members.count))
        }
        say(
            Table(rows: [
                ["", "median", "max"],
                [
                    "loading and verifying, with the first answer", "\(number(loads.median, 1)) ms",
                    "\(number(loads.max() ?? 0, 1)) ms",
                ],
                [
                    "one standing after that", "\(number(evaluations.median, 1)) µs",
                    "\(number(evaluations.max() ?? 0, 1)) µs",
                ],
            ]))
        return [
            Verdict("standing: loading 1,000 members", value: loads.median, .atMost(20), digits: 1, unit: " ms"),
            Verdict("standing: one of 1,000 members", value: evaluations.median, .atMost(50), digits: 1, unit: " µs"),
        ]
    }

    private func makeTeam(of own: DeviceIdentity, _ members: [DevicePublicKey], in home: HomeDirectory) throws {
        let store = TeamStore(home: home)
        let team = try store.create(name: TeamName("acme"), by: own, now: .now).team.id
        let group = try GroupName("design")
        let changes = try members.enumerated().map { number, key in
            RosterChange.add(
                PinnedKey(key), name: try DeviceName("member number \(number)"),
                groups: number.isMultiple(of: 2) ? [group] : [])
        }
        for change in changes { _ = try store.change(team, change, by: own, now: .now) }
    }

    /// Keeps the optimiser from removing an unused result.
    @inline(never) private static func use(_ value: Standing) { withExtendedLifetime(value) {} }
}
