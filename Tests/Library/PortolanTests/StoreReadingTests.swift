import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// Number of times that a node reads its stored facts about others, and the delay until it sees another process's
/// changes.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StoreReadingTests {
    /// Two devices that know each other and are in one team.
    private struct Scene {
        let root: URL
        let team: TeamID

        init() throws {
            root = FileManager.default.temporaryDirectory.appending(path: "portolan-reading-\(UUID().uuidString)")
            let (sender, receiver) = (try Self.node("sender", below: root), try Self.node("receiver", below: root))
            let founders = TeamStore(home: sender.configuration.home)
            team = try founders.create(name: TeamName("acme"), by: sender.identity, now: .now).id
            let whole = try founders.change(
                team, .add(PinnedKey(receiver.identity.publicKey), name: receiver.identity.name, groups: []),
                by: sender.identity, now: .now)
            _ = try TeamStore(home: receiver.configuration.home).join(
                whole.updates, invitedBy: sender.identity.publicKey, own: receiver.identity.publicKey, now: .now)
            for (one, other) in [(sender, receiver), (receiver, sender)] {
                _ = try KnownPeers(home: one.configuration.home).remember(
                    name: other.identity.name, key: other.identity.publicKey, now: .now)
            }
            try KnownInboxes(home: receiver.configuration.home).remember(inbox)
        }

        var inbox: String { root.path + "/inbox" }

        static func node(_ name: String, below root: URL) throws -> Node {
            try Node(blocking: .onLoopback(name, home: root.appending(path: name)))
        }

        func node(_ name: String) throws -> Node { try Self.node(name, below: root) }

        func openings(of name: String) throws -> FileOpenings {
            let home = try HomeDirectory(override: root.appending(path: name).path, environment: [:])
            return FileOpenings(in: [home.data, home.data + "/teams", home.state])
        }

        /// Runs `body` with the address of a receiver.
        func receiving(_ receiver: Node, _ body: (String) async throws -> Void) async throws {
            let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
            let task = Task { [inbox] in
                try await receiver.receive(into: inbox, decide: { _ in .accept }) { event in
                    if case .listening(let port, _, _) = event { feed.yield(port) }
                }
            }
            defer { task.cancel() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            try await body("127.0.0.1:\(port)")
        }

        static let item = Item(
            title: "it", representations: [.data(Data("it".utf8), contentType: .utf8PlainText, visibility: .team)])
    }

    @Test("a process that sends and one that receives read each file once while nothing changes it")
    func readsOnce() async throws {
        let scene = try Scene()
        defer { try? FileManager.default.removeItem(at: scene.root) }
        // A file that has just been written is read until no other write can look like that one.
        try await Task.sleep(for: .milliseconds(150))
        let (atSender, atReceiver) = (try scene.openings(of: "sender"), try scene.openings(of: "receiver"))
        let (sender, receiver) = (try scene.node("sender"), try scene.node("receiver"))
        try await scene.receiving(receiver) { address in
            for _ in 0..<3 {
                let deliveries = try await sender.send([Scene.item], to: sender.find(address))
                #expect(deliveries.allSatisfy { $0.isStored })
            }
        }
        let both = ["device.key": 1, "name": 1, "known-peers.json": 1, "\(scene.team).team": 1]
        let isLock = { (name: String) in name.hasSuffix("lock") }
        #expect(atSender.counts().filter { !isLock($0.key) } == both)
        #expect(atReceiver.counts().filter { !isLock($0.key) } == both.merging(["inboxes": 1]) { $1 })
    }

    @Test("a removal that another process writes counts from the next session on")
    func seesRemovals() async throws {
        let scene = try Scene()
        defer { try? FileManager.default.removeItem(at: scene.root) }
        let (sender, receiver) = (try scene.node("sender"), try scene.node("receiver"))
        try await scene.receiving(receiver) { address in
            let peer = try await sender.find(address)
            #expect(try await sender.send([Scene.item], to: peer)[0].isStored)
            _ = try TeamStore(home: sender.configuration.home).change(
                scene.team, .remove(PinnedKey(receiver.identity.publicKey)), by: sender.identity, now: .now)
            guard case .hidden = try await sender.send([Scene.item], to: peer)[0].outcome else {
                Issue.record("it was shown to a device that is no member")
                return
            }
        }
    }
}
