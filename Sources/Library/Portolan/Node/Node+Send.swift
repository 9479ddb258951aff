import PortolanProtocol
import PortolanTransport

extension Node {
    /// Sends a value to a peer, in the first of its representations that the peer can import.
    ///
    /// - Throws: `NodeError` when no session comes about or it breaks.
    public func send<Value: Transferable>(_ value: Value, to peer: Peer) async throws -> Delivery {
        try await send([Item(value)], to: peer)[0]
    }

    /// Sends items to a peer.
    ///
    /// Representations that the peer may not see are not offered, and none is produced before the peer has taken it.
    /// They are followed by the forms that converters of this machine can make of them, each with the restriction of
    /// its source. When the connection breaks, the missing items are sent again, as ``SendOptions/retry`` says, and
    /// only to the same key.
    ///
    /// - Parameters:
    ///   - batch: common to the transfers of these items (``TransferID/batch``), and the identifier of their parcel: a
    ///     repeated batch has the same items, and a receiver with a ``ReceiptLedger`` does not store them twice.
    ///   - events: called in order, from any thread; must return quickly. Representations are numbered as in the item,
    ///     followed by derived forms.
    /// - Returns: outcome of each item.
    /// - Throws: `NodeError` when no session comes about or it breaks for good, `CancellationError`.
    public func send(
        _ items: [Item], to peer: Peer, options: SendOptions = SendOptions(), batch: RandomID = .random(),
        events: @escaping @Sendable (SendEvent) -> Void = { _ in }
    ) async throws -> [Delivery] {
        try await send(items, numbered: Array(items.indices), of: batch, to: peer, options: options, events: events)
    }

    /// - Parameter numbers: numbers of the items in events and deliveries.
    func send(
        _ items: [Item], numbered numbers: [Int], of batch: RandomID, to peer: Peer, options: SendOptions,
        events: @escaping @Sendable (SendEvent) -> Void
    ) async throws -> [Delivery] {
        do {
            return try await withBlockingThread {
                try environment.confirmNotOwn(items)
                let offering = try NodeOfferSource(
                    environment.resolved(items, numbered: numbers), batch: batch, with: environment.formMaker(),
                    store: store,
                    on: runtime, key: identity.key, without: environment.own, options: options, events: events)
                var sending = RetryingSender(
                    offering, to: peer, in: environment, over: sessions, options: options, events: events)
                return try await sending.run()
            }
        } catch {
            throw NodeError.ofSession(error)
        }
    }
}
