import PortolanFiles
import PortolanTransport
import Synchronization

extension Node {
    /// Makes this device visible and receives into a folder until the task is cancelled.
    ///
    /// - Parameters:
    ///   - inbox: folder for received items; created if it is missing.
    ///   - types: types that can be imported; a representation is taken if it is a kind of one of them. nil means
    ///     everything.
    ///   - sources: the only peers that may send anything; nil means all.
    ///   - options: options for receiving.
    ///   - ledger: record of the items that were stored. An item that its sender sends again is not stored again, and
    ///     no decision is asked for.
    ///   - decide: called for each offer with an importable item. Called for several peers at once; cancelled when the
    ///     sender disconnects. It also decides about a peer whose name belongs to another key
    ///     (``RemotePeer/namesakeOf``). Not called for a resumed transfer, which was accepted before and stays in its
    ///     folder.
    ///   - decideAgain: called for a resumed transfer instead; ``Decision/Answer/ask`` lets it go on in its folder. nil
    ///     lets all of them go on.
    ///   - onStored: called with each item after it is durably stored and before the receipt is sent, for example to
    ///     record it. If it or the ledger throws, the item fails, and its sender may send it again. A new item is then
    ///     hidden, and kept as a partial if its sender can resume it. An updated item stays as it is.
    ///   - events: called with each event, from any thread; must return quickly.
    /// - Throws: `NodeError` when the folder or the port cannot be used.
    public func receive(
        into inbox: String, accepting types: [UTType]? = nil, from sources: [Source]? = nil,
        options: ReceiveOptions = ReceiveOptions(), ledger: (any ReceiptLedger)? = nil,
        decide: @escaping @Sendable (IncomingOffer) async -> Decision,
        decideAgain: (@Sendable (IncomingOffer) async -> Decision)? = nil,
        onStored: @escaping @Sendable (ReceivedItem) async throws -> Void = { _ in },
        events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        let folders = try await folders(inbox, options)
        // Ends with this call, which may last for weeks.
        async let _ = Self.removeExpiredPartials(in: folders)
        let recorder = RestrictedContentRecorder(RestrictedContentStore(home: configuration.home))
        async let _ = recorder.run()
        try await receive(
            by: ReceiveRoute(
                sources: sources, rateLimit: options.rateLimit, ledger: ledger, events: events
            ) { session, peer in
                InboxReceiver(
                    peer: peer, on: session, self.arrivals, folders: folders, accepting: types, options: options,
                    deciding: OfferDecider(ask: decide, askAgain: decideAgain, events: events),
                    confirm: onStored,
                    onStored: { path, restriction, isQuarantined in
                        if !isQuarantined { self.environment.remember(session.peer) }
                        recorder.add(path, for: restriction)
                    })
            })
    }

    /// Opens the folders for received items, or returns the last used ones if they are the same.
    ///
    /// - Throws: `NodeError` when the inbox cannot be used.
    func folders(_ inbox: String, _ options: ReceiveOptions) async throws -> InboxFolders {
        do {
            return try await withBlockingThread {
                if let last = lastFolders.withLock(\.self), last.isFor(inbox, options.partialLifetime) { return last }
                let folders = try InboxFolders(
                    inbox: inbox, besides: configuration.home.ownFilesForReceiving,
                    partialLifetime: options.partialLifetime
                ) { [store] path in
                    // The record serves only the list of partials.
                    try? store.inboxes.remember(path)
                }
                lastFolders.withLock { $0 = folders }
                return folders
            }
        } catch {
            throw NodeError(.cannotCreate, "\(error)")
        }
    }

    private static func removeExpiredPartials(in folders: InboxFolders) async {
        while (try? await Task.sleep(for: .seconds(3600))) != nil {
            await withBlockingThread { folders.removeExpiredPartials() }
        }
    }

    /// Makes this device visible and receives by the given route until the task is cancelled.
    func receive(by route: ReceiveRoute) async throws { try await service.receive(by: route) }
}
