import Foundation
import Glibc
import NodeTestSupport
import Portolan
import PortolanProtocol
import Synchronization
import TestSupport
import Testing

/// Two nodes on loopback, and between them a relay that breaks connections off.
@Suite(.serialized) struct RetryTests {
    private let setting: Setting

    init() throws { setting = try Setting() }

    @Test("a connection that breaks is tried again, and the item arrives once and whole")
    func triesAgain() async throws {
        let data = Data(noise(8 << 20, seed: 1))
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let events = Events()
        let delivery = try await setting.send([.bytes(data, "a.bin")], through: relay, events)[0]
        #expect(delivery.isStored)
        #expect(events.connections == 2)
        #expect(events.retries == 1)
        #expect(try setting.names() == ["a.bin"])
        #expect(try setting.read("a.bin") == data)
        await receiver.stop()
    }

    @Test("a settled item is not offered again, and keeps its place")
    func offersOnlyTheRest() async throws {
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [])
        let second = Item(
            title: "two.bin",
            representations: [
                .produced(.data) {
                    // Does not finish before the connection is broken.
                    if relay.connections == 1 { try await Task.sleep(for: .seconds(120)) }
                    return Data(count: 1 << 20)
                }
            ])
        let items: [Item] = [.bytes(Data(count: 1 << 20), "one.bin"), second, .bytes(Data(count: 1 << 20), "three")]
        let events = Events()
        let deliveries = try await setting.send(items, through: relay, events) { event in
            if case .settled(let delivery) = event, delivery.item == 0 { relay.cut() }
        }
        #expect(deliveries.map(\.isStored) == [true, true, true])
        #expect(deliveries.map(\.item) == [0, 1, 2])
        #expect(try setting.names().count == 3)
        #expect(receiver.offers == [["one.bin", "two.bin", "three"], ["two.bin", "three"]])
        #expect(events.settled == [0, 1, 2])
        await receiver.stop()
    }

    @Test("a receiver that was stopped in the middle and comes back gets the rest")
    func survivesARestart() async throws {
        let data = Data(noise(24 << 20, seed: 2))
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [])
        let (restarts, feed) = AsyncStream.makeStream(of: Void.self)
        let restarting = Task { [setting] in
            for await _ in restarts { break }
            let second = try await setting.receive()
            relay.redirect(to: second.port)
            return second
        }
        let events = Events()
        let delivery = try await setting.send([.bytes(data, "a.bin")], through: relay, events) { event in
            switch event {
            // The transfer must not end before the receiver has stopped, which may take long.
            case .progress where events.retries == 0: relay.mute()
            case .retrying: feed.yield()
            default: break
            }
        } onceUnderWay: {
            // Another test's receiver may get the port.
            relay.redirect(to: 9)
            await receiver.stop()
        }[0]
        #expect(delivery.isStored)
        #expect(events.retries >= 1)
        #expect(try setting.read("a.bin") == data)
        try await restarting.value.stop()
    }

    @Test("the rest is sent to the same key and no other")
    func staysWithTheKey() async throws {
        let receiver = try await setting.receive()
        let stranger = try await setting.receive(as: "stranger")
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let failure = await #expect(throws: NodeError.self) {
            try await setting.send([.bytes(Data(noise(16 << 20, seed: 4)), "a.bin")], through: relay) { event in
                if case .retrying = event { relay.redirect(to: stranger.port) }
            }
        }
        #expect(failure?.kind == .notTrusted)
        #expect(stranger.offers.isEmpty)
        await receiver.stop()
        await stranger.stop()
    }

    @Test("without patience a broken session is the end")
    func givesUpAtOnce() async throws {
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let events = Events()
        let failure = await #expect(throws: NodeError.self) {
            try await setting.send(
                [.bytes(Data(noise(16 << 20, seed: 4)), "a.bin")], through: relay, events, retry: .zero)
        }
        #expect(failure?.kind == .interrupted)
        #expect(events.retries == 0)
        await receiver.stop()
    }

    @Test("the end of the time is an interruption, and told as one")
    func givesUpInTheEnd() async throws {
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let events = Events()
        let failure = await #expect(throws: NodeError.self) {
            try await setting.send(
                [.bytes(Data(noise(16 << 20, seed: 4)), "a.bin")], through: relay, events, retry: .seconds(1)
            ) { event in
                // The discard service: nobody listens there.
                if case .retrying = event { relay.redirect(to: 9) }
            }
        }
        #expect(failure?.kind == .interrupted)
        #expect(failure?.description.contains("Trying again for 1 s did not help") == true)
        #expect(events.retries >= 1)
        await receiver.stop()
    }

    @Test("a peer that cannot be reached is not waited for")
    func doesNotWaitForStrangers() async throws {
        let events = Events()
        let failure = await #expect(throws: NodeError.self) {
            // The discard service: nobody listens there.
            try await setting.send([.text("x")], to: 9, events)
        }
        #expect(failure?.kind == .unreachable)
        #expect(events.retries == 0)
    }

    @Test("a connection that ends in the handshake is tried again", arguments: [1, 2])
    func triesHandshakesAgain(cuts: Int) async throws {
        let receiver = try await setting.receive()
        // In the middle of the first message, each time.
        let relay = try Relay(to: receiver.port, cutting: (1...cuts).map { 20 * $0 })
        let events = Events()
        #expect(try await setting.send([.text("x")], through: relay, events)[0].isStored)
        #expect(events.retries == cuts)
        await receiver.stop()
    }

    @Test("a device that was stopped in the handshake is waited for until it is back")
    func waitsAfterACutHandshake() async throws {
        let receiver = try await setting.receive()
        let port = receiver.port
        let relay = try Relay(to: 9, cutting: [])
        let events = Events()
        let delivery = try await setting.send([.text("x")], through: relay, events) { event in
            if case .retrying = event { relay.redirect(to: port) }
        }[0]
        #expect(delivery.isStored)
        #expect(events.retries == 1)
        await receiver.stop()
    }

    @Test("a device that ends every handshake is given up soon")
    func givesUpRefusers() async throws {
        // Takes connections, and hangs up on them.
        let relay = try Relay(to: 9, cutting: [])
        let events = Events()
        let failure = await #expect(throws: NodeError.self) {
            try await setting.send([.text("x")], through: relay, events)
        }
        #expect(failure?.kind == .unreachable)
        #expect(events.retries == 2)
    }

    @Test("an item that can be read only once is lost with the session, and the rest is sent")
    func losesStreams() async throws {
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let pipe = Pipe()
        let writing = Thread {
            // Fails when nobody reads any more.
            let chunk = noise(1 << 20, seed: 5)
            for _ in 0..<16 where write(pipe.fileHandleForWriting.fileDescriptor, chunk, chunk.count) < 0 { break }
            try? pipe.fileHandleForWriting.close()
        }
        writing.start()
        let stream = try await Item.stream(
            pipe.fileHandleForReading.fileDescriptor, contentType: .data, suggestedName: "stream.bin")
        // Too large to go with the offer, so that it waits for the stream, in the session that breaks.
        let second = Item.bytes(Data(count: 200_000), "b.bin")
        let deliveries = try await setting.send([stream, second], through: relay)
        guard case .brokenOff(let reason) = deliveries[0].outcome else {
            Issue.record("\(deliveries[0].outcome)")
            return
        }
        #expect(!reason.isEmpty)
        #expect(deliveries[1].isStored)
        #expect(try setting.names() == ["b.bin"])
        // Draining the pipe ends the writer's wait.
        while try pipe.fileHandleForReading.read(upToCount: 1 << 20)?.isEmpty == false {}
        await receiver.stop()
    }

    @Test(
        "a stored item whose receipt was lost is not stored again; one that is sent anew is",
        arguments: [1, 200_000])
    func itemsAreNotStoredTwice(bytes: Int) async throws {
        let toCut = Mutex<Relay?>(nil)
        // The receipt is sent after its event was delivered.
        let receiver = try await setting.receive { event in
            if case .stored = event { toCut.withLock { $0.take() }?.cut() }
        }
        let relay = try Relay(to: receiver.port, cutting: [])
        let items: [Item] = (0..<2).map { .bytes(Data(count: bytes), "\($0 == 0 ? "a" : "b").bin") }
        toCut.withLock { $0 = relay }
        let events = Events()
        let deliveries = try await setting.send(items + items, through: relay, events)
        #expect(deliveries.map(\.isStored) == [true, true, true, true])
        #expect(events.retries == 1)
        // Each of them is a separate item, also where another one has the same name and content.
        let names = ["a (2).bin", "a.bin", "b (2).bin", "b.bin"]
        #expect(try setting.names() == names)
        guard case .stored(let first, _) = deliveries[0].outcome else { return }
        #expect(String(decoding: first.name, as: UTF8.self) == "a.bin" && !first.isUpdated)
        _ = try await setting.send(items, through: relay)
        #expect(try setting.names() == (names + ["a (3).bin", "b (3).bin"]).sorted())
        await receiver.stop()
    }

    @Test("a file that was changed after its receipt was lost stays, and the item that comes again lies beside it")
    func keepsChanges() async throws {
        let toCut = Mutex<Relay?>(nil)
        let setting = setting
        let receiver = try await setting.receive { event in
            guard case .stored = event, let relay = toCut.withLock({ $0.take() }) else { return }
            try? setting.write("changed", to: "a.bin")
            relay.cut()
        }
        let relay = try Relay(to: receiver.port, cutting: [])
        toCut.withLock { $0 = relay }
        #expect(try await setting.send([.bytes(Data("content".utf8), "a.bin")], through: relay)[0].isStored)
        #expect(try setting.names() == ["a (2).bin", "a.bin"])
        #expect(try setting.read("a.bin") == Data("changed".utf8))
        #expect(try setting.read("a (2).bin") == Data("content".utf8))
        await receiver.stop()
    }

    @Test("a wait for the next attempt ends with the task")
    func canBeCancelled() async throws {
        let receiver = try await setting.receive()
        let relay = try Relay(to: receiver.port, cutting: [2 << 20])
        let (waits, feed) = AsyncStream.makeStream(of: Void.self)
        let setting = setting
        let sending = Task {
            try await setting.send([.bytes(Data(noise(16 << 20, seed: 4)), "a.bin")], through: relay) { event in
                guard case .retrying = event else { return }
                relay.redirect(to: 9)
                feed.yield()
            }
        }
        for await _ in waits { break }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        await receiver.stop()
    }
}

/// A folder with a sender and receivers in it.
private final class Setting: Sendable {
    private let root: URL
    private let sender: Node

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-retry-\(UUID().uuidString)")
        sender = try Self.node("sender", below: root)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    private static func node(_ name: String, below root: URL) throws -> Node {
        try Node(blocking: .onLoopback(name, home: root.appending(path: name)))
    }

    /// Starts to receive into the one inbox.
    func receive(
        as name: String = "receiver", events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) async throws -> Receiver {
        try await Receiver(Self.node(name, below: root), into: inbox.path, events: events)
    }

    private var inbox: URL { root.appending(path: "inbox") }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: inbox.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: inbox.appending(path: name)) }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: inbox.appending(path: name)) }

    @discardableResult
    func send(
        _ items: [Item], through relay: Relay, _ log: Events = Events(), retry: Duration = .seconds(300),
        events: @escaping @Sendable (SendEvent) -> Void = { _ in },
        onceUnderWay: @escaping @Sendable () async -> Void = {}
    ) async throws -> [Delivery] {
        try await send(items, to: relay.port, log, retry: retry, events: events, onceUnderWay: onceUnderWay)
    }

    @discardableResult
    func send(
        _ items: [Item], to port: UInt16, _ log: Events = Events(), retry: Duration = .seconds(300),
        events: @escaping @Sendable (SendEvent) -> Void = { _ in },
        onceUnderWay: @escaping @Sendable () async -> Void = {}
    ) async throws -> [Delivery] {
        var options = Node.SendOptions()
        options.retry = retry
        let isUnderWay = Mutex(false)
        let peer = try await sender.find("127.0.0.1:\(port)")
        return try await sender.send(items, to: peer, options: options) { event in
            log.append(event)
            events(event)
            guard case .progress = event else { return }
            if !isUnderWay.withLock({ was in
                defer { was = true }; return was
            }) {
                Task { await onceUnderWay() }
            }
        }
    }
}

/// A node that receives everything until it is stopped.
private final class Receiver: Sendable {
    let port: UInt16
    private let task: Task<Void, Never>
    private let log: Log

    /// The titles in each offer that arrived.
    var offers: [[String]] { log.offers.withLock(\.self) }

    private final class Log: Sendable {
        let offers = Mutex<[[String]]>([])
    }

    init(
        _ node: Node, into inbox: String, events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let log = Log()
        self.log = log
        task = Task {
            try? await node.receive(into: inbox) { _ in
                .accept
            } events: { event in
                switch event {
                case .listening(let port, _, _): feed.yield(port)
                case .offered(let offer): log.offers.withLock { $0.append(offer.items.map(\.title)) }
                default: break
                }
                events(event)
            }
            feed.finish()
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw Pair.NothingCame() }
        self.port = port
    }

    func stop() async {
        task.cancel()
        await task.value
    }
}

extension Item {
    fileprivate static func bytes(_ data: Data, _ name: String) -> Item {
        Item(title: name, representations: [.data(data, contentType: .data, suggestedName: name)])
    }
}

extension Events {
    fileprivate var retries: Int { all.count { if case .retrying = $0 { true } else { false } } }
    fileprivate var connections: Int { all.count { if case .connected = $0 { true } else { false } } }
    fileprivate var settled: [Int] {
        all.compactMap { if case .settled(let delivery) = $0 { delivery.item } else { nil } }
    }
}
