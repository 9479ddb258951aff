import PortolanProtocol
import PortolanTransport
import Synchronization

/// Hands each item of an offer to the first of several routes that can take something of it.
final class RoutedReceiver: ItemReceiver {
    /// Who sees to an offer of a peer.
    ///
    /// - Parameter routes: each with the peer's right to send by it, and the peer as it is known at this moment.
    static func reception(
        of session: Session, from peer: RemotePeer, by routes: [(route: ReceiveRoute, met: ReceivingPeer)]
    ) -> Reception {
        let open = routes.filter(\.met.isEntitled)
        // A peer that none of them is for hears so from the first.
        let used = open.isEmpty ? Array(routes.prefix(1)) : open
        let receivers = used.map { $0.route.receiver(session, peer) }
        return Reception(receivers.count == 1 ? receivers[0] : RoutedReceiver(receivers)) {
            for one in used { try one.met.checkStanding() }
        }
    }

    /// Takes nothing, because what is known of the peer cannot be read.
    static func reception(failing error: any Error) -> Reception {
        Reception(RoutedReceiver([])) { throw error }
    }

    private struct Place {
        let receiver: any ItemReceiver
        let number: Int
        /// In the offer that this receiver was shown.
        let item: Int
    }

    private let receivers: [any ItemReceiver]
    /// By item of the offer.
    private let places = Mutex<[Int: Place]>([:])

    private init(_ receivers: [any ItemReceiver]) {
        self.receivers = receivers
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        var decisions: [ItemDecision] = offer.items.map { _ in .decline(Decline(.nothingInCommon)) }
        var left = Array(offer.items.indices)
        for (number, receiver) in receivers.enumerated() where !left.isEmpty {
            guard let part = try? Offer(id: offer.id, items: left.map { offer.items[$0] }, request: offer.request)
            else { preconditionFailure("A part of an offer is one") }
            var further: [Int] = []
            for (place, decision) in zip(left.indices, await receiver.decide(on: part)) {
                let item = left[place]
                decisions[item] = decision
                if case .decline(let decline) = decision, decline.reason == .nothingInCommon { further.append(item) }
                places.withLock { $0[item] = Place(receiver: receiver, number: number, item: place) }
            }
            left = further
        }
        return decisions
    }

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

    func conclude(_ items: [Int]) async -> [Result<PortolanProtocol.StoredItem, RefusedByReceiver>] {
        var results: [Int: Result<PortolanProtocol.StoredItem, RefusedByReceiver>] = [:]
        for number in receivers.indices {
            let own = items.filter { place(of: $0).number == number }
            guard !own.isEmpty else { continue }
            let verdicts = await receivers[number].conclude(own.map { place(of: $0).item })
            for (item, verdict) in zip(own, verdicts) { results[item] = verdict }
        }
        return items.compactMap { results[$0] }
    }

    func report(_ event: ReceivingEvent) {
        let place = place(of: event.item)
        place.receiver.report(event.moved(to: place.item))
    }

    /// The largest that any of them takes; each declines what is too large for it.
    var sizeLimit: UInt64? {
        let limits = receivers.map(\.sizeLimit)
        return limits.contains(nil) ? nil : limits.compactMap(\.self).max()
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
