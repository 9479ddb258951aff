import PortolanProtocol
import PortolanTransport
import Synchronization

/// Hands each item of an offer to the first of several routes that can take it. A ledger answers for items that its
/// route has stored before; items of a route with a ledger get receipts.
final class RoutedReceiver: ItemReceiver {
    /// Returns the receiver of a peer's offer.
    ///
    /// - Parameters:
    ///   - key: key of this device, which signs receipts.
    ///   - met: the peer with its current facts, and its right to send.
    ///   - ways: receive routes, in the order in which they are tried.
    /// - Returns: the receiver, and a function that returns the numbers of the routes that take a part of the offer.
    static func reception(
        of session: Session, from met: ReceivingPeer, signingBy key: DeviceKey, on runtime: Runtime,
        by ways: [ReceivingPeer.Way]
    ) -> (Reception, taking: @Sendable () -> Set<Int>) {
        let open = ways.filter { met.isEntitled(by: $0.route) }
        // If no route is for this peer, it is refused from the beginning.
        let used = open.isEmpty ? Array(ways.prefix(1)) : open
        let numbers = used.map(\.number)
        let receivers = used.map { Way(receiver: $0.route.receiver(session, met.peer), route: $0.route) }
        func reception(_ receiver: any ItemReceiver) -> Reception {
            Reception(receiver, begin: { try met.admit(by: used) }, checkSender: { try met.check(by: used) })
        }
        guard receivers.count > 1 || receivers[0].route.ledger != nil else {
            return (reception(receivers[0].receiver), { Set(numbers) })
        }
        let routed = RoutedReceiver(
            receivers, signing: ReceiptSigner(key, for: session.peer.deviceKey, on: runtime))
        return (reception(routed), { [weak routed] in Set((routed?.takers ?? []).map { numbers[$0] }) })
    }

    /// Makes a reception that takes nothing, because the facts about the peer cannot be read.
    static func reception(failing error: any Error) -> Reception {
        Reception(RoutedReceiver([], signing: nil), begin: { throw error })
    }

    private struct Way {
        let receiver: any ItemReceiver
        let route: ReceiveRoute
    }

    private struct Place {
        let receiver: any ItemReceiver
        let number: Int
        /// In the offer that this receiver was shown.
        let item: Int
        let parcelPlace: ParcelPlace?
    }

    /// Bytes of names in the answer about items that were stored before.
    private static let mostNameBytes = 64 << 10
    /// Bytes of receipts there. With names and numbers they are far less than a message may have.
    private static let mostReceiptBytes = 96 << 10

    private let ways: [Way]
    private let signer: ReceiptSigner?
    /// By item of the offer.
    private let places = Mutex<[Int: Place]>([:])

    /// Numbers of the receivers that have accepted an item.
    private let taking = Mutex<Set<Int>>([])

    /// - Parameter signer: nil if nothing is taken.
    private init(_ ways: [Way], signing signer: ReceiptSigner?) {
        self.ways = ways
        self.signer = signer
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        var decisions: [ItemDecision] = offer.items.map { _ in .decline(Decline(.nothingInCommon)) }
        for (item, decision) in await decidedBefore(offer) { decisions[item] = decision }
        var left = offer.items.indices.filter {
            if case .decline(let decline) = decisions[$0] { decline.reason == .nothingInCommon } else { false }
        }
        for (number, way) in ways.enumerated() where !left.isEmpty {
            let receiver = way.receiver
            guard
                let part = try? Offer(
                    id: offer.id, items: left.map { offer.items[$0] }, request: offer.request, parcel: offer.parcel)
            else { preconditionFailure("A part of an offer is one") }
            var further: [Int] = []
            for (place, decision) in zip(left.indices, await receiver.decide(on: part)) {
                let item = left[place]
                let taken = Place(
                    receiver: receiver, number: number, item: place, parcelPlace: offer.parcelPlace(of: item))
                places.withLock { $0[item] = taken }
                guard case .decline(let decline) = decision else {
                    decisions[item] = decision
                    taking.withLock { _ = $0.insert(number) }
                    continue
                }
                // An item that is too large for one receiver may be acceptable to another.
                if decline.reason == .nothingInCommon || decline.reason == .tooLarge { further.append(item) }
                if decline.reason != .nothingInCommon { decisions[item] = decision }
            }
            left = further
        }
        return decisions
    }

    /// Items that a route has stored before, and items whose record cannot be read.
    private func decidedBefore(_ offer: Offer) async -> [Int: ItemDecision] {
        guard let signer, offer.parcel != nil else { return [:] }
        var decisions: [Int: ItemDecision] = [:]
        var (nameBytes, receiptBytes) = (0, 0)
        for way in ways {
            guard let ledger = way.route.ledger else { continue }
            for item in offer.items.indices where decisions[item] == nil {
                guard let place = offer.parcelPlace(of: item) else { continue }
                do {
                    guard let stored = try await ledger.stored(place, from: signer.sender) else { continue }
                    nameBytes += stored.name.count
                    var told = stored.keptWhole(withName: nameBytes <= Self.mostNameBytes)
                    told = receiptBytes < Self.mostReceiptBytes ? signer.sign(told, as: place) : told.with(nil)
                    receiptBytes += told.receipt?.encoded.count ?? 0
                    let offered = offer.items[item]
                    decisions[item] = .stored(
                        representation: way.receiver.choose(item: item, from: offered, excluding: []) ?? 0,
                        told)
                } catch {
                    way.route.events(
                        .warning("An item was declined: whether it was stored before cannot be found out: \(error)"))
                    decisions[item] = .decline(
                        Decline(.notInTime, detail: "Whether it was stored before cannot be found out now."))
                }
            }
        }
        return decisions
    }

    func signed(item: Int, _ stored: StoredItem) -> StoredItem {
        let place = place(of: item)
        guard let signer, let parcelPlace = place.parcelPlace, ways[place.number].route.ledger != nil else {
            return stored
        }
        return signer.sign(stored, as: parcelPlace)
    }

    func confirm(item: Int, representation: Int, _ stored: StoredItem) async throws {
        let place = place(of: item)
        try await place.receiver.confirm(item: place.item, representation: representation, stored)
        guard let signer, let parcelPlace = place.parcelPlace else { return }
        try await ways[place.number].route.ledger?.record(parcelPlace, from: signer.sender, as: stored)
    }

    private var takers: Set<Int> { taking.withLock(\.self) }

    private func place(of item: Int) -> Place {
        guard let place = places.withLock({ $0[item] }) else {
            preconditionFailure("Nobody has decided about the item")
        }
        return place
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        let place = place(of: item)
        return place.receiver.choose(item: place.item, from: offered, excluding: tried)
    }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        let place = place(of: item)
        return place.receiver.terms(item: place.item, representation: representation, of: offered)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        let place = place(of: item)
        return try place.receiver.receive(item: place.item, representation, of: offered, as: begin)
    }

    func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>] {
        var results: [Int: Result<StoredItem, RefusedByReceiver>] = [:]
        for number in ways.indices {
            let own = items.filter { place(of: $0).number == number }
            guard !own.isEmpty else { continue }
            let verdicts = await ways[number].receiver.conclude(own.map { place(of: $0).item })
            for (item, verdict) in zip(own, verdicts) { results[item] = verdict }
        }
        return items.compactMap { results[$0] }
    }

    func report(_ event: ReceivingEvent) {
        let place = place(of: event.item)
        place.receiver.report(event.moved(to: place.item))
    }

    func sizeLimit(of item: Int) -> UInt64? {
        let place = place(of: item)
        return place.receiver.sizeLimit(of: place.item)
    }
}

extension ReceivingEvent {
    fileprivate var item: Int {
        switch self {
        case .began(let item, _, _), .resumed(let item, _), .received(let item, _), .found(let item, _, _),
            .stored(let item, _, _), .failed(let item, _):
            item
        }
    }

    fileprivate func moved(to item: Int) -> ReceivingEvent {
        switch self {
        case .began(_, let representation, let size): .began(item: item, representation: representation, size: size)
        case .resumed(_, let kept): .resumed(item: item, kept: kept)
        case .received(_, let advance): .received(item: item, advance)
        case .found(_, let bytes, let isAll): .found(item: item, bytes: bytes, isAll: isAll)
        case .stored(_, let representation, let stored):
            .stored(item: item, representation: representation, stored)
        case .failed(_, let sentence): .failed(item: item, sentence: sentence)
        }
    }
}
