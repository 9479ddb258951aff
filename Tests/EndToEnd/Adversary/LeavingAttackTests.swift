import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Statements that a member has left, from a peer that lies.
@Suite(.serialized) struct LeavingAttackTests {
    private struct Scene {
        let team: TeamID
        let roster: RosterHead
        let own: [UInt8]
        let forged: [UInt8]
    }

    /// Runs `body` against a node whose team has mallory and a friend as members.
    private func withTeam(
        _ body:
            @escaping @Sendable (HostilePeer, Scene, _ members: @Sendable () throws -> Set<String>) async throws -> Void
    ) async throws {
        let mallory = try DeviceIdentity.made(named: "mallory")
        let friend = try DeviceIdentity.made(named: "friend")
        let made = Mutex<(Scene, TeamStore)?>(nil)
        try await Victim.with(from: { node in
            let teams = TeamStore(home: node.configuration.home)
            let id = try teams.create(name: TeamName("acme"), by: node.identity, now: .now).id
            var whole: StoredTeam?
            for one in [mallory, friend] {
                whole = try teams.change(
                    id, .add(PinnedKey(one.publicKey), name: one.name, groups: []), by: node.identity, now: .now)
            }
            let update = try #require(whole?.updates.first)
            // A copy of the team in mallory's own home signs the statement, as the program does.
            let path = FileManager.default.temporaryDirectory.appending(path: "portolan-leaving-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let home = try HomeDirectory(override: path, environment: [:])
            let own = TeamStore(home: home, own: mallory.publicKey)
            _ = try own.join(
                whole?.updates ?? [], invitedBy: node.identity.publicKey, own: mallory.publicKey, now: .now)
            let statement = try #require(own.sayLeaving(id, by: mallory).leavings.first)
            let head = try RosterHead(
                roster: update.signed.bytes, signature: update.signed.signature, secret: update.secret)
            // The friend's key, with what mallory can sign.
            let forged = friend.publicKey.bytes + statement.dropFirst(32)
            made.withLock { $0 = (Scene(team: id, roster: head, own: statement, forged: forged), teams) }
            return [Source(team: id)]
        }) { victim in
            let (scene, teams) = try #require(made.withLock { $0 })
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            try await body(peer, scene) { Set(try teams.all()[0].team.members.map(\.name.text)) }
        }
    }

    private func send(_ statements: [[UInt8]], _ scene: Scene, to peer: HostilePeer) throws {
        let head = try RosterHead(
            roster: scene.roster.roster, signature: scene.roster.signature, secret: scene.roster.secret,
            leavings: statements)
        try peer.send(.teamUpdate(Message.TeamUpdate(team: scene.team, index: 0, count: 1, head: head)))
    }

    @Test("a member puts no other member out by a forged statement, however many it sends")
    func forged() async throws {
        try await withTeam { peer, scene, members in
            let before = try members()
            #expect(before.isSuperset(of: ["mallory", "friend"]))
            let noise = (0..<63).map { [UInt8](repeating: $0, count: 104) }
            try send([scene.forged] + noise, scene, to: peer)
            try peer.send(.ping(id: 7))
            while let message = try peer.nextMessage(), message != .pong(id: 7) {}
            #expect(try members() == before)
        }
    }

    @Test("a member that says that it leaves is out at once, and sends nothing more in the session")
    func left() async throws {
        try await withTeam { peer, scene, members in
            try send([scene.own], scene, to: peer)
            _ = try? peer.offer(.data, awaitingAnswer: false)
            #expect(try peer.closeReason() == .notTrusted)
            #expect(try !members().contains("mallory"))
            #expect(try members().contains("friend"))
        }
    }
}
