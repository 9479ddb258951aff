import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

/// Devices that learn in a session that they were removed.
@Suite struct RemovalTests {
    @Test("a removed device is told by any member that it meets, in whichever direction", arguments: [false, true])
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

    private func node(_ name: String, below root: URL) throws -> Node {
        try Node(blocking: .onLoopback(name, home: root.appending(path: name)))
    }
}
