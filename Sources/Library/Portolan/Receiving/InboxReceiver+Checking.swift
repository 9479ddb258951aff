import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

// MARK: Before consent

extension InboxReceiver {
    /// True if a form is of a listed kind.
    func mayTake(_ representation: OfferedRepresentation) -> Bool { listed?.include(representation) ?? true }

    /// The decline of an item that has become another one since it was listed; nil for all others.
    func refusal(of item: OfferedItem, accepting types: inout AcceptedTypes) -> Decline? {
        guard let listed, Negotiation.choose(item, accepting: &types, where: { !listed.include($0) }) != nil else {
            return nil
        }
        return Decline(.notWanted, detail: "It is of another type than it was listed, and nothing was fetched.")
    }

    /// True if the inbox can store the restriction of a representation, by the last look at its file system.
    func isThoughtStorable(_ representation: OfferedRepresentation) -> Bool {
        folders.inbox.isThoughtToKeepRestrictions || representation.restriction == .everyone
    }

    /// The folder in which each item that would be taken goes on, if all of them were accepted when their transfers
    /// began, broke off, have the names that they had then, and are no larger, nor is what may come in their place; nil
    /// otherwise.
    func placesToGoOn(_ offer: Offer, _ choices: [Int?]) async -> [Int: Destination]? {
        var sought: [Sought] = []
        for (number, choice) in choices.enumerated() {
            guard let choice else { continue }
            let item = offer.items[number]
            guard let query = query(Place(item: number, representation: choice), of: item),
                folders.mayHoldPartial(of: query.identity)
            else { return nil }
            let hasName = item.representations[choice].suggestedName != nil
            sought.append(
                Sought(
                    item: number, query: query, size: item.mostBytes(from: choice), title: item.title, hasName: hasName)
            )
        }
        // A partial cannot be the beginning of two items.
        guard !sought.isEmpty, Set(sought.map(\.query.identity)).count == sought.count else { return nil }
        return await withBlockingThread { [folders, sought] in
            var places: [Int: Destination] = [:]
            for (destination, folder) in folders.all {
                let open = sought.filter { places[$0.item] == nil && folder.mayHoldPartial(of: $0.query.identity) }
                // A missing folder contains no partials.
                guard let traces = try? await folder.find(open.map(\.query), listing: false) else { continue }
                for (item, trace) in zip(open, traces) {
                    guard case .partial(_, let accepted) = trace.known,
                        accepted.map({ item.size ?? .max <= $0 }) ?? true, item.isCalled(trace.accepted)
                    else { continue }
                    places[item.item] = destination
                }
            }
            return places.count == sought.count ? places : nil
        }
    }

    /// Nil for an item that is never kept as a partial, or whose name is refused.
    func query(_ place: Place, of item: OfferedItem) -> ItemQuery? {
        let representation = item.representations[place.representation]
        guard let identity = ItemIdentity(of: representation, from: peer),
            let name = try? name(for: representation, of: item, numbered: place.item, calling: [])
        else { return nil }
        // Content that came with the offer would be sent again if the item were asked about.
        let isHere = item.inline?.representation == place.representation
        return ItemQuery(
            identity, called: name, isFolder: representation.isFolder,
            from: isHere ? nil : SenderIdentity(of: representation, from: peer), size: representation.size)
    }
}

/// An item of which a partial is sought.
private struct Sought: Sendable {
    let item: Int
    let query: ItemQuery
    let size: UInt64?
    let title: String
    let hasName: Bool

    /// True if it was accepted under the name that it is offered under now, or without one, under its title.
    func isCalled(_ accepted: ItemTraces.AcceptedNames?) -> Bool {
        hasName ? accepted?.name == query.name.text : accepted?.title == title
    }
}

// MARK: After consent

extension InboxReceiver {
    /// Checks accepted items on another thread than the session's: declines an item that cannot be stored or for which
    /// there is no room.
    func checked(_ decided: DecisionReply, of open: OpenOffer) async -> [ItemDecision] {
        let places = decided.decisions.enumerated().compactMap { item, decision in
            if case .take(let representation) = decision {
                Place(item: item, representation: representation)
            } else {
                nil
            }
        }
        guard !places.isEmpty else { return decided.decisions }
        return await withBlockingThread {
            state.withLock { $0.traces = [:] }
            var decisions = decided.decisions
            var declined: [(item: Int, reason: String)] = []
            var destinations: [Destination] = []
            for destination in places.map({ decided.destination(of: $0.item) })
            where !destinations.contains(destination) {
                destinations.append(destination)
            }
            for destination in destinations {
                // If a folder cannot be used, each item fails with the reason when it begins.
                guard let folder = try? folders.folder(destination) else { continue }
                let here = places.filter { decided.destination(of: $0.item) == destination }
                let kept = here.filter { isKept($0, in: folder, of: open) }
                for place in here where !kept.contains(place) {
                    decisions[place.item] = .decline(Decline(.visibility))
                }
                await look(for: kept, in: folder, of: open.offer)
                guard let missing = shortage(for: kept, in: folder, of: open.offer) else { continue }
                for place in kept {
                    decisions[place.item] = .decline(Decline(.noSpace))
                    declined.append((place.item, missing))
                }
            }
            let isAll = decisions.allSatisfy { if case .decline = $0 { true } else { false } }
            deciding.tell(declined, of: open, isAll: isAll)
            return decisions
        }
    }

    /// True if a folder can keep an item from peers that may not see it; reports an item that it cannot.
    private func isKept(_ place: Place, in folder: Inbox, of open: OpenOffer) -> Bool {
        let restriction = open.offer.items[place.item].representations[place.representation].restriction
        // A failure of the disk is each item's own.
        guard restriction != .everyone, (try? folder.keepsRestrictions()) == false else { return true }
        deciding.events(.failed(open.transfer(of: place.item), reason: folder.notKept(restriction).description))
        return false
    }

    /// Looks up stored versions and partials of items in a folder, with one listing of it.
    private func look(for places: [Place], in folder: Inbox, of offer: Offer) async {
        let queries = places.compactMap { place in
            return query(place, of: offer.items[place.item]).map { (place, $0) }
        }
        // If the folder is missing, each item fails with the reason when it begins.
        let found = (try? await folder.find(queries.map(\.1), listing: true)) ?? []
        state.withLock { state in
            for (place, traces) in zip(queries.map(\.0), found) { state.traces[place] = traces }
        }
    }

    /// Returns the reason why there is no room for the accepted items; nil if there is room. The sizes are the sender's
    /// claims, so they serve only to decline.
    private func shortage(for taken: [Place], in folder: Inbox, of offer: Offer) -> String? {
        let announced = taken.reduce(UInt64(0)) { sum, place in
            let (total, overflow) = sum.addingReportingOverflow(missing(of: place, of: offer))
            return overflow ? .max : total
        }
        let reserve = reserve(in: folder)
        guard let free = try? folder.availableSpace(needing: announced, besides: reserve) else { return nil }
        guard announced > free - min(free, reserve) else { return nil }
        let kept = reserve > 0 ? ", of which \(reserve) are to stay free" : ""
        return
            "There is no room for it: \(announced) bytes were offered, \(free) are free in “\(DisplayText(folder.path))”\(kept). "
            + "Make room there, or receive into another folder, and have it sent again."
    }

    /// Bytes that are still to be received, as far as known.
    private func missing(of place: Place, of offer: Offer) -> UInt64 {
        guard let size = offer.items[place.item].representations[place.representation].size else { return 0 }
        return switch state.withLock({ $0.traces[place]?.known }) {
        case .partial(let bytes, _): size - min(size, bytes)
        // The differing part of a stored item is not known yet.
        case .stored: 0
        case .nothing, nil: size
        }
    }

    /// Bytes that must stay free on a folder's file system.
    func reserve(in folder: Inbox) -> UInt64 { options.reserve ?? (try? folder.usualReserve()) ?? 0 }
}
