import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Takes one peer's items into the inbox, or into the folders that decisions name.
final class InboxReceiver: FormReceiver {
    /// State of a peer's last offer.
    struct State {
        var open: OpenOffer?
        /// Destinations of items that are not for the inbox.
        var destinations: [Int: Destination] = [:]
        /// Types because of which an item was taken, where the decision names some.
        var types: [Int: [UTType]] = [:]
        /// Results of the look-ups of accepted items.
        var traces: [Place: ItemTraces] = [:]
        /// Items that are arriving, by number.
        var arriving: [Int: (identity: ItemIdentity, arrival: Arrivals.Arrival)] = [:]
        /// Numbers of items with a file name from the sender.
        var named: Set<Int> = []
    }

    /// A representation in the offer.
    struct Place: Hashable {
        let item: Int
        let representation: Int
    }

    let peer: RemotePeer
    let folders: InboxFolders
    let types: [UTType]?
    let listed: ListedForms?
    let options: ReceiveOptions
    let deciding: OfferDecider
    private let onDeclined: @Sendable (Decline) -> Void
    let state = Mutex(State())
    private let confirm: @Sendable (ReceivedItem) async throws -> Void
    private let onStored: @Sendable (_ path: String, Restriction, _ isQuarantined: Bool) -> Void
    private let session: Session
    private let arrivals: Arrivals

    /// - Parameters:
    ///   - listed: forms that were listed for the requested item; nil for items that were not requested.
    ///   - onDeclined: called with each decline of an item.
    ///   - confirm: called with each stored item, before the receipt is sent.
    ///   - onStored: called with each stored and confirmed item.
    init(
        peer: RemotePeer, on session: Session, _ arrivals: Arrivals, folders: InboxFolders, accepting types: [UTType]?,
        listed: ListedForms? = nil, options: ReceiveOptions, deciding: OfferDecider,
        onDeclined: @escaping @Sendable (Decline) -> Void = { _ in },
        confirm: @escaping @Sendable (ReceivedItem) async throws -> Void = { _ in },
        onStored: @escaping @Sendable (_ path: String, Restriction, _ isQuarantined: Bool) -> Void
    ) {
        self.peer = peer
        self.session = session
        self.arrivals = arrivals
        self.folders = folders
        self.types = types
        self.listed = listed
        self.options = options
        self.deciding = deciding
        self.onDeclined = onDeclined
        self.confirm = confirm
        self.onStored = onStored
    }

    deinit {
        for (identity, arrival) in state.withLock(\.arriving.values) { arrivals.end(identity, arrival) }
    }

    /// Decides from the offer alone. Before a person or the policy has accepted it, the disk is read only for partials
    /// of this peer, so that the answer reveals nothing else.
    func decide(on offer: Offer) async -> [ItemDecision] {
        let open = OpenOffer(offer, from: peer)
        state.withLock { $0.open = open }
        let (choices, refusals) = await negotiate(offer)
        let representations = zip(offer.items, choices).compactMap { item, choice in
            choice.map { item.representations[$0] }
        }
        await arrivals.makeRoom(for: representations.compactMap { ItemIdentity(of: $0, from: peer) }, on: session)
        let decided = await deciding.decide(
            on: open, choices: choices, refusals: refusals, goingOnIn: await placesToGoOn(offer, choices),
            placing: .inFolders, canTake: canTake)
        // A decline would settle the sender's parcel. The session sends nothing after its end.
        if decided.isUnable { session.close(Message.Close(.busy)) }
        state.withLock { ($0.destinations, $0.types) = (decided.destinations, decided.types) }
        let decisions = await checked(decided, of: open)
        for case .decline(let decline) in decisions { onDeclined(decline) }
        return decisions
    }

    var sizeLimit: UInt64? { options.maximumSize }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        let place = Place(item: item, representation: representation)
        return LaneTerms(asks: mayHoldContent(place, offered))
    }

    /// True if the disk may hold content of the item, by the look-up at its acceptance; a second choice is looked up
    /// when it is made.
    private func mayHoldContent(_ place: Place, _ offered: OfferedItem) -> Bool {
        if let found = state.withLock({ $0.traces[place] }) { return found.mayHoldContent }
        guard let query = query(place, of: offered),
            let folder = try? folders.folder(destination(of: place.item)),
            let found = try? folder.find(query, relating: true)
        else { return false }
        state.withLock { $0.traces[place] = found }
        return found.mayHoldContent
    }

    /// Types because of which an item is taken; nil if any would be.
    private func types(of item: Int) -> [UTType]? { state.withLock { $0.types[item] } ?? types }

    private func destination(of item: Int) -> Destination { state.withLock { $0.destinations[item] } ?? .inbox }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        // A form that broke off before may still be open; this one replaces it.
        end(item)
        let required = try begin.required.union(options.requiresPermissions ? .mode : [])
        let folder = try folders.folder(destination(of: item))
        let name = try name(for: representation, of: offered, numbered: item, calling: begin.name)
        let isNamed = !begin.name.isEmpty || representation.suggestedName != nil
        state.withLock { state in
            if isNamed { state.named.insert(item) } else { state.named.remove(item) }
        }
        // A file that was asked for or is taken as a picture or a text becomes no program.
        let isTakenByType = listed != nil || types(of: item) != nil
        let isExecutable = !isTakenByType || representation.isFolder || options.requiresPermissions
        let identity = ItemIdentity(of: representation, from: peer)
        if let identity {
            let arrival = arrivals.begin(identity, on: session)
            state.withLock { $0.arriving[item] = (identity, arrival) }
        }
        let about = identity.map { identity in
            PartialAbout(
                identity: identity, peerName: peer.name, peerFingerprint: peer.fingerprint.description,
                title: offered.title, name: name, typeIdentifier: representation.type.identifier, size: begin.size,
                acceptedSize: offered.mostBytes(from: Int(begin.representation)), isFolder: representation.isFolder,
                created: .now)
        }
        let place = Place(item: item, representation: Int(begin.representation))
        let partial = try folder.receive(
            about, as: ItemIdentity(ofSource: representation, from: peer), called: name,
            for: representation.restriction, keeping: required, permitted: isExecutable ? 0o777 : 0o666,
            reserve: reserve(in: folder), asking: begin.asks,
            from: SenderIdentity(of: representation, from: peer), finding: state.withLock { $0.traces[place] })
        return try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            [deciding] partial, name, omissions in
            if partial.changedFiles > 0 {
                let what = partial.changedFiles == 1 ? "A file" : "\(partial.changedFiles) files"
                deciding.events(
                    .warning("\(what) of “\(name)” had changed at the sender's since it broke off, and came afresh."))
            }
            let stored = try partial.publish(as: name)
            if partial.limitsAccessList {
                deciding.events(
                    .warning(
                        "“\(stored.name)” has the permissions that it has at its sender's. They give others less than the access "
                            + "control list of “\(DisplayText(folder.path))” grants them; change them with chmod or setfacl."
                    ))
            }
            var lost = omissions
            lost.append(contentsOf: Omissions(stored.report))
            return .stored(
                try StoredItem(
                    name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(clamping: stored.entries),
                    omissions: lost, keptEntries: UInt32(clamping: stored.keptEntries), keptBytes: stored.keptBytes,
                    isUpdated: stored.updated, surplusEntries: UInt32(clamping: stored.surplus)))
        }
    }

    /// - Throws: `FileError` for a name that no file may have here.
    func name(
        for representation: OfferedRepresentation, of item: OfferedItem, numbered number: Int,
        calling proposed: [UInt8]
    ) throws(FileError) -> FileName {
        let given = try FileName(for: representation, of: item, calling: proposed).accepted(with: representation)
        let name = listed?.name(for: representation, proposed: given) ?? given
        guard let types = types(of: number), !representation.isFolder else { return name }
        return name.promising(representation.type, among: types)
    }

    func report(_ event: ReceivingEvent) {
        guard let open = state.withLock(\.open) else { return }
        switch event {
        case .began, .resumed, .received, .found: break
        case .stored(let item, let representation, let stored):
            end(item)
            let received = received(stored, of: item, representation, in: open)
            onStored(received.path, received.restriction, received.isQuarantined)
            deciding.events(received.isQuarantined ? .quarantined(received) : .stored(received))
        case .failed(let item, _): end(item)
        }
        deciding.report(event, of: open)
    }

    func confirm(item: Int, representation: Int, _ stored: StoredItem) async throws {
        guard let open = state.withLock(\.open) else { return }
        try await confirm(received(stored, of: item, representation, in: open))
    }

    private func received(
        _ stored: StoredItem, of item: Int, _ representation: Int, in open: OpenOffer
    ) -> ReceivedItem {
        let destination = destination(of: item)
        let name = String(decoding: stored.name, as: UTF8.self)
        // The folder was opened for this item.
        let folder = (try? folders.folder(destination))?.path ?? folders.inbox.path
        return ReceivedItem(
            stored, open.offer.items[item].representations[representation], by: open.transfer(of: item), name: name,
            path: folder + "/" + name, isNamed: state.withLock { $0.named.contains(item) },
            isQuarantined: destination.isQuarantine)
    }

    /// Removes the item from the arriving ones.
    private func end(_ item: Int) {
        guard let ended = state.withLock({ $0.arriving.removeValue(forKey: item) }) else { return }
        arrivals.end(ended.identity, ended.arrival)
    }
}
