import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan

/// Roster errands of a running node: the devices that it tells, and the pauses.
@Suite struct RosterErrandTests {
    private let start = ContinuousClock.now
    private let address = NetworkAddress(ip: .v4(0xC000_0207), port: 47217)

    /// A home with a team from which `removed` was removed.
    private struct Scene {
        let own: DeviceIdentity
        let member = DeviceKey.generate().publicKey
        let removed = DeviceKey.generate().publicKey
        let teams: TeamStore
        let id: TeamID
        private let root: URL

        init() throws {
            root = FileManager.default.temporaryDirectory.appending(path: "portolan-errands-\(UUID().uuidString)")
            own = DeviceIdentity(name: try DeviceName("own"), key: .generate())
            teams = TeamStore(home: try HomeDirectory(override: root.path, environment: [:]))
            id = try teams.create(name: TeamName("acme"), by: own, now: .now).id
            for (key, name) in [(member, "member"), (removed, "removed")] {
                _ = try teams.change(
                    id, .add(PinnedKey(key), name: DeviceName(name), groups: []), by: own, now: .now)
            }
        }

        func remove() throws {
            _ = try teams.change(id, .remove(PinnedKey(removed)), by: own, now: .now)
        }

        func clean() { try? FileManager.default.removeItem(at: root) }

        var errands: RosterErrands {
            get throws {
                var errands = RosterErrands()
                errands.update(try teams.all(), own: PinnedKey(own.publicKey))
                return errands
            }
        }
    }

    /// - Parameter generation: generation of the secret that opens its record; nil for an open record.
    private func peer(
        _ key: DevicePublicKey, _ team: TeamID, generation: Int?, nonce: UInt8 = 1
    ) -> DiscoveredPeer {
        let opening: DiscoveredPeer.SessionAccess =
            generation.map {
                .hidden(
                    PresenceAccess(
                        team: team, generation: $0, nonce: Array(repeating: nonce, count: 16),
                        secret: SecretBytes(copying: Array(repeating: 2, count: 32))))
            } ?? .open
        return DiscoveredPeer(
            id: .device(key.fingerprint), name: "", versions: [1], addresses: [address], foundBy: .avahi,
            openings: [address.destination: [opening]])
    }

    /// The keys for which an errand is due at each second, after they were seen at the start.
    private func due(_ errands: inout RosterErrands, _ peers: [DiscoveredPeer], at seconds: Int) -> [RosterErrands
        .Errand]
    {
        var random = SystemRandomNumberGenerator()
        return errands.due(among: peers, now: start + .seconds(seconds), using: &random)
    }

    @Test("a hidden device is told if its record is of a former secret, whether it is a member or was")
    func deviceWithAFormerSecretIsTold() throws {
        let scene = try Scene()
        defer { scene.clean() }
        try scene.remove()
        var errands = try scene.errands
        let stranger = DeviceKey.generate().publicKey
        let peers = [
            peer(scene.member, scene.id, generation: 1), peer(scene.removed, scene.id, generation: 1),
            peer(stranger, scene.id, generation: 1),
        ]
        #expect(due(&errands, peers, at: 0).isEmpty, "the others had no chance")
        let keys = Set(due(&errands, peers, at: 6).map(\.key))
        #expect(keys == [PinnedKey(scene.member), PinnedKey(scene.removed)])
        // The errands are under way.
        #expect(due(&errands, peers, at: 7).isEmpty)

        var current = try scene.errands
        let knowing = [peer(scene.member, scene.id, generation: 0)]
        #expect(due(&current, knowing, at: 0).isEmpty && due(&current, knowing, at: 6).isEmpty)
    }

    @Test("open devices are told once of each state, and only if there is something that they may have missed")
    func openDeviceIsToldOnceOfEachState() throws {
        let scene = try Scene()
        defer { scene.clean() }
        let peers = [peer(scene.member, scene.id, generation: nil), peer(scene.removed, scene.id, generation: nil)]
        var errands = try scene.errands
        #expect(due(&errands, peers, at: 0).isEmpty && due(&errands, peers, at: 6).isEmpty)

        try scene.remove()
        errands.update(try scene.teams.all(), own: PinnedKey(scene.own.publicKey))
        _ = due(&errands, peers, at: 10)
        let told = due(&errands, peers, at: 16)
        #expect(Set(told.map(\.key)) == [PinnedKey(scene.member), PinnedKey(scene.removed)])
        for errand in told { errands.ended(errand, isTold: true, now: start + .seconds(16)) }
        for later in [17, 3_700, 100_000] { #expect(due(&errands, peers, at: later).isEmpty) }

        _ = try scene.teams.change(scene.id, .renew, by: scene.own, now: .now)
        errands.update(try scene.teams.all(), own: PinnedKey(scene.own.publicKey))
        _ = due(&errands, peers, at: 100_001)
        #expect(due(&errands, peers, at: 100_007).count == 2)
    }

    @Test("a hidden device that was told and advertises anew under the former secret is told again, after a pause")
    func comesBack() throws {
        let scene = try Scene()
        defer { scene.clean() }
        try scene.remove()
        var errands = try scene.errands
        let before = [peer(scene.removed, scene.id, generation: 1)]
        _ = due(&errands, before, at: 0)
        let errand = try #require(due(&errands, before, at: 6).first)
        errands.ended(errand, isTold: true, now: start + .seconds(6))
        #expect(due(&errands, before, at: 40).isEmpty, "it is as it was")
        let after = [peer(scene.removed, scene.id, generation: 1, nonce: 2)]
        #expect(due(&errands, after, at: 35).isEmpty)
        let again = try #require(due(&errands, after, at: 36).first)
        // Records that somebody forges after a failure shorten no pause.
        errands.ended(again, isTold: false, now: start + .seconds(36))
        let forged = [peer(scene.removed, scene.id, generation: 1, nonce: 3)]
        #expect(due(&errands, forged, at: 65).isEmpty)
        #expect(due(&errands, forged, at: 66).count == 1)
    }

    @Test("a device that cannot be told is tried again after pauses that grow, up to an hour")
    func backsOff() throws {
        let scene = try Scene()
        defer { scene.clean() }
        try scene.remove()
        var errands = try scene.errands
        let peers = [peer(scene.removed, scene.id, generation: 1)]
        _ = due(&errands, peers, at: 0)
        var now = 6
        for pause in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            let errand = try #require(due(&errands, peers, at: now).first)
            errands.ended(errand, isTold: false, now: start + .seconds(now))
            // A device that vanishes and appears again does not shorten the pause.
            #expect(due(&errands, [], at: now + pause - 1).isEmpty)
            #expect(due(&errands, peers, at: now + pause - 1).isEmpty)
            now += pause
        }
    }

    @Test("a flood of records makes for no more than a few sessions at once, and a bounded memory")
    func isBounded() throws {
        let scene = try Scene()
        defer { scene.clean() }
        var keys: [DevicePublicKey] = []
        for number in 0..<20 {
            keys.append(DeviceKey.generate().publicKey)
            _ = try scene.teams.change(
                scene.id, .add(PinnedKey(keys[number]), name: DeviceName("m\(number)"), groups: []), by: scene.own,
                now: .now)
        }
        try scene.remove()
        var errands = try scene.errands
        let peers = keys.map { peer($0, scene.id, generation: 1) }
        _ = due(&errands, peers, at: 0)
        let first = due(&errands, peers, at: 6)
        #expect(first.count == RosterErrands.breadth)
        #expect(due(&errands, peers, at: 7).isEmpty)
        errands.ended(first[0], isTold: true, now: start + .seconds(7))
        #expect(due(&errands, peers, at: 8).count == 1)
    }
}
