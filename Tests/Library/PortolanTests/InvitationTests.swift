import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Invitations whose code is entered when the device that made it is no admin any more.
@Suite struct InvitationTests {
    @Test("an admin that was removed since it made the code takes in no device, a returning member included")
    func removedAdmin() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-invitation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let admin = try node("admin", below: root)
        let founder = try node("founder", below: root)
        let guest = try node("guest", below: root)
        let key = { (node: Node) in PinnedKey(node.identity.publicKey) }

        // The founder's team, with an admin and a member.
        let founders = TeamStore(home: founder.configuration.home)
        let id = try founders.create(name: TeamName("acme"), by: founder.identity, now: .now).id
        for other in [admin, guest] {
            _ = try founders.change(
                id, .add(key(other), name: other.identity.name, groups: []), by: founder.identity, now: .now)
        }
        let whole = try founders.change(id, .promote(key(admin)), by: founder.identity, now: .now)
        let admins = TeamStore(home: admin.configuration.home)
        _ = try admins.join(
            whole.updates, invitedBy: founder.identity.publicKey, own: admin.identity.publicKey, now: .now)
        let removing = try founders.change(id, .remove(key(admin)), by: founder.identity, now: .now)

        let code = try PairingCode("7-walnut-harbor")
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let refusals = Mutex<[String]>([])
        let inviting = Task {
            try await admin.invite(
                to: "acme", code: code, valid: .seconds(300),
                events: { event in
                    if case .waiting(let port, _) = event { feed.yield(port) }
                    if case .refused(_, let reason) = event { refusals.withLock { $0.append(reason) } }
                })
        }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        // Another process of the admin's meets the founder.
        _ = try admins.adopt(id, removing.updates, own: admin.identity, now: .now)

        await #expect(throws: NodeError.self) {
            try await guest.join(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
        }
        // The code is refused for other devices, too.
        await #expect(throws: NodeError.self) { try await inviting.value }
        #expect(refusals.withLock(\.self).contains { $0.contains("no admin") })
        #expect(try TeamStore(home: guest.configuration.home).all().isEmpty)
    }

    @Test("a member that enters a code is put into the groups of the invitation")
    func memberGetsGroups() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-invitation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (founder, guest) = (try node("founder", below: root), try node("guest", below: root))
        let founders = TeamStore(home: founder.configuration.home)
        let id = try founders.create(name: TeamName("acme"), by: founder.identity, now: .now).id
        let (design, press) = (try GroupName("design"), try GroupName("press"))
        let key = PinnedKey(guest.identity.publicKey)
        _ = try founders.change(
            id, .add(key, name: guest.identity.name, groups: [press]), by: founder.identity, now: .now)
        let code = try PairingCode("7-walnut-harbor")
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let inviting = Task {
            try await founder.invite(
                to: "acme", groups: [design, press, design], code: code, valid: .seconds(300),
                events: { if case .waiting(let port, _) = $0 { feed.yield(port) } })
        }
        defer { inviting.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let view = try await guest.join(with: code, at: "127.0.0.1:\(port)", wait: .seconds(300))
        #expect(view.ownGroups == [design, press])
        #expect(try founders.all().first?.team.member(key)?.groups == [design, press])
    }

    @Test("a member outside of the group that is received from is told apart from a stranger")
    func refusalNamesTheGroup() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-invitation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let (founder, guest) = (try node("founder", below: root), try node("guest", below: root))
        let founders = TeamStore(home: founder.configuration.home)
        let id = try founders.create(name: TeamName("acme"), by: founder.identity, now: .now).id
        let key = PinnedKey(guest.identity.publicKey)
        let whole = try founders.change(
            id, .add(key, name: guest.identity.name, groups: []), by: founder.identity, now: .now)
        _ = try TeamStore(home: guest.configuration.home).join(
            whole.updates, invitedBy: founder.identity.publicKey, own: guest.identity.publicKey, now: .now)
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let (refusals, refused) = AsyncStream.makeStream(of: String.self)
        let source = Source(team: id, group: try GroupName("design"))
        let receiving = Task {
            try await founder.receive(into: root.path + "/inbox", from: [source], decide: { _ in .accept }) { event in
                switch event {
                case .listening(let port, _, _): feed.yield(port)
                case .refused(_, let reason), .disconnected(_, let reason): refused.yield(reason)
                default: break
                }
            }
        }
        defer { receiving.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let form = ItemRepresentation.data(Data("it".utf8), contentType: .utf8PlainText)
        let error = try await #require(throws: NodeError.self) {
            _ = try await guest.send(
                [Item(title: "it", representations: [form])], to: guest.find("127.0.0.1:\(port)"))
        }
        #expect(error.kind == .notTrusted)
        var reasons = refusals.makeAsyncIterator()
        let reason = try #require(await reasons.next())
        #expect(reason.contains("member of acme") && reason.contains("not in “design”"), "\(reason)")
    }

    @Test("a name of one long character that is taken already leaves a name with a number")
    func longCharacter() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-invitation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let founder = try node("founder", below: root)
        let founders = TeamStore(home: founder.configuration.home)
        let id = try founders.create(name: TeamName("acme"), by: founder.identity, now: .now).id
        let long = "\u{E1}" + String(repeating: "\u{301}", count: 30)
        let code = try PairingCode("7-walnut-harbor")
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let inviting = Task {
            try await founder.invite(
                to: "acme", uses: 2, code: code, valid: .seconds(300),
                events: { if case .waiting(let port, _) = $0 { feed.yield(port) } })
        }
        defer { inviting.cancel() }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        for number in 1...2 {
            let guest = try node("guest \(number)", below: root)
            _ = try await guest.join(with: code, as: DeviceName(long), at: "127.0.0.1:\(port)", wait: .seconds(300))
        }
        let members = try #require(try founders.all().first { $0.id == id }).team.members
        #expect(Set(members.map(\.name.text)) == ["founder", long, "device (2)"])
    }

    private func node(_ name: String, below root: URL) throws -> Node {
        try Node(blocking: .onLoopback(name, home: root.appending(path: name)))
    }
}
