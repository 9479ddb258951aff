import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

/// Takes one peer's items into the inbox.
final class InboxReceiver: ItemReceiver {
    private let peer: RemotePeer
    private let inbox: Inbox
    private let types: [UTType]?
    private let options: Node.ReceiveOptions
    private let deciding: Deciding
    private let onStored: @Sendable (_ path: String, Restriction) -> Void
    private let offer = Mutex<Offer?>(nil)
    /// Results of the look-ups of accepted items.
    private let traces = Mutex<[Place: ItemTraces]>([:])
    private let session: Session
    private let arrivals: Arrivals
    /// What is on its way in here, by item.
    private let arriving = Mutex<[Int: (identity: ItemIdentity, arrival: Arrivals.Arrival)]>([:])

    /// A representation in the offer.
    private struct Place: Hashable {
        let item: Int
        let representation: Int
    }

    /// - Parameter onStored: called with each item that has been stored.
    init(
        peer: RemotePeer, on session: Session, _ arrivals: Arrivals, inbox: Inbox, accepting types: [UTType]?,
        options: Node.ReceiveOptions, deciding: Deciding,
        onStored: @escaping @Sendable (_ path: String, Restriction) -> Void
    ) {
        self.peer = peer
        self.session = session
        self.arrivals = arrivals
        self.inbox = inbox
        self.types = types
        self.options = options
        self.deciding = deciding
        self.onStored = onStored
    }

    deinit {
        for (identity, arrival) in arriving.withLock(\.values) { arrivals.end(identity, arrival) }
    }

    /// Decides by the offer alone: until a person or the policy has accepted it, nothing depends on the disk but the partials of this
    /// very peer, and the disk is not touched for anybody else.
    func decide(on offer: Offer) async -> [ItemDecision] {
        self.offer.withLock { $0 = offer }
        let (choices, refusals) = await negotiate(offer)
        let representations = zip(offer.items, choices).compactMap { item, choice in
            choice.map { item.representations[$0] }
        }
        await arrivals.makeRoom(for: representations.compactMap { ItemIdentity(of: $0, from: peer) }, on: session)
        let decisions = await deciding.decide(
            on: offer, from: peer, choices: choices, refusals: refusals,
            isAccepted: await isGoneOnWith(offer, choices))
        return await checked(decisions, of: offer)
    }

    /// The representation of each item that would be taken, and what is said of items that are too large. Ends early when the sender has
    /// left.
    private func negotiate(_ offer: Offer) async -> ([Int?], refusals: [Int: Decline]) {
        var accepted = AcceptedTypes(types)
        var choices: [Int?] = []
        var refusals: [Int: Decline] = [:]
        for (number, item) in offer.items.enumerated() {
            await Task.yield()
            if Task.isCancelled {
                choices.append(nil)
                continue
            }
            // A restriction that the file system cannot keep is declined after consent: before, it would tell of the disk.
            let choice =
                Negotiation.choose(item, accepting: &accepted) {
                    isThoughtStorable($0) && !$0.isLarger(than: sizeLimit)
                }
                ?? Negotiation.choose(item, accepting: &accepted) { !$0.isLarger(than: sizeLimit) }
            choices.append(choice)
            if choice == nil { refusals[number] = item.refusal(above: sizeLimit, accepting: &accepted) }
        }
        return (choices, refusals)
    }

    /// Whether the inbox can keep who may see a representation, by the last look at its file system.
    private func isThoughtStorable(_ representation: OfferedRepresentation) -> Bool {
        inbox.isThoughtToKeepRestrictions || representation.restriction == .everyone
    }

    /// Whether all that would be taken was accepted when its transfer began, broke off, and is no larger than it was then, nor is what may
    /// come in its place.
    private func isGoneOnWith(_ offer: Offer, _ choices: [Int?]) async -> Bool {
        var queries: [ItemQuery] = []
        var sizes: [UInt64?] = []
        for (item, choice) in zip(offer.items, choices) {
            guard let choice else { continue }
            guard let query = query(item.representations[choice], of: item), inbox.mayHoldPartial(of: query.identity)
            else { return false }
            queries.append(query)
            sizes.append(item.mostBytes(from: choice))
        }
        // One partial cannot be the beginning of two items.
        guard !queries.isEmpty, Set(queries.map(\.identity)).count == queries.count else { return false }
        let traces = try? await withBlockingThread { [queries] in try await inbox.find(queries, listing: false) }
        guard let traces else { return false }
        return zip(traces, sizes).allSatisfy { trace, size in
            guard case .partial(_, let accepted) = trace.known else { return false }
            return accepted.map { size ?? .max <= $0 } ?? true
        }
    }

    /// Looks up what was accepted, on a thread that this session does not wait on, and declines it where it cannot be kept or there is
    /// no room.
    private func checked(_ decisions: [ItemDecision], of offer: Offer) async -> [ItemDecision] {
        guard !places(decisions).isEmpty else { return decisions }
        return await withBlockingThread {
            let decisions = declineUnkept(decisions, of: offer)
            let taken = places(decisions)
            let queries = taken.compactMap { place in query(place, of: offer).map { (place, $0) } }
            // Where the folder is gone, each item fails with the reason when it begins.
            let found = (try? await inbox.find(queries.map(\.1), listing: true)) ?? []
            traces.withLock { traces in
                traces = [:]
                for (place, found) in zip(queries.map(\.0), found) { traces[place] = found }
            }
            guard let missing = shortage(for: taken, of: offer) else { return decisions }
            deciding.events(.declined(peer, reason: missing))
            return decisions.map { if case .take = $0 { .decline(Decline(.noSpace)) } else { $0 } }
        }
    }

    private func places(_ decisions: [ItemDecision]) -> [Place] {
        decisions.enumerated().compactMap { item, decision in
            if case .take(let representation) = decision {
                Place(item: item, representation: representation)
            } else {
                nil
            }
        }
    }

    /// Declines what the inbox cannot keep from those who may not see it.
    private func declineUnkept(_ decisions: [ItemDecision], of offer: Offer) -> [ItemDecision] {
        // A failure of the disk is each item's own.
        guard (try? inbox.keepsRestrictions()) == false else { return decisions }
        return zip(offer.items, decisions).map { item, decision in
            guard case .take(let representation) = decision,
                case let restriction = item.representations[representation].restriction, restriction != .everyone
            else { return decision }
            deciding.events(.failed(peer, title: item.title, reason: inbox.notKept(restriction).description))
            return .decline(Decline(.visibility))
        }
    }

    private func query(_ place: Place, of offer: Offer) -> ItemQuery? {
        let item = offer.items[place.item]
        return query(item.representations[place.representation], of: item)
    }

    /// nil for an item of which nothing is ever kept, or that may not be called so.
    private func query(_ representation: OfferedRepresentation, of item: OfferedItem) -> ItemQuery? {
        guard let identity = ItemIdentity(of: representation, from: peer),
            let name = try? FileName(for: representation, of: item, calling: [])
        else { return nil }
        return ItemQuery(identity, called: name, isFolder: representation.isFolder)
    }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        let place = Place(item: item, representation: representation)
        return LaneTerms(asks: found(place, offered) != .nothing)
    }

    /// State of what is taken, as it was looked up when it was accepted; a second choice is looked up when it is made.
    private func found(_ place: Place, _ offered: OfferedItem) -> Known {
        if let found = traces.withLock({ $0[place] }) { return found.known }
        guard let query = query(offered.representations[place.representation], of: offered),
            let found = try? inbox.find(query.identity, called: query.name, isFolder: query.isFolder)
        else { return .nothing }
        traces.withLock { $0[place] = found }
        return found.known
    }

    /// Why there is no room for what was accepted, if there is none. What the sender says of sizes is only good for saying no.
    private func shortage(for taken: [Place], of offer: Offer) -> String? {
        let announced = taken.reduce(UInt64(0)) { sum, place in
            let (total, overflow) = sum.addingReportingOverflow(missing(of: place, of: offer))
            return overflow ? .max : total
        }
        let reserve = reserve
        guard let free = try? inbox.availableSpace(needing: announced, besides: reserve) else { return nil }
        guard announced > free - min(free, reserve) else { return nil }
        let kept = reserve > 0 ? ", of which \(reserve) are to stay free" : ""
        return
            "There is no room for it: \(announced) bytes were offered, \(free) are free in “\(DisplayText(inbox.path))”\(kept)."
    }

    /// Bytes that are still to come, as far as that is known.
    private func missing(of place: Place, of offer: Offer) -> UInt64 {
        guard let size = offer.items[place.item].representations[place.representation].size else { return 0 }
        guard case .partial(let bytes, _)? = traces.withLock({ $0[place]?.known }) else { return size }
        return size - min(size, bytes)
    }

    /// Bytes that stay free on the inbox's file system.
    private var reserve: UInt64 { options.reserve ?? (try? inbox.usualReserve()) ?? 0 }

    var sizeLimit: UInt64? { options.maximumSize }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        var accepted = AcceptedTypes(types)
        return Negotiation.choose(offered, accepting: &accepted, excluding: tried) {
            isThoughtStorable($0) && !$0.isLarger(than: sizeLimit)
        }
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        let required = try begin.required
        let name = try FileName(for: representation, of: offered, calling: begin.name)
        let identity = ItemIdentity(of: representation, from: peer)
        if let identity {
            let arrival = arrivals.begin(identity, on: session)
            arriving.withLock { $0[item] = (identity, arrival) }
        }
        let about = identity.map { identity in
            PartialAbout(
                identity: identity, peerName: peer.name, peerFingerprint: peer.fingerprint.description,
                title: offered.title, name: name, typeIdentifier: representation.type.identifier, size: begin.size,
                acceptedSize: offered.mostBytes(from: Int(begin.representation)), isFolder: representation.isFolder,
                created: .now)
        }
        let place = Place(item: item, representation: Int(begin.representation))
        let partial = try inbox.receive(
            about, called: name, for: representation.restriction,
            keeping: required, reserve: reserve, asking: begin.asks, finding: traces.withLock { $0[place] })
        return try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            [deciding] partial, name, omissions in
            if partial.changedFiles > 0 {
                let what = partial.changedFiles == 1 ? "A file" : "\(partial.changedFiles) files"
                deciding.events(
                    .warning("\(what) of “\(name)” had changed at the sender's since it broke off, and came afresh."))
            }
            let stored = try partial.publish(as: name)
            var lost = omissions
            lost.append(contentsOf: Omissions(stored.report))
            return .stored(
                try PortolanProtocol.StoredItem(
                    name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(clamping: stored.entries),
                    omissions: lost, keptEntries: UInt32(clamping: stored.keptEntries), keptBytes: stored.keptBytes,
                    isUpdated: stored.updated, surplusEntries: UInt32(clamping: stored.surplus)))
        }
    }

    func report(_ event: ReceivingEvent) {
        guard let offer = offer.withLock(\.self) else { return }
        switch event {
        case .began(let item, let representation, let size):
            let bytes = size ?? offer.items[item].representations[representation].size
            deciding.events(.started(peer, title: offer.items[item].title, bytes: bytes))
        case .resumed(let item, let kept):
            deciding.events(.resumed(peer, title: offer.items[item].title, kept: kept))
        case .received(let item, let advance):
            deciding.events(
                .progress(
                    peer, title: offer.items[item].title, done: advance.done, transferred: advance.transferred))
        case .found(let item, let bytes, let isAll):
            deciding.events(.found(peer, title: offer.items[item].title, bytes: bytes, isAll: isAll))
        case .stored(let item, let representation, let stored):
            end(item)
            let name = String(decoding: stored.name, as: UTF8.self)
            let taken = offer.items[item].representations[representation]
            onStored(inbox.path + "/" + name, taken.restriction)
            deciding.events(
                .stored(
                    ReceivedItem(
                        stored, taken, titled: offer.items[item].title, from: peer, name: name,
                        path: inbox.path + "/" + name)))
        case .failed(let item, let sentence):
            end(item)
            deciding.events(.failed(peer, title: offer.items[item].title, reason: sentence))
        }
    }
}

extension InboxReceiver {
    /// The item is on its way in no more.
    private func end(_ item: Int) {
        guard let ended = arriving.withLock({ $0.removeValue(forKey: item) }) else { return }
        arrivals.end(ended.identity, ended.arrival)
    }
}

extension FileName {
    /// What a received item is to be called: as the sender says, or made of its title and type where the sender says nothing.
    ///
    /// - Throws: `FileError` for a name that nobody may give a file here.
    init(
        for representation: OfferedRepresentation, of item: OfferedItem, calling name: [UInt8]
    ) throws(FileError) {
        let proposed = name.isEmpty ? Array((representation.suggestedName ?? "").utf8) : name
        guard proposed.isEmpty else {
            do {
                try self.init(proposed)
            } catch {
                throw FileError(error, name: proposed)
            }
            return
        }
        let fileExtension =
            representation.type.localType?.preferredFilenameExtension ?? representation.type.extensions.first
        let title = item.title.isEmpty ? "item" : item.title
        self = .sanitised(fromLocal: Array((title + (fileExtension.map { "." + $0 } ?? "")).utf8))
    }
}

extension ItemIdentity {
    /// The identity of a peer's source, as this type and for these people; nil if the peer does not name the source.
    init?(of representation: OfferedRepresentation, from peer: RemotePeer) {
        guard !representation.source.isEmpty else { return nil }
        // Exact texts: two groups may be displayed alike.
        let lines = [
            Array("portolan/1 source".utf8), Array(peer.fingerprint.description.utf8),
            Array(representation.type.identifier.utf8), RestrictionText.bytes(of: representation.restriction),
            Array((representation.isFolder ? "folder" : "file").utf8),
        ]
        self.init(bytes: sha256(lines.map { $0 + [UInt8(ascii: "\n")] } + [representation.source]))
    }
}
