import Foundation
import NodeTestSupport
import PortolanCrypto
import PortolanProtocol
import Synchronization
import Testing

@testable import Portolan

/// Items that are recorded before their receipt, and recognised when they are sent again.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReceiptLedgerTests {
    private final class MemoryLedger: ReceiptLedger {
        private struct Key: Hashable {
            let place: ParcelPlace
            let sender: DevicePublicKey
        }

        private let items = Mutex<[Key: StoredItem]>([:])
        private let isBroken = Mutex(false)
        private let keepsReceipts: Bool

        init(keepingReceipts keepsReceipts: Bool = true) { self.keepsReceipts = keepsReceipts }

        var count: Int { items.withLock(\.count) }
        func damage(_ isDamaged: Bool) { isBroken.withLock { $0 = isDamaged } }

        func stored(_ place: ParcelPlace, from sender: DevicePublicKey) async throws -> StoredItem? {
            if isBroken.withLock(\.self) { throw Broken() }
            return items.withLock { $0[Key(place: place, sender: sender)] }
        }

        func record(_ place: ParcelPlace, from sender: DevicePublicKey, as stored: StoredItem) async throws {
            let kept = keepsReceipts ? stored : stored.with(nil)
            items.withLock { $0[Key(place: place, sender: sender)] = kept }
        }
    }

    /// A ledger in which everything was stored before, with the longest entries possible.
    private struct FullLedger: ReceiptLedger {
        func stored(_ place: ParcelPlace, from sender: DevicePublicKey) async throws -> StoredItem? {
            try StoredItem(
                name: [UInt8](repeating: UInt8(ascii: "n"), count: 255), bytes: UInt64(Int64.max), entries: .max)
        }

        func record(_ place: ParcelPlace, from sender: DevicePublicKey, as stored: StoredItem) async throws {}
    }

    private final class Log<Element: Sendable>: Sendable {
        private let elements = Mutex<[Element]>([])
        func append(_ element: Element) { elements.withLock { $0.append(element) } }
        var all: [Element] { elements.withLock(\.self) }
    }

    private func visible(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// A folder for the inbox, and a file that is too large to go with its offer.
    private func prepare(_ root: URL) throws -> (inbox: URL, file: String) {
        let inbox = root.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let file = root.appending(path: "large")
        try Data(repeating: 7, count: 200_000).write(to: file)
        return (inbox, file.path)
    }

    private func keptBytes(_ deliveries: [Delivery]) -> [UInt64?] {
        deliveries.map { if case .stored(let stored, representation: 0) = $0.outcome { stored.keptBytes } else { nil } }
    }

    @Test("an item that cannot be recorded fails and is out of sight, and is stored when it is sent again")
    func hidesItemsThatCannotBeRecorded() async throws {
        try await Pair.with { pair in
            let (inbox, file) = try prepare(pair.root)
            let isBroken = Mutex(true)
            let recorded = Log<ReceivedItem>()
            try await pair.whileReceiving { node, events in
                try await node.receive(
                    into: inbox.path, decide: { _ in .accept },
                    onStored: { item in
                        if isBroken.withLock(\.self) { throw Broken() }
                        recorded.append(item)
                    }, events: events)
            } _: { node, peer in
                let items: [Item] = [try await .file(at: file), .text("hello")]
                for delivery in try await node.send(items, to: peer) {
                    guard case .failed(let failure, _) = delivery.outcome else {
                        Issue.record("\(delivery.outcome)")
                        continue
                    }
                    #expect(failure.cause == .cannotWrite && !failure.detail.isEmpty)
                    #expect(ParcelSettlement(delivery) == nil, "it may be sent again")
                }
                #expect(try visible(inbox) == [] && recorded.all.isEmpty)
                isBroken.withLock { $0 = false }
                let deliveries = try await node.send(items, to: peer)
                #expect(keptBytes(deliveries) == [200_000, 0])
                #expect(try visible(inbox) == ["hello.txt", "large"])
                #expect(recorded.all.map(\.name).sorted() == ["hello.txt", "large"])
                #expect(recorded.all.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
            }
        }
    }

    @Test("a stored item of a parcel is answered as stored when it comes again, also when its file is gone")
    func storesOnce() async throws {
        try await Pair.with { pair in
            let (inbox, file) = try prepare(pair.root)
            let ledger = MemoryLedger()
            let offers = Log<RandomID?>()
            let parcels = Log<RandomID?>()
            try await pair.whileReceiving { node, events in
                try await node.receive(
                    into: inbox.path, ledger: ledger,
                    decide: { offer in
                        offers.append(offer.parcel)
                        return .accept
                    },
                    events: { event in
                        if case .stored(let item) = event { parcels.append(item.parcelPlace?.parcel) }
                        events(event)
                    })
            } _: { node, peer in
                let parcel = try await node.parcel([.file(at: file), .text("hello")], to: peer.name)
                for kept in [[0, 0], [200_000, 5]] as [[UInt64?]] {
                    let deliveries = try await node.send(node.open(parcel), to: peer)
                    #expect(keptBytes(deliveries) == kept)
                    #expect(deliveries.allSatisfy { $0.transfer.batch == parcel.id })
                    #expect(try visible(inbox) == (kept[0] == 0 ? ["hello.txt", "large"] : []))
                    for name in try visible(inbox) {
                        try FileManager.default.removeItem(at: inbox.appending(path: name))
                    }
                }
                #expect(offers.all == [parcel.id] && parcels.all == [parcel.id, parcel.id] && ledger.count == 2)

                // The same item in another parcel is a different item.
                let other = try await node.parcel([.file(at: file), .text("hello")], to: peer.name)
                let anew = try await node.send(node.open(other), to: peer)
                #expect(keptBytes(anew) == [0, 0])
                #expect(try visible(inbox) == ["hello.txt", "large"] && ledger.count == 4)
            }
        }
    }

    @Test("a recorded item is signed for, when it is stored and when it comes again", arguments: [true, false])
    func recordedItemIsSigned(keepsReceipts: Bool) async throws {
        try await Pair.with { pair in
            let (inbox, file) = try prepare(pair.root)
            let ledger = MemoryLedger(keepingReceipts: keepsReceipts)
            let recorded = Log<DeliveryReceipt?>()
            try await pair.whileReceiving { node, events in
                try await node.receive(
                    into: inbox.path, ledger: ledger, decide: { _ in .accept },
                    onStored: { recorded.append($0.receipt) }, events: events)
            } _: { node, peer in
                let parcel = try await node.parcel([.file(at: file), .text("hello")], to: peer.name)
                var receipts: [[DeliveryReceipt]] = []
                for _ in 0..<2 {
                    let met = Log<Fingerprint>()
                    let deliveries = try await node.send(node.open(parcel), to: peer) { event in
                        if case .connected(let peer) = event { met.append(peer.fingerprint) }
                    }
                    let came = deliveries.compactMap(\.receipt)
                    #expect(came.map(\.statement.bytes) == [200_000, 5])
                    for (item, receipt) in came.enumerated() {
                        let receiver = try DevicePublicKey(bytes: receipt.statement.receiver)
                        #expect([receiver.fingerprint] == met.all)
                        #expect(node.isValid(receipt, ofItem: item, in: parcel.id, from: receiver))
                        #expect(!node.isValid(receipt, ofItem: item + 1, in: parcel.id, from: receiver))
                        #expect(!node.isValid(receipt, ofItem: item, in: .random(), from: receiver))
                    }
                    receipts.append(came)
                }
                let signed = recorded.all.compactMap(\.self)
                #expect(Set(signed) == Set(receipts[0]), "what is recorded is what the sender has")
                if keepsReceipts { #expect(receipts[0] == receipts[1]) }
            }
        }
    }

    @Test("an answer about very many items has as many receipts as there is room for")
    func manyReceipts() async throws {
        try await Pair.with { pair in
            let (inbox, _) = try prepare(pair.root)
            try await pair.whileReceiving { node, events in
                try await node.receive(
                    into: inbox.path, ledger: FullLedger(), decide: { _ in .accept }, events: events)
            } _: { node, peer in
                let deliveries = try await node.send((0..<700).map { Item.text("\($0)") }, to: peer)
                #expect(deliveries.count == 700 && deliveries.allSatisfy(\.isStored))
                let receipts = deliveries.compactMap(\.receipt)
                #expect(receipts.count == 565 && receipts.allSatisfy(\.isValid), "\(receipts.count)")
            }
        }
    }

    @Test("a receiver without a record signs nothing")
    func signsNothing() async throws {
        try await Pair.with { pair in
            let (inbox, _) = try prepare(pair.root)
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox.path, decide: { _ in .accept }, events: events)
            } _: { node, peer in
                let delivery = try await node.send([.text("hello")], to: peer)[0]
                #expect(delivery.isStored && delivery.receipt == nil)
            }
        }
    }

    @Test("while the record cannot be read nothing is taken, and the sender may send it later")
    func declinesItemsIfTheLedgerCannotBeRead() async throws {
        try await Pair.with { pair in
            let (inbox, _) = try prepare(pair.root)
            let ledger = MemoryLedger()
            ledger.damage(true)
            try await pair.whileReceiving { node, events in
                try await node.receive(into: inbox.path, ledger: ledger, decide: { _ in .accept }, events: events)
            } _: { node, peer in
                let declined = try await node.send([.text("hello")], to: peer)
                #expect(!declined[0].isStored && ParcelSettlement(declined[0]) == nil)
                #expect(try visible(inbox) == [])
                ledger.damage(false)
                #expect(try await node.send([.text("hello")], to: peer)[0].isStored)
            }
        }
    }

    @Test("the identifier of an item tells no other receiver anything, nor how many items there are")
    func itemIdentifiersRevealNoCount() {
        let key = DeviceKey.generate()
        let peers = [DeviceKey.generate().publicKey, DeviceKey.generate().publicKey]
        let identifiers = peers.map { peer in (0..<100).map { key.parcelItem($0, of: 7, for: peer) } }
        #expect(Set(identifiers.joined()).count == 200 && !identifiers.joined().contains(0))
        #expect(identifiers[0] == (0..<100).map { key.parcelItem($0, of: 7, for: peers[0]) })
        #expect(identifiers[0] != identifiers[0].sorted())
    }
}
