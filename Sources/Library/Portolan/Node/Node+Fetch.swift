import PortolanConcurrency
import PortolanDiscovery
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

extension Node {
    /// Most items that are read from a peer's list, whatever number it states.
    static let mostListedItems = 10_000
    private static let mostListings = 1000
    /// Memory that the listed items of one peer may take, in bytes.
    private static let mostListedBytes = 64 << 20

    /// Lists the items that a peer shares with this device, in its order; if several processes of the peer share items,
    /// those of all.
    ///
    /// - Throws: `NodeError` when no session comes about, the peer shares nothing, or its list does not end;
    ///   `CancellationError`.
    public func items(of peer: Peer) async throws -> [SharedItem] {
        let items = try await shelves(of: peer).flatMap(\.items)
        guard items.count <= Self.mostListedItems else { throw Self.endlessList(items.count) }
        return items
    }

    /// The items of each instance of a peer. A process that does not answer is skipped if another one does.
    private func shelves(of peer: Peer) async throws -> [(holder: Peer, items: [SharedItem])] {
        let instances = peer.instances(doing: .serves)
        if instances.count > 1 {
            let lists = await instances.concurrently { instance in
                try? await self.withHolder(instance, met: nil, isFinal: true) { try await self.items($0) }
            }
            try Task.checkCancellation()
            let shelves = zip(instances, lists).compactMap { instance, items in items.map { (instance, $0) } }
            if !shelves.isEmpty { return shelves }
        }
        return [(peer, try await withHolder(peer, met: nil, isFinal: true) { try await self.items($0) })]
    }

    /// Fetches an item that a peer shares into a folder, in the first of its forms that this device accepts.
    ///
    /// The item has to conform to the listed type: one of another type is refused, a name that was not listed gets the
    /// listed type's extension, and a single file is executable only with ``ReceiveOptions/requiresPermissions``.
    ///
    /// When the connection breaks, the fetch is retried, only with the key that was met first. The partial is kept in
    /// the folder, hidden, and resumed.
    ///
    /// - Parameters:
    ///   - choose: returns the wanted item among those that the peer lists.
    ///   - inbox: folder for the item; created if it is missing.
    ///   - types: types that are taken; nil means everything.
    ///   - retry: time for retries after the connection broke.
    ///   - events: called with each event, from any thread; must return quickly.
    ///   - onStored: as for ``receive(into:accepting:from:options:ledger:decide:decideAgain:onStored:events:)``.
    /// - Throws: `NodeError` when no session comes about, or the item was not received; what `choose` throws;
    ///   `CancellationError`.
    public func fetch(
        from peer: Peer, into inbox: String, accepting types: [UTType]? = nil,
        options: ReceiveOptions = ReceiveOptions(), retry: Duration = .seconds(600),
        events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in },
        onStored: @escaping @Sendable (ReceivedItem) async throws -> Void = { _ in },
        choose: @escaping @Sendable ([SharedItem]) throws -> SharedItem
    ) async throws -> ReceivedItem {
        let folders = try await folders(inbox, options)
        let recorder = RestrictedContentRecorder(RestrictedContentStore(home: configuration.home))
        async let _ = recorder.run()
        let met = Mutex<RemoteIdentity?>(nil)
        let chosen = Mutex<ItemID?>(nil)
        let listed = Mutex<SharedItem?>(nil)
        var schedule = RetrySchedule(patience: retry)
        var peer = peer
        if peer.instances(doing: .serves).count > 1 {
            // The item is chosen among those of all instances, and fetched from the one that has it.
            let shelves = try await shelves(of: peer)
            let item = try choose(shelves.flatMap(\.items))
            chosen.withLock { $0 = item.id }
            listed.withLock { $0 = item }
            peer = shelves.first { $0.items.contains { $0.id == item.id } }?.holder ?? peer
        }
        while true {
            let outcome = FetchOutcome()
            do {
                try await withHolder(peer, met: met.withLock(\.self), pacing: options.rateLimit) {
                    outcome.hasBegun
                } _: { driver in
                    let session = driver.session
                    met.withLock { $0 = session.peer }
                    let id: ItemID
                    if let wanted = chosen.withLock(\.self) {
                        id = wanted
                    } else {
                        let items = try await self.items(driver)
                        // A failure to choose an item is no error of the session.
                        do {
                            let item = try choose(items)
                            id = item.id
                            listed.withLock { $0 = item }
                        } catch {
                            return outcome.refuse(error)
                        }
                    }
                    let (most, forms) = listed.withLock { ($0?.mostBytes, $0.map(ListedForms.init)) }
                    chosen.withLock { $0 = id }
                    let remote = try await withLookupThread { try self.environment.remotePeer(of: session) }
                    let receiver = InboxReceiver(
                        peer: remote, on: session, self.arrivals, folders: folders, accepting: types, listed: forms,
                        options: options,
                        deciding: OfferDecider(
                            ask: { Self.decide(on: $0, listed: most) }, events: outcome.watching(events)),
                        onDeclined: { outcome.decline($0) },
                        confirm: onStored,
                        onStored: { path, restriction, _ in
                            self.environment.remember(session.peer)
                            recorder.add(path, for: restriction)
                        })
                    try await driver.fetch(id, Reception(receiver), stallWait: self.configuration.stallWait)
                }
            } catch {
                try Task.checkCancellation()
                guard error.isInterruption || error.isRefusalForNow, met.withLock(\.self) != nil else {
                    throw NodeError.ofSession(error)
                }
                if outcome.hasProgressed { schedule.hasProgressed() }
                guard let wait = schedule.nextWait(now: runtime.now, chance: .random(in: 0...1)) else {
                    throw NodeError.ofSession(error)
                }
                events(.warning("\(error) It is tried again in a moment."))
                try await runtime.sleep(for: wait)
                continue
            }
            return try outcome.result()
        }
    }

    /// Accepts the requested item, unless it is larger than listed. The peer was judged when the session was opened.
    private static func decide(on offer: IncomingOffer, listed most: UInt64?) -> Decision {
        guard let most, let item = offer.items.first, item.mostBytes ?? .max > most else { return .acceptNamesake }
        return .decline(
            detail: "It is larger than it was listed.",
            because: "It has become larger since it was listed, and nothing was fetched; fetch it again.")
    }

    /// Runs `body` in a session with a peer that is asked for something.
    private func withHolder<Result: Sendable>(
        _ peer: Peer, met: RemoteIdentity?, pacing: UInt64? = nil, isFinal: Bool = false,
        isAnswered: @escaping @Sendable () -> Bool = { false },
        _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let meant = MeantPeer(peer: peer, met: met, known: store.peers, purpose: .fetching)
        let use = SessionUse(peer: peer, wanted: .serves) { remote in
            _ = try await withLookupThread { try meant.judge(remote) }
        } isAnswered: {
            isAnswered()
        } body: {
            try await body($0)
        }
        do {
            return try await sessions.with(use, pacing: pacing)
        } catch {
            // A caller that retries needs the original error.
            throw (error.isInterruption || error.isRefusalForNow) && !isFinal ? error : NodeError.ofSession(error)
        }
    }

    private func items(_ driver: SessionDriver) async throws -> [SharedItem] {
        var items: [SharedItem] = []
        var known: Set<ItemID> = []
        var after: [UInt8] = []
        var bytes = 0
        for _ in 0..<Self.mostListings {
            let listing: Message.Listing
            do {
                listing = try await driver.list(after: after, stallWait: configuration.stallWait)
            } catch TransportError.refused(.gone) where !after.isEmpty {
                // The item that was listed last was withdrawn.
                after = []
                continue
            }
            for entry in listing.items where known.insert(entry.id).inserted {
                items.append(SharedItem(entry))
                bytes += entry.item.footprint
            }
            guard items.count <= Self.mostListedItems, bytes <= Self.mostListedBytes else { break }
            if listing.next.isEmpty { return items }
            after = listing.next
        }
        throw Self.endlessList(items.count)
    }

    private static func endlessList(_ count: Int) -> NodeError {
        NodeError(.badInput, "The other side's list does not end; \(count) items were read.")
    }
}

/// Outcome of the fetch of an item.
private final class FetchOutcome: Sendable {
    private struct State {
        var stored: ReceivedItem?
        var failure: (any Error)?
        /// Reason why this device declined the item.
        var reason: String?
        var hasProgressed = false
        var hasBegun = false
    }

    private let state = Mutex(State())

    var hasProgressed: Bool { state.withLock(\.hasProgressed) }

    /// True if the item has been offered.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// Ends the fetch: this device has declined the item.
    func decline(_ decline: Decline) {
        let kind: NodeError.Kind =
            switch decline.reason {
            case .nothingInCommon: .nothingInCommon
            case .noSpace, .visibility, .tooLarge: .cannotCreate
            case .notInTime, .notWanted, .unspecified: .declined
            }
        state.withLock { state in
            state.failure = NodeError(kind, state.reason ?? decline.detail)
        }
    }

    func watching(_ events: @escaping @Sendable (ReceiveEvent) -> Void) -> @Sendable (ReceiveEvent) -> Void {
        { [self] event in
            state.withLock { state in
                switch event {
                case .stored(let item): state.stored = item
                case .failed(_, let reason): state.failure = NodeError(.inputOutput, reason)
                case .declined(_, let reason), .declinedItem(_, let reason): state.reason = reason
                case .offered: state.hasBegun = true
                case .progress: state.hasProgressed = true
                default: break
                }
            }
            events(event)
        }
    }

    /// Ends the fetch with an error before an item is requested.
    func refuse(_ error: any Error) { state.withLock { $0.failure = error } }

    func result() throws -> ReceivedItem {
        let (stored, failure) = state.withLock { ($0.stored, $0.failure) }
        if let stored { return stored }
        throw failure ?? NodeError(.inputOutput, "The other side did not send it.")
    }
}
