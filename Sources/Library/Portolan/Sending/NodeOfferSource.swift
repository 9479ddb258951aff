import PortolanConverters
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Items of one sending as the peer sees them, and their content. Settled items are not offered again.
final class NodeOfferSource: OfferSource {
    /// Options of the sending.
    let options: SendOptions
    private let items: [ResolvedItem]
    /// Common to the transfers of the items; the peer's identifier of the parcel.
    private let batch: RandomID
    private let maker: FormMaker?
    /// True if no offer is made, and only the peer's standing is found out.
    private let isRehearsal: Bool
    private let store: PeerStore
    private let runtime: Runtime
    private let key: DeviceKey
    private let own: OwnFiles
    private let events: @Sendable (SendEvent) -> Void
    private let state = Mutex(State())

    /// An item with the representations that were candidates for the present session's offer.
    private struct Offered {
        let item: Int
        let representations: [ResolvedRepresentation]
    }

    private struct State {
        /// Key of the receiver, once it is proved.
        var key: DevicePublicKey?
        /// Visible part of the offer in the present session.
        var visible: VisibleOffer?
        /// Items of the offer; an offered item's number is its index here.
        var offered: [Offered] = []
        /// Items that the last offer is about, those that the peer may not see included: as many as one offer has.
        var concerned: Set<Int> = []
        /// Standing of the peer at the last offer, or when nothing was offered.
        var standing: Standing?
        /// Outcomes of settled items, by item.
        var settled: [Int: Delivery.Outcome] = [:]
        /// Errors of this side, by item.
        var troubles: [Int: String] = [:]
        /// Items of which a converter failed to make the form that was taken.
        var unconverted: Set<Int> = []
        /// Entries that the receiver may not see, by item.
        var withheld: [Int: WithheldEntries] = [:]
        /// Items that were stopped because the receiver is no member of their team any more.
        var stopped: Set<Int> = []
        /// Items whose content was partly read and cannot be read again.
        var spent: Set<Int> = []
        /// True if the present session has made progress.
        var hasProgressed = false

        /// Items with an offered representation in the present session.
        var offeredItems: [Int] {
            visible?.sources.compactMap { sources in sources.first.map { offered[$0.item].item } } ?? []
        }
    }

    /// - Parameters:
    ///   - batch: common to the transfers of the items.
    ///   - maker: makes derived forms of the visible representations; nil makes none.
    ///   - own: files that are sent to nobody.
    ///   - isRehearsal: true to determine the peer's standing (``standing``) without an offer.
    /// - Throws: `InvalidValue` for a representation that cannot be described to any peer, `NodeError` for an item
    ///   without any.
    init(
        _ items: [ResolvedItem], batch: RandomID = .random(), with maker: FormMaker?, store: PeerStore,
        on runtime: Runtime, key: DeviceKey, without own: OwnFiles, options: SendOptions, isRehearsal: Bool = false,
        events: @escaping @Sendable (SendEvent) -> Void
    ) throws {
        self.items = items
        self.batch = batch
        self.maker = maker
        self.isRehearsal = isRehearsal
        self.store = store
        self.runtime = runtime
        self.key = key
        self.own = own
        self.options = options
        self.events = events
        for item in items {
            guard !item.representations.isEmpty else {
                throw NodeError(
                    .badInput, "“\(DisplayText(item.title, limit: 100))” has no representation that could be sent.")
            }
            _ = try CandidateItem(item, item.representations)
        }
    }

    /// Standing of the peer at the last offer, or when nothing was offered; nil before that.
    var standing: Standing? { state.withLock(\.standing) }

    // MARK: Sessions

    /// Resets the state of one session before the next is opened.
    func beginAttempt() {
        state.withLock { state in
            state.visible = nil
            state.hasProgressed = false
        }
    }

    /// True if the device with an announced fingerprint would see anything. May block.
    func isVisible(toPresumed fingerprint: Fingerprint) throws -> Bool {
        isAnythingVisible(to: try store.presumedStanding(of: fingerprint, now: runtime.date))
    }

    /// Standing of the device with this key if it sees anything; nil if not. May block.
    func standing(seeingWith key: DevicePublicKey) throws -> Standing? {
        let standing = try store.standing(of: key, now: runtime.date)
        return isAnythingVisible(to: standing) ? standing : nil
    }

    private func isAnythingVisible(to standing: Standing) -> Bool {
        state.withLock { $0.standing = standing }
        return pending.contains { item in
            items[item].representations.contains { standing.maySee($0.restriction) }
        }
    }

    private var pending: [Int] {
        state.withLock { state in items.indices.filter { state.settled[$0] == nil } }
    }

    /// True if the outcome of every item is known.
    var isSettled: Bool { pending.isEmpty }

    /// Stores the proved key of the peer; all later decisions use it.
    func meet(_ key: DevicePublicKey) {
        state.withLock { $0.key = key }
    }

    private func currentStanding() throws -> Standing {
        guard let key = state.withLock(\.key) else { preconditionFailure("Nobody was met") }
        return try store.standing(of: key, now: runtime.date)
    }

    /// True if the present session has made progress.
    var hasProgressed: Bool { state.withLock(\.hasProgressed) }

    var hasStored: Bool {
        state.withLock { $0.settled.values.contains { if case .stored = $0 { true } else { false } } }
    }

    /// After a break of the session, settles the items that cannot be sent again.
    ///
    /// - Returns: true if unsettled items remain.
    func canGoOn(after reason: String) -> Bool {
        let (lost, isLeft) = state.withLock { state in
            let concerned = state.visible == nil ? Array(items.indices) : state.offeredItems
            let open = concerned.filter { state.settled[$0] == nil }
            let lost = open.filter { state.spent.contains($0) }
            let isFollowed = items.indices.contains { state.settled[$0] == nil && !state.concerned.contains($0) }
            return (lost, lost.count < open.count || !state.concerned.isEmpty && isFollowed)
        }
        for number in lost { settle(number, .brokenOff(reason)) }
        return isLeft
    }

    /// After an offer is over, settles the items of it that the peer may not see.
    ///
    /// - Returns: true if another offer is to follow, since one offer has at most `Limits.items`.
    func goesOn() -> Bool {
        let concerned = state.withLock { state in
            defer { state.concerned = [] }
            return state.concerned
        }
        guard !concerned.isEmpty else { return false }
        for number in pending where concerned.contains(number) { settle(number, .hidden) }
        return !isSettled
    }

    /// Returns the outcome of each item after the last session.
    func conclude() -> [Delivery] {
        for number in pending { settle(number, .hidden) }
        let settled = state.withLock(\.settled)
        return items.indices.map { delivery(of: $0, settled[$0] ?? .hidden) }
    }

    private func settle(_ number: Int, _ outcome: Delivery.Outcome) {
        state.withLock { $0.settled[number] = outcome }
        events(.settled(delivery(of: number, outcome)))
    }

    private func delivery(of number: Int, _ outcome: Delivery.Outcome) -> Delivery {
        let (withheld, isUnconverted) = state.withLock { ($0.withheld[number], $0.unconverted.contains(number)) }
        return Delivery(
            transfer: transferID(of: number), title: items[number].title, outcome: outcome,
            withheld: withheld ?? WithheldEntries(), isUnconverted: isUnconverted)
    }

    // MARK: Offering

    var deviceKey: DevicePublicKey? { key.publicKey }

    /// True if every peer sees everything. Entries of a folder may be restricted, and are checked when the folder is
    /// sent.
    var isForEveryone: Bool {
        !isRehearsal
            && items.lazy.flatMap(\.representations).allSatisfy {
                $0.restriction == .everyone && !$0.representation.isFolder
            }
    }

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        let standing = try currentStanding()
        let concerned = pending.prefix(Limits.items)
        let offered = concerned.map { Offered(item: $0, representations: items[$0].shown(to: standing, with: maker)) }
        // A repeated request is for another copy, so it has no parcel: a receiver stores each parcel once.
        let parcel = request == nil ? batch.bits : nil
        let visible = try Offer.visible(
            to: standing,
            from: offered.map { offered in
                let item = items[offered.item]
                return try CandidateItem(
                    item, offered.representations, parcelItem: parcel.map { parcelItem(item, of: $0) }
                ) { sourceName(of: $0, in: item) }
            },
            id: id, request: request, parcel: parcel)
        state.withLock { state in
            state.standing = standing
            state.visible = isRehearsal ? nil : visible
            state.offered = offered
            state.concerned = Set(concerned)
        }
        return isRehearsal ? nil : visible?.offer
    }

    /// Name by which the peer recognises the source of a representation; empty for content without one.
    private func sourceName(of resolved: ResolvedRepresentation, in item: ResolvedItem) -> [UInt8] {
        guard let peer = state.withLock(\.key) else { preconditionFailure("Nobody was met") }
        if let path = resolved.origin.sourcePath {
            guard let path = try? SourcePath.resolved(path) else { return [] }
            // No path and no command has a NUL in it.
            let command = (resolved.converter?.command ?? []).reduce(into: []) { $0 += [0] + Array($1.utf8) }
            return key.sourceName(ofPath: path + command, for: peer)
        }
        // The source name keeps data from being stored twice if the receipt is lost with the session.
        guard case .bytes = resolved.origin.content else { return [] }
        return key.sourceName(ofSentData: Array("\(batch) \(item.number) \(resolved.index)".utf8), for: peer)
    }

    /// Identifier by which the peer recognises an item of the parcel.
    private func parcelItem(_ item: ResolvedItem, of parcel: UInt128) -> UInt64 {
        guard let peer = state.withLock(\.key) else { preconditionFailure("Nobody was met") }
        return key.parcelItem(item.number, of: parcel, for: peer)
    }

    func seen(among places: Set<OfferedPlace>) throws -> Set<OfferedPlace> {
        let standing = try currentStanding()
        return places.filter { place in
            let resolved = source(item: place.item, representation: place.representation).resolved
            guard standing.maySee(resolved.restriction) else { return false }
            // A file may have been marked since the offer. A removed file fails when it is read.
            guard let path = resolved.representation.sourcePath, let kept = try? StoredVisibility.read(path) else {
                return true
            }
            return standing.maySee(resolved.restriction.and(kept))
        }
    }

    func maySee(_ restriction: Restriction) throws -> Bool { try currentStanding().maySee(restriction) }

    func withdrawal(of place: OfferedPlace) -> String {
        let (item, _, resolved) = source(item: place.item, representation: place.representation)
        let before = state.withLock(\.standing)
        guard let team = resolved.restriction.audience?.team, let membership = before?.membership(in: team),
            let now = try? currentStanding(), now.membership(in: team) == nil
        else { return TransportError.withdrawn.description }
        state.withLock { _ = $0.stopped.insert(item) }
        return "The receiver is no member of “\(membership.teamName)” any more, for which it is. Nothing more was sent."
    }

    /// Representation with these numbers in the offer, with its item and its index in the item.
    private func source(
        item: Int, representation: Int
    ) -> (item: Int, representation: Int, resolved: ResolvedRepresentation) {
        state.withLock { state in
            guard let visible = state.visible else { preconditionFailure("Nothing was offered") }
            let source = visible.source(item: item, representation: representation)
            let offered = state.offered[source.item]
            let resolved = offered.representations[source.representation]
            return (offered.item, resolved.index, resolved)
        }
    }

    private func transferID(of item: Int) -> TransferID { TransferID(batch: batch, item: items[item].number) }

    /// Transfer of the item with this number in the offer.
    private func transferID(ofOffered item: Int) -> TransferID {
        transferID(of: source(item: item, representation: 0).item)
    }

    func contentAtHand(at place: OfferedPlace) -> OfferedContent? {
        let representation = source(item: place.item, representation: place.representation).resolved.representation
        if let data = representation.heldData { return .bytes(data) }
        // A shared file is opened by its handle, never by its path.
        return representation.storedContent(without: own)
    }

    func produce(_ place: OfferedPlace) async throws -> OfferedContent {
        let source = source(item: place.item, representation: place.representation)
        switch source.resolved.representation.content {
        case .bytes(let produce): return .bytes(try await produce())
        case .file(let produce):
            do {
                return .file(
                    path: try await produce().file.path, on: .local(without: own),
                    sample: source.resolved.representation.sample)
            } catch let error as ConverterError where !error.isAboutSource {
                state.withLock { _ = $0.unconverted.insert(source.item) }
                throw error
            }
        case .stream(let descriptor):
            state.withLock { _ = $0.spent.insert(source.item) }
            return .stream(descriptor)
        }
    }

    func report(_ event: OfferingEvent) {
        switch event {
        case .waiting:
            events(.waitingForAnswer)
        case .began(let item, let representation, let name, let size):
            let source = source(item: item, representation: representation)
            events(
                .started(
                    transferID(of: source.item), representation: source.representation, name: name, bytes: size))
        case .resumed(let item, let kept):
            events(.resumed(transferID(ofOffered: item), kept: kept))
        case .sent(let item, let advance):
            if advance.done > 0 { state.withLock { $0.hasProgressed = true } }
            events(
                .progress(transferID(ofOffered: item), done: advance.done, transferred: advance.transferred))
        case .found(let item, let bytes, let isAll):
            events(.found(transferID(ofOffered: item), bytes: bytes, isAll: isAll))
        case .withheld(let item, let report):
            // Without them the teams are called by their identifiers.
            let names = (try? store.teams.names()) ?? [:]
            let number = source(item: item, representation: 0).item
            state.withLock { $0.withheld[number] = WithheldEntries(report, teams: names) }
        case .broke(let item, let representation, let sentence):
            let source = source(item: item, representation: representation)
            state.withLock { $0.troubles[source.item] = sentence }
            events(
                .broke(transferID(of: source.item), representation: source.representation, reason: sentence))
        case .settled(let item, let outcome):
            state.withLock { $0.hasProgressed = true }
            settle(source(item: item, representation: 0).item, deliveryOutcome(outcome, of: item))
        }
    }

    private func deliveryOutcome(_ outcome: ItemOutcome, of offered: Int) -> Delivery.Outcome {
        let number = source(item: offered, representation: 0).item
        let (trouble, isStopped) = state.withLock { ($0.troubles[number], $0.stopped.contains(number)) }
        switch outcome {
        case .stored(let stored, let representation):
            return .stored(
                stored, representation: source(item: offered, representation: representation).representation)
        case .declined where isStopped, .failed where isStopped: return .hidden
        case .declined(let decline, _): return .declined(decline, trouble: trouble)
        case .failed(let failure, _): return .failed(failure, trouble: trouble)
        }
    }
}

extension CandidateItem {
    /// - Parameters:
    ///   - representations: of the item, and forms derived from them.
    ///   - parcelItem: identifier of the item in the parcel that it is part of.
    ///   - name: the name of a representation's source for the peer, 16 bytes or none.
    /// - Throws: `InvalidValue` for a representation that cannot be described to any peer.
    init(
        _ item: ResolvedItem, _ representations: [ResolvedRepresentation], parcelItem: UInt64? = nil,
        namingSources name: (ResolvedRepresentation) -> [UInt8] = { _ in [] }
    ) throws {
        self.init(
            title: item.givenTitle, fallbackTitle: item.fallbackTitle,
            representations: try representations.map { resolved in
                let representation = resolved.representation
                let channel: Channel = if case .bytes = representation.content { .data } else { .file }
                let size = representation.size
                return try OfferedRepresentation(
                    type: OfferedType(representation.contentType), restriction: resolved.restriction, channel: channel,
                    size: size, apparentSize: size.map { max($0, representation.apparentSize ?? 0) },
                    suggestedName: representation.suggestedName, isFolder: representation.isFolder,
                    source: name(resolved))
            },
            preview: item.preview, parcelItem: parcelItem)
    }
}
