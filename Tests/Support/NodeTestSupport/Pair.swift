import Foundation
import Portolan
import Synchronization

/// A node that receives and one that sends, on this machine's loopback.
package struct Pair {
    package let root: URL
    private let receiver: Node
    private let sender: Node

    package struct NothingCame: Error {
        package init() {}
    }

    package static func with(
        importWait: Duration = .seconds(120), _ body: (Pair) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-pair-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(
            Pair(
                root: root, receiver: node("receiver", below: root, importWait),
                sender: node("sender", below: root, importWait)))
    }

    private static func node(_ name: String, below root: URL, _ importWait: Duration) throws -> Node {
        var configuration = try Node.Configuration.onLoopback(name, home: root.appending(path: name))
        configuration.importWait = importWait
        return try Node(blocking: configuration)
    }

    /// Returns the first received value of those that `send` sends.
    package func receive<Value: Transferable>(
        _ type: Value.Type, _ send: @escaping @Sendable (Node, Peer) async throws -> Void
    ) async throws -> Received<Value> {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let values = receiver.receive(
            Value.self, events: { if case .listening(let port, _, _) = $0 { feed.yield(port) } })
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw NothingCame() }
        let sender = sender
        async let sending: Void = send(sender, sender.find("127.0.0.1:\(port)"))
        var first: Received<Value>?
        for try await value in values {
            first = value
            break
        }
        try await sending
        guard let first else { throw NothingCame() }
        return first
    }

    /// Runs `send` while the receiver runs `receive`.
    package func whileReceiving(
        _ receive: @escaping @Sendable (Node, @escaping @Sendable (ReceiveEvent) -> Void) async throws -> Void,
        _ send: (Node, Peer) async throws -> Void
    ) async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let receiver = receiver
        let receiving = Task {
            try await receive(receiver) { if case .listening(let port, _, _) = $0 { feed.yield(port) } }
        }
        defer { receiving.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw NothingCame() }
        try await send(sender, sender.find("127.0.0.1:\(port)"))
    }

    /// Runs `send` while the receiver declines, or accepts and receives nothing.
    package func decline<Value: Transferable>(
        _ detail: String, _ type: Value.Type, accepting: Bool = false,
        _ send: (Node, Peer) async throws -> Void
    ) async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let values = receiver.receive(
            Value.self, decide: { _ in accepting ? .accept : .decline(detail: detail) },
            events: { if case .listening(let port, _, _) = $0 { feed.yield(port) } })
        let draining = Task { for try await _ in values {} }
        defer { draining.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw NothingCame() }
        try await send(sender, sender.find("127.0.0.1:\(port)"))
    }
}

/// A text with a rich form that counts how often it is produced.
package struct Note: Transferable {
    package final class Counter: Sendable {
        private let value = Mutex(0)

        package init() {}
        package var count: Int { value.withLock(\.self) }
        package func increase() { value.withLock { $0 += 1 } }
    }

    package let text: String
    package let counter: Counter

    package init(text: String, counter: Counter) {
        self.text = text
        self.counter = counter
    }

    package static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .png) { note in
            note.counter.increase()
            return Data()
        }
        ProxyRepresentation(exporting: \.text)
    }
}

package struct Broken: Error, CustomStringConvertible {
    package let description = "broken"

    package init() {}
}

package final class Events: Sendable {
    private let seen = Mutex<[SendEvent]>([])

    package init() {}

    package func append(_ event: SendEvent) { seen.withLock { $0.append(event) } }
    package var all: [SendEvent] { seen.withLock(\.self) }
}

extension ItemRepresentation {
    /// A form made by `produce` when it is taken.
    package static func produced(
        _ type: UTType, _ produce: @escaping @Sendable () async throws -> Data
    ) -> ItemRepresentation {
        ItemRepresentation(contentType: type, content: .bytes(produce))
    }
}
