import Foundation
import NodeTestSupport
import Portolan
import PortolanControls
import PortolanProtocol
import Synchronization
import Testing

/// Several kinds on one destination: a case for each, tried in order.
private enum Dropped: Transferable, Equatable {
    case link(URL)
    case text(String)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { Dropped.link($0) }
        ProxyRepresentation { Dropped.text($0) }
    }
}

/// Calls of a destination, in order.
private final class Log<Payload: Sendable>: Sendable {
    enum Entry: Sendable {
        case targeted(Bool)
        case action([Payload], DropSession)
    }

    private let seen = Mutex<[Entry]>([])
    private let (signals, signal) = AsyncStream.makeStream(of: Void.self)

    func append(_ entry: Entry) {
        seen.withLock { $0.append(entry) }
        if case .targeted(false) = entry { signal.yield() }
    }

    var batches: [[Payload]] {
        seen.withLock { $0.compactMap { if case .action(let batch, _) = $0 { batch } else { nil } } }
    }
    var sessions: [DropSession] {
        seen.withLock { $0.compactMap { if case .action(_, let session) = $0 { session } else { nil } } }
    }

    /// `+` and `-` for the bracket, `!` for the action.
    var shape: String {
        seen.withLock { $0.map { if case .targeted(let isIn) = $0 { isIn ? "+" : "-" } else { "!" } }.joined() }
    }

    func waitUntilLeft() async { for await _ in signals { return } }
}

@Suite(.serialized) struct DropTests {
    private func drop<Payload: Transferable>(
        on type: Payload.Type, returning isTaken: Bool = true, _ send: (Node, Peer) async throws -> Void
    ) async throws -> Log<Payload> {
        let log = Log<Payload>()
        try await Pair.with { pair in
            try await pair.whileReceiving { node, events in
                try await node.dropDestination(for: Payload.self) { items, session in
                    log.append(.action(items, session))
                    return isTaken
                } isTargeted: {
                    log.append(.targeted($0))
                } events: {
                    events($0)
                }
            } _: { node, peer in
                try await send(node, peer)
                // A destination that accepts nothing is never entered, and so never left.
                if !log.shape.isEmpty { await log.waitUntilLeft() }
            }
        }
        return log
    }

    @Test("36. two texts dropped together are one call with both, between entering and leaving")
    func itemsOfAnOfferArriveTogether() async throws {
        let log = try await drop(on: String.self) { node, peer in
            let deliveries = try await node.send([.text("one"), .text("two")], to: peer)
            #expect(!deliveries.map(\.isStored).contains(false))
        }
        #expect(log.batches == [["one", "two"]])
        #expect(log.shape == "+!-")
        #expect(log.sessions.first?.peer.name == "sender")
        #expect(log.sessions.first?.titles == ["one", "two"])
    }

    @Test("false refuses the whole batch, and the sender is told so")
    func refuses() async throws {
        let log = try await drop(on: String.self, returning: false) { node, peer in
            for delivery in try await node.send([.text("one"), .text("two")], to: peer) {
                guard case .failed(let failure, _) = delivery.outcome else {
                    Issue.record("\(delivery.outcome)")
                    continue
                }
                #expect(failure.cause == .refused)
            }
        }
        #expect(log.shape == "+!-")
    }

    @Test("4. an enumeration takes several kinds in one batch, in the order of the offer")
    func takesSeveralKinds() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let log = try await drop(on: Dropped.self) { node, peer in
            let deliveries = try await node.send([.text("words"), Item(url), .text("more")], to: peer)
            #expect(!deliveries.map(\.isStored).contains(false))
        }
        #expect(log.batches == [[.text("words"), .link(url), .text("more")]])
    }

    @Test("an item that cannot be imported is declined, and the rest of the batch comes")
    func omitsItemsOfOtherTypes() async throws {
        let log = try await drop(on: String.self) { node, peer in
            let picture = Item(title: "picture", representations: [.data(Data([1]), contentType: .png)])
            let deliveries = try await node.send([picture, .text("words")], to: peer)
            #expect(!deliveries[0].isStored && deliveries[1].isStored)
        }
        #expect(log.batches == [["words"]])
        #expect(log.sessions.first?.itemsCount == 1)
    }

    @Test("36. a batch without a fitting item does not call the action, and is not entered")
    func staysSilent() async throws {
        let log = try await drop(on: String.self) { node, peer in
            let picture = Item(title: "picture", representations: [.data(Data([1]), contentType: .png)])
            let deliveries = try await node.send([picture], to: peer)
            #expect(!deliveries[0].isStored)
        }
        #expect(log.shape == "")
    }

    @Test("an item that cannot be produced or imported is missing from the batch; the others come")
    func passesOverFailures() async throws {
        let log = try await drop(on: String.self) { node, peer in
            let broken = Item(title: "broken", representations: [.produced(.utf8PlainText) { throw Broken() }])
            let garbled = Item(
                title: "garbled", representations: [.data(Data([0xC3, 0x28]), contentType: .utf8PlainText)])
            let deliveries = try await node.send([broken, .text("good"), garbled], to: peer)
            #expect(deliveries.map(\.isStored) == [false, true, false])
        }
        #expect(log.batches == [["good"]])
    }

    @Test("an importer that never ends is given up after the time it may take, and the sender is told")
    func givesUpHangingImporters() async throws {
        try await Pair.with(importWait: .milliseconds(200)) { pair in
            try await pair.decline("", Hanging.self, accepting: true) { node, peer in
                guard case .failed(let failure, _) = try await node.send("hello", to: peer).outcome else {
                    Issue.record("it was stored")
                    return
                }
                #expect(failure.cause == .import)
            }
        }
    }
}

/// A value that cannot be made: its importer waits for ever, and ignores cancellation.
private struct Hanging: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .utf8PlainText) { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Hanging, Never>) in }
        }
    }
}
