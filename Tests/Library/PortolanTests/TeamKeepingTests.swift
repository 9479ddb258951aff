import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Work of a receiving node for its teams, without a command.
@Suite struct TeamKeepingTests {
    private static let day: TimeInterval = 86_400

    @Test("an admin's device renews its team while it still holds")
    func adminRenewsTheTeam() async throws {
        let device = try Device("admin")
        let team = try device.teams.create(name: TeamName("acme"), by: device.node.identity, now: .now - 40 * Self.day)
        #expect(team.team.expires < .now + 60 * Self.day)
        try await device.receiving { _ in
            while try device.teams.all()[0].team.expires < .now + 80 * Self.day {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(try device.teams.all()[0].team.epoch == team.team.epoch + 1)
    }

    @Test("a member's device that cannot renew it says so in time", arguments: [80, 100])
    func memberIsWarnedInTime(age: Double) async throws {
        let admin = try Device("admin")
        let member = try Device("member")
        let then = Date.now - age * Self.day
        let team = try admin.teams.create(name: TeamName("acme"), by: admin.node.identity, now: then)
        let with = try admin.teams.change(
            team.id, .add(PinnedKey(member.node.identity.publicKey), name: member.node.identity.name, groups: []),
            by: admin.node.identity, now: then)
        _ = try member.teams.join(
            with.updates, invitedBy: admin.node.identity.publicKey, own: member.node.identity.publicKey, now: then)
        let word = age < 90 ? "expires on" : "expired on"
        try await member.receiving { warnings in
            while !warnings().contains(where: { $0.contains("acme") && $0.contains(word) }) {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(try member.teams.all()[0].team.epoch == with.team.epoch)
    }
}

/// A node with its own home, which is removed afterwards.
private final class Device: Sendable {
    let node: Node
    let teams: TeamStore
    private let root: URL

    init(_ name: String) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-keeping-\(UUID().uuidString)")
        let home = try HomeDirectory(override: root.path, environment: [:])
        node = try Node(blocking: .onLoopback(name, home: root))
        teams = TeamStore(home: home)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Receives until `body` returns, which can look at the warnings so far.
    func receiving(_ body: @escaping @Sendable (_ warnings: () -> [String]) async throws -> Void) async throws {
        let warnings = Warnings()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [node, root] in
                try await node.receive(into: root.path + "/inbox", decide: { _ in .accept }) { event in
                    if case .warning(let sentence) = event { warnings.add(sentence) }
                }
            }
            tasks.addTask {
                try await Task.sleep(for: .seconds(300))
                throw CancellationError()
            }
            tasks.addTask { try await body { warnings.all } }
            try await tasks.next()
            tasks.cancelAll()
        }
    }
}

/// Warnings of a node so far.
private final class Warnings: Sendable {
    private let sentences = Mutex<[String]>([])

    var all: [String] { sentences.withLock { $0 } }

    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}
