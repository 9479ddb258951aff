import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Synchronization
import TestSupport
import Testing

/// Two nodes that keep their sessions, over a relay that counts the connections.
@Suite(.timeLimit(.minutes(20))) struct KeptSessionTests {
    // MARK: One session for all

    @Test("a hundred sends one after the other, a list and a fetch use one session")
    func operationsShareOneKeptSession() async throws {
        try await Stage.with { stage in
            for number in 0..<100 { try await stage.send("note \(number)") }
            let items = try await stage.sender.items(of: stage.peer)
            #expect(items.map(\.title) == ["shared"])
            let fetched = try await stage.fetch()
            #expect(try String(contentsOfFile: fetched.path, encoding: .utf8) == "shared text")
            #expect(try stage.received.count == 100)
            #expect(stage.relay.connections == 1)
        }
    }

    @Test("twenty sends at once open one session and share it")
    func atOnce() async throws {
        try await Stage.with { stage in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<20 { tasks.addTask { try await stage.send("note \(number)") } }
                try await tasks.waitForAll()
            }
            #expect(try stage.received.count == 20)
            #expect(stage.relay.connections == 1)
        }
    }

    @Test("the side that was connected to sends and fetches in the same session, both at once")
    func bothDirections() async throws {
        try await Stage.with(senderReceives: true) { stage in
            try await stage.send("first")
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<10 {
                    tasks.addTask { try await stage.send("there \(number)") }
                    // No address: without the session it could not be reached.
                    tasks.addTask { try await stage.sendBack("back \(number)") }
                }
                try await tasks.waitForAll()
            }
            #expect(try stage.received.count == 11)
            #expect(try stage.receivedBack.count == 10)
            #expect(stage.relay.connections == 1)
        }
    }

    @Test("a side that keeps no sessions ends each with the work that it was opened for", arguments: [false, true])
    func sessionEndsIfOnlyOneSideKeepsIt(receiverKeeps: Bool) async throws {
        try await Stage.with(idleTime: receiverKeeps ? nil : .seconds(600), receiverKeeps: receiverKeeps) { stage in
            try await stage.send("one")
            try await stage.send("two")
            #expect(stage.relay.connections == 2)
            #expect(await stage.hasNoConnection())
        }
    }

    // MARK: The end

    @Test("a session ends when nothing has gone on in it for the idle time, and the next send opens another")
    func idleTime() async throws {
        try await Stage.with(idleTime: .milliseconds(100)) { stage in
            try await stage.send("one")
            #expect(await stage.hasNoConnection())
            try await stage.send("two")
            #expect(stage.relay.connections == 2)
            #expect(stage.retries == 0)
        }
    }

    @Test("sends that cross the end of a session are made in another one, each once")
    func crossing() async throws {
        // Much of the time the session ends in the moment of a send.
        try await Stage.with(idleTime: .milliseconds(2)) { stage in
            for number in 0..<60 {
                try await stage.send("note \(number)")
                try await Task.sleep(for: .microseconds(500 * (number % 8)))
            }
            #expect(try stage.received.count == 60)
            #expect(stage.retries == 0)
        }
    }

    @Test("a session that was cut does not disturb the next sending")
    func cut() async throws {
        try await Stage.with { stage in
            for number in 0..<10 {
                try await stage.send("note \(number)")
                stage.relay.cut()
            }
            try await stage.send("last")
            #expect(try stage.received.count == 11)
            #expect(stage.retries == 0)
        }
    }

    @Test("a peer that vanished silently is not waited for")
    func silentlyVanishedPeerIsNotWaitedFor() async throws {
        try await Stage.with { stage in
            try await stage.send("one")
            stage.relay.mute()
            try await stage.send("two")
            _ = try await stage.sender.items(of: stage.peer)
            #expect(try stage.received.count == 2)
            #expect(stage.relay.connections == 2)
            #expect(stage.retries == 0)
        }
    }

    @Test("the sessions of a closed node end, and another one is opened when it is needed")
    func close() async throws {
        try await Stage.with { stage in
            try await stage.send("one")
            await stage.sender.close()
            #expect(await stage.hasNoConnection())
            try await stage.send("two")
            #expect(stage.relay.connections == 2)
        }
    }

    @Test("a send that is cancelled while a person is asked takes no other one with it")
    func cancelled() async throws {
        let (asked, feed) = AsyncStream.makeStream(of: Void.self)
        try await Stage.with(deciding: { offer in
            guard offer.items.first?.title == "slow" else { return .accept }
            feed.yield()
            try? await Task.sleep(for: .seconds(600))
            return .decline(detail: "")
        }) { stage in
            try await stage.send("first")
            let slow = Task { try await stage.send("slow") }
            for await _ in asked { break }
            let others = (0..<5).map { number in Task { try await stage.send("note \(number)") } }
            slow.cancel()
            await #expect(throws: CancellationError.self) { try await slow.value }
            for other in others { try await other.value }
            #expect(try stage.received.count == 6)
            #expect(stage.retries == 0)
        }
    }

    // MARK: What changes

    @Test("the sessions of a node end when it begins to receive, and the next ones announce that")
    func capabilities() async throws {
        try await Stage.with { stage in
            try await stage.send("one")
            let receiving = try await stage.receiveAtSender()
            #expect(await stage.hasNoConnection())
            try await stage.send("two")
            #expect(stage.relay.connections == 2)
            try await stage.sendBack("back")
            #expect(try stage.receivedBack.count == 1)
            receiving.cancel()
            _ = await receiving.result
            #expect(await stage.hasNoConnection())
            try await stage.send("three")
            #expect(stage.relay.connections == 3)
        }
    }

    @Test("a living session of a member ends when that is removed; the member is told, and sees nothing more")
    func removal() async throws {
        try await Stage.with(team: .both) { stage in
            let item = try #require(try await stage.sender.items(of: stage.peer).first)
            try stage.remove()
            while try await stage.sender.teams().first?.isRemoved == false {
                try await Task.sleep(for: .milliseconds(2))
            }
            // A question in the moment of the end fails with the session.
            var items: [SharedItem]?
            while items == nil { items = try? await stage.sender.items(of: stage.peer) }
            #expect(items?.isEmpty == true)
            let error = await #expect(throws: NodeError.self) {
                _ = try await stage.sender.fetch(from: stage.peer, into: stage.folder("got")) { _ in item }
            }
            #expect(error?.kind == .noInput)
            try await stage.send("hello")
            #expect(stage.relay.connections == 2)
        }
    }

    @Test("a member that is new to the other side tells it in a living session, and sees the team's items")
    func admission() async throws {
        try await Stage.with(team: .receiver) { stage in
            #expect(try await stage.sender.items(of: stage.peer).isEmpty)
            try stage.admit()
            #expect(try await stage.sender.items(of: stage.peer).map(\.title) == ["shared"])
            #expect(stage.relay.connections == 1)
        }
    }
}

/// A node that receives and shares, another one that sends and fetches, and a relay between them.
private final class Stage: Sendable {
    let sender: Node
    let receiver: Node
    let peer: Peer
    let relay: Relay
    private let root: URL
    private let tasks: [Task<Void, any Error>]
    private let log = Events()
    /// Founder of the team.
    private let founder: DeviceIdentity

    /// The members of the team for which the item is shared.
    enum Team {
        case receiver, both
    }

    static func with(
        idleTime: Duration? = .seconds(600), receiverKeeps: Bool = true, senderReceives: Bool = false,
        team: Team? = nil, deciding decide: @escaping @Sendable (IncomingOffer) async -> Decision = { _ in .accept },
        _ body: (Stage) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let stage = try await Stage(
            below: root, idleTime: idleTime, receiverKeeps: receiverKeeps, team: team, deciding: decide)
        let result: Result<Void, any Error>
        do {
            let receiving = senderReceives ? try await stage.receiveAtSender() : nil
            defer { receiving?.cancel() }
            try await body(stage)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for task in stage.tasks { task.cancel() }
        for task in stage.tasks { _ = await task.result }
        await stage.sender.close()
        try result.get()
    }

    private init(
        below root: URL, idleTime: Duration?, receiverKeeps: Bool, team: Team?,
        deciding decide: @escaping @Sendable (IncomingOffer) async -> Decision
    ) async throws {
        self.root = root
        sender = try Self.node("sender", below: root, idleTime)
        receiver = try Self.node("receiver", below: root, receiverKeeps ? .seconds(600) : nil)
        founder = DeviceIdentity(name: try DeviceName("founder"), key: .generate())
        if let team { try Self.found(team, by: founder, below: root, receiver, sender) }
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let (receiver, inbox) = (receiver, root.path + "/inbox")
        let shared = Item(
            title: "shared",
            representations: [
                .data(
                    Data("shared text".utf8), contentType: .utf8PlainText, visibility: team == nil ? .all : .team,
                    suggestedName: "shared.txt")
            ])
        let receiving = Task {
            try await receiver.receive(into: inbox, decide: decide) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw Pair.NothingCame() }
        let (isShared, isReady) = AsyncStream.makeStream(of: Void.self)
        let sharing = Task {
            try await receiver.share([shared]) { event in
                if case .node(.listening) = event { isReady.yield() }
            }
        }
        for await _ in isShared { break }
        tasks = [receiving, sharing]
        relay = try Relay(to: port, cutting: [])
        peer = try await sender.find("127.0.0.1:\(relay.port)")
    }

    private static func node(_ name: String, below root: URL, _ idleTime: Duration?) throws -> Node {
        var configuration = try Node.Configuration.onLoopback(name, home: root.appending(path: name))
        configuration.idleTime = idleTime
        return try Node(blocking: configuration)
    }

    // MARK: Sending

    var retries: Int { log.all.count { if case .retrying = $0 { true } else { false } } }

    func send(_ text: String) async throws {
        let deliveries = try await sender.send([.text(text, title: text)], to: peer) { [log] in log.append($0) }
        #expect(deliveries.map(\.isStored) == [true])
    }

    /// Sends from the receiver to the sender, over the existing session.
    func sendBack(_ text: String) async throws {
        let peer = Peer(
            name: "sender", fingerprint: sender.identity.fingerprint, addresses: [], foundBy: "a session")
        let deliveries = try await receiver.send([.text(text, title: text)], to: peer)
        #expect(deliveries.map(\.isStored) == [true])
    }

    func fetch() async throws -> ReceivedItem {
        try await sender.fetch(from: peer, into: folder("got")) { try #require($0.first) }
    }

    /// Receives at the sender until the task is cancelled.
    func receiveAtSender() async throws -> Task<Void, any Error> {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let (sender, back) = (sender, folder("back"))
        let task = Task {
            try await sender.receive(into: back, decide: { _ in .accept }) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard await iterator.next() != nil else { throw Pair.NothingCame() }
        return task
    }

    func folder(_ name: String) -> String { root.path + "/" + name }

    var received: [String] { get throws { try names(in: "inbox") } }

    var receivedBack: [String] { get throws { try names(in: "back") } }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.folder(folder)).filter { !$0.hasPrefix(".") }
    }

    /// Waits until no session is open.
    func hasNoConnection() async -> Bool {
        let end = ContinuousClock.now + .seconds(200)
        while relay.openConnections > 0 {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    // MARK: The team

    private static func found(
        _ team: Team, by founder: DeviceIdentity, below root: URL, _ receiver: Node, _ sender: Node
    ) throws {
        let store = try founders(below: root)
        let id = try store.create(name: TeamName("acme"), by: founder, now: .now).id
        let key = PinnedKey(receiver.identity.publicKey)
        _ = try store.change(id, .add(key, name: receiver.identity.name, groups: []), by: founder, now: .now)
        var whole = try store.change(id, .promote(key), by: founder, now: .now)
        if team == .both { whole = try add(sender, to: store, by: founder) }
        try join(receiver, whole, founder)
        if team == .both { try join(sender, whole, founder) }
    }

    private static func founders(below root: URL) throws -> TeamStore {
        TeamStore(home: try HomeDirectory(override: root.appending(path: "founder").path, environment: [:]))
    }

    private static func add(_ node: Node, to store: TeamStore, by founder: DeviceIdentity) throws -> StoredTeam {
        let id = try #require(try store.all().first).id
        return try store.change(
            id, .add(PinnedKey(node.identity.publicKey), name: node.identity.name, groups: []), by: founder, now: .now)
    }

    private static func join(_ node: Node, _ team: StoredTeam, _ founder: DeviceIdentity) throws {
        _ = try TeamStore(home: node.configuration.home).join(
            team.updates, invitedBy: founder.publicKey, own: node.identity.publicKey, now: .now)
    }

    /// The founder admits the sender; the receiver does not learn of it.
    func admit() throws {
        try Self.join(sender, Self.add(sender, to: Self.founders(below: root), by: founder), founder)
    }

    /// The receiver, as another process of its owner, removes the sender from the team.
    func remove() throws {
        let store = TeamStore(home: receiver.configuration.home)
        let id = try #require(try store.all().first).id
        _ = try store.change(
            id, .remove(PinnedKey(sender.identity.publicKey)), by: receiver.identity, now: .now)
    }
}
