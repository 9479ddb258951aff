import Foundation
import NodeTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Portolan

/// Identifiers of items in transfer, and the events that carry them.
@Suite(.serialized) struct TransferIDTests {
    @Test func onlyTheTextFormIsParsed() throws {
        let id = TransferID(item: 1023)
        #expect(TransferID(id.description) == id)
        #expect(id.description.hasSuffix("-1023") && id.description.utf8.count == 37)
        #expect(try JSONDecoder().decode([TransferID].self, from: JSONEncoder().encode([id])) == [id])
        let batch = id.batch.description
        for text in [
            "", "-", batch, batch + "-", batch + "--1", batch + "-01", batch + "-1-1", batch + "-x", batch + "- 1",
            batch.uppercased() + "-1", String(batch.dropLast()) + "-1", "+" + batch.dropFirst() + "-1", batch + "-٣",
            batch + "-99999999999999999999",
        ] where text != id.description {
            #expect(TransferID(text) == nil, "\(text)")
        }
        let ids = Set((0..<1000).map { _ in RandomID.random().description })
        #expect(ids.count == 1000 && ids.allSatisfy { $0.utf8.count == 32 })
    }

    /// Events of a receiver, each with the transfer that it is about.
    private final class Log: Sendable {
        let events = Mutex<[ReceiveEvent]>([])
        func append(_ event: ReceiveEvent) { events.withLock { $0.append(event) } }
        var all: [ReceiveEvent] { events.withLock(\.self) }
    }

    @Test("items of one title are told apart, in one offer and in two sessions at once")
    func sameTitles() async throws {
        try await Pair.with { pair in
            let inbox = pair.root.appending(path: "inbox").path
            let log = Log()
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox) { _ in
                    .accept
                } events: { event in
                    log.append(event)
                    events(event)
                }
            } _: { node, peer in
                let twins = (1...2).map { size in
                    Item(title: "twin", representations: [.data(Data(count: size), contentType: .data)])
                }
                async let first = node.send(twins, to: peer)
                async let second = node.send(twins, to: peer)
                let deliveries = try await first + second
                #expect(deliveries.map(\.isStored) == [true, true, true, true])
                #expect(Set(deliveries.map(\.transfer)).count == 4)
                #expect(Set(deliveries.map(\.transfer.batch)).count == 2)
            }
            let offered = log.all.flatMap { event -> [TransferID] in
                if case .offered(let offer) = event { offer.items.map(\.transfer) } else { [] }
            }
            let started = log.all.compactMap { event in
                if case .started(let transfer, _) = event { transfer } else { nil }
            }
            let stored = log.all.compactMap { event in
                if case .stored(let item) = event { item } else { nil }
            }
            #expect(Set(offered).count == 4 && Set(started.map(\.id)) == Set(offered))
            #expect(Set(stored.map(\.transfer)) == Set(offered))
            #expect(Set(started.map(\.peer.session)).count == 2)
            #expect(stored.allSatisfy { $0.bytes == UInt64($0.transfer.item + 1) }, "an item has another's identifier")
        }
    }

    @Test("a sending that is tried again keeps its identifiers, and a parcel has them for good")
    func retries() async throws {
        try await Pair.with { pair in
            let inbox = pair.root.appending(path: "inbox").path
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox, decide: { _ in .accept }, events: events)
            } _: { node, peer in
                let port = try #require(peer.name.split(separator: ":").last.flatMap { UInt16($0) })
                let relay = try Relay(to: port, cutting: [1 << 20])
                let file = pair.root.appending(path: "a.bin")
                try Data(noise(4 << 20, seed: 5)).write(to: file)
                let parcel = try await node.parcel([.file(at: file.path)], to: "127.0.0.1:\(relay.port)")
                let events = Events()
                _ = try await node.send(node.open(parcel), to: node.find(parcel.target), events: events.append)
                let started = events.all.compactMap { event in
                    if case .started(let transfer, _, _, _) = event { transfer } else { nil }
                }
                #expect(started.count == 2 && Set(started) == [TransferID(batch: parcel.id, item: 0)])
            }
        }
    }
}
