import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import Testing

/// Devices that learn in a session that they were removed.
@Suite struct RemovalTests {
    @Test("a removed device is told by any member that it meets, in either direction", arguments: [false, true])
    func isTold(byTheSender: Bool) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-removal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let admin = try node("admin", below: root)
        let removed = try node("removed", below: root)
        let (admins, others) = (TeamStore(home: admin.configuration.home), TeamStore(home: removed.configuration.home))
        let id = try admins.create(name: TeamName("acme"), by: admin.identity, now: .now).id
        let key = PinnedKey(removed.identity.publicKey)
        let whole = try admins.change(
            id, .add(key, name: removed.identity.name, groups: []), by: admin.identity, now: .now)
        _ = try others.join(
            whole.updates, invitedBy: admin.identity.publicKey, own: removed.identity.publicKey, now: .now)
        let after = try admins.change(id, .remove(key), by: admin.identity, now: .now)

        let (sender, receiver) = byTheSender ? (admin, removed) : (removed, admin)
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let receiving = Task {
            try await receiver.receive(into: root.path + "/inbox", decide: { _ in .accept }) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        defer { receiving.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        _ = try await sender.send(
            [Item(title: "it", representations: [.data(Data("it".utf8), contentType: .utf8PlainText)])],
            to: sender.find("127.0.0.1:\(port)"))

        let view = try #require(try await removed.teams().first)
        #expect(view.isRemoved)
        #expect(view.warnings.contains { $0.contains("removed this device") })
        let secret = try #require(after.secrets.first)
        #expect(try others.all()[0].updates.allSatisfy { $0.secret != secret })
        // The device that knew already has learned nothing.
        #expect(try admins.all()[0].team.digest == after.team.digest)
    }

    @Test(
        "a living session with a removed device ends when the removal is heard, and all others hear it",
        .timeLimit(.minutes(20)), arguments: [false, true])
    func endsLivingSessions(heardInASession: Bool) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-removal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let admin = try node("admin", below: root)
        let (member, removed, other) = (
            try node("member", below: root, keeping: true), try node("removed", below: root, keeping: true),
            try node("other", below: root, keeping: true)
        )
        let admins = TeamStore(home: admin.configuration.home)
        let id = try admins.create(name: TeamName("acme"), by: admin.identity, now: .now).id
        let nodes = [member, removed, other]
        for node in nodes {
            let change = RosterChange.add(PinnedKey(node.identity.publicKey), name: node.identity.name, groups: [])
            _ = try admins.change(id, change, by: admin.identity, now: .now)
        }
        let whole = try #require(try admins.all().first)
        for node in nodes {
            _ = try TeamStore(home: node.configuration.home).join(
                whole.updates, invitedBy: admin.identity.publicKey, own: node.identity.publicKey, now: .now)
        }

        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let (ends, ended) = AsyncStream.makeStream(of: Fingerprint.self)
        let receiving = Task {
            try await member.receive(into: root.path + "/inbox", decide: { _ in .accept }) { event in
                switch event {
                case .listening(let port, _, _): feed.yield(port)
                case .finished(let peer), .disconnected(let peer, _): ended.yield(peer.fingerprint)
                default: break
                }
            }
        }
        defer { receiving.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        func send(_ node: Node) async throws {
            let form = ItemRepresentation.data(Data("it".utf8), contentType: .utf8PlainText)
            _ = try await node.send(
                [Item(title: "it", representations: [form])], to: node.find("127.0.0.1:\(port)"))
        }
        for node in [removed, other] { try await send(node) }
        func news(_ node: Node) -> (TeamStore, AsyncStream<Void>) {
            let folder = TeamStore.folder(in: node.configuration.home)
            let changes = HomeFolderWatch(folder, pause: .milliseconds(50)).changes
            return (TeamStore(home: node.configuration.home), changes)
        }
        let (told, remaining) = (news(removed), news(other))

        let key = PinnedKey(removed.identity.publicKey)
        let after = try admins.change(id, .remove(key), by: admin.identity, now: .now)
        if heardInASession {
            try await send(admin)
        } else {
            // Another process of the member's home.
            _ = try TeamStore(home: member.configuration.home).adopt(
                id, after.updates, own: member.identity, now: .now)
        }
        for await fingerprint in ends where fingerprint == removed.identity.fingerprint { break }
        for await _ in told.1 { if try told.0.all().first?.isRemoved == true { break } }
        for await _ in remaining.1 { if try remaining.0.all().first?.team.digest == after.team.digest { break } }
        for node in [removed, other] { await node.close() }
    }

    /// Folders kept alike have such sessions.
    @Test("a session for a role of its own ends, too, and says why", .timeLimit(.minutes(20)))
    func endsSessionsOfRoles() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-removal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (admin, removed) = (try node("admin", below: root), try node("removed", below: root))
        let admins = TeamStore(home: admin.configuration.home)
        let id = try admins.create(name: TeamName("acme"), by: admin.identity, now: .now).id
        let key = PinnedKey(removed.identity.publicKey)
        let change = RosterChange.add(key, name: removed.identity.name, groups: [])
        let whole = try admins.change(id, change, by: admin.identity, now: .now)
        _ = try TeamStore(home: removed.configuration.home).join(
            whole.updates, invitedBy: admin.identity.publicKey, own: removed.identity.publicKey, now: .now)

        let role = RoleMaker { _ in SilentRole() }
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let playing = [admin, removed].map { node in
            Task {
                try await node.play(role) { event in
                    if case .listening(let port, _, _) = event { feed.yield(node === removed ? port : 0) }
                }
            }
        }
        defer { for task in playing { task.cancel() } }
        var iterator = ports.makeAsyncIterator()
        // Both listen.
        let port = try #require(await iterator.next()) + #require(await iterator.next())
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let session = Task {
            let peer = try await admin.find("127.0.0.1:\(port)")
            try await admin.withSession(with: peer, playing: role) { driver in
                _ = try await driver.peerCapabilities
                beginning.yield()
                try await driver.stay()
            }
        }
        for await _ in begun { break }
        _ = try admins.change(id, .remove(key), by: admin.identity, now: .now)
        let error = try await #require(throws: NodeError.self) { try await session.value }
        #expect(error.kind == .notTrusted && error.description.contains("was removed from “acme”"), "\(error)")
    }

    @Test("the team that is taken back is the lost one, or the one that is named, also by its identifier")
    func reclaimed() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-removal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let founder = try node("founder", below: root)
        let other = try node("other", below: root)
        let (teams, others) = (TeamStore(home: founder.configuration.home), TeamStore(home: other.configuration.home))
        let kept = try teams.create(name: TeamName("kept"), by: founder.identity, now: .now)
        let lost = try teams.create(name: TeamName("lost"), by: founder.identity, now: .now)
        let key = PinnedKey(other.identity.publicKey)
        let name = other.identity.name
        _ = try teams.change(lost.id, .add(key, name: name, groups: []), by: founder.identity, now: .now)
        let whole = try teams.change(lost.id, .promote(key), by: founder.identity, now: .now)
        _ = try others.join(
            whole.updates, invitedBy: founder.identity.publicKey, own: other.identity.publicKey, now: .now)
        let after = try others.change(
            lost.id, .remove(PinnedKey(founder.identity.publicKey)), by: other.identity, now: .now)
        _ = try teams.adopt(lost.id, after.updates, own: founder.identity, now: .now)

        func reclaimed(_ named: String?) async throws -> TeamID { try await founder.reclaimedTeam(named).team.id }
        #expect(try await reclaimed(nil) == lost.id)
        for named in ["kept", kept.id.description] { #expect(try await reclaimed(named) == kept.id) }
    }

    @Test("a founder that took the team back without the secret of its removal takes in devices")
    func takesInAfterReclaiming() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-removal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let founder = try node("founder", below: root)
        let (other, third) = (try node("other", below: root), try node("third", below: root))
        let (teams, others) = (TeamStore(home: founder.configuration.home), TeamStore(home: other.configuration.home))
        let id = try teams.create(name: TeamName("acme"), by: founder.identity, now: .now).id
        let (own, key) = (PinnedKey(founder.identity.publicKey), PinnedKey(other.identity.publicKey))
        _ = try teams.change(id, .add(key, name: other.identity.name, groups: []), by: founder.identity, now: .now)
        let whole = try teams.change(id, .promote(key), by: founder.identity, now: .now)
        _ = try others.join(
            whole.updates, invitedBy: founder.identity.publicKey, own: other.identity.publicKey, now: .now)
        let after = try others.change(id, .remove(own), by: other.identity, now: .now)
        let notice = try #require(after.notice(to: own))
        _ = try teams.adopt(
            id, [TeamHeads.Update(signed: notice.signed, secret: nil)], own: founder.identity, now: .now)
        #expect(try await !founder.reclaimTeam(nil).view.isRemoved)
        #expect(try teams.all()[0].lacksSecret)

        let code = try PairingCode("7-walnut-harbor")
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let inviting = Task {
            try await founder.invite(
                to: "acme", code: code, valid: .seconds(300),
                events: { if case .waiting(let port, _) = $0 { feed.yield(port) } })
        }
        defer { inviting.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        _ = try await third.join(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
        #expect(try TeamStore(home: third.configuration.home).all().map(\.id) == [id])
    }

    private func node(_ name: String, below root: URL, keeping: Bool = false) throws -> Node {
        var configuration = try Node.Configuration.onLoopback(name, home: root.appending(path: name))
        if keeping { configuration.idleTime = .seconds(600) }
        return try Node(blocking: configuration)
    }
}

/// Role that takes no messages.
private final class SilentRole: SessionRole {
    let routes: Set<MessageRoute> = []

    func receive(_ message: Message) async throws {}
}
