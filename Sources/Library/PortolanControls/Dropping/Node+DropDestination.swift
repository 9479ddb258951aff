extension Node {
    /// Makes this device a drop destination, until the task is cancelled.
    ///
    /// As on a view, the items of one offer that can be imported come together: `action` is called once for all of
    /// them, in the order of the offer, when the last has arrived and been imported. Its result goes to the sender:
    /// true means that they are accepted, false that they are refused. Items without an importable representation are
    /// declined, and those that could not be sent or imported are missing; without any item, `action` is not called.
    ///
    /// To take several kinds, let `Payload` be an enumeration with an importing `ProxyRepresentation` for each.
    ///
    /// - Parameters:
    ///   - action: called for one offer of a peer at a time, but perhaps for several peers at once. The values are
    ///     stored nowhere else.
    ///   - isTargeted: called with true when an offer with an importable item comes, and with false after its end.
    ///   - decide: called before anything is sent, for each offer with an importable item; accepts everything by
    ///     default.
    ///   - events: called with each other event.
    /// - Throws: `NodeError` when this node cannot listen, `CancellationError`.
    public func dropDestination<Payload: Transferable>(
        for payloadType: Payload.Type = Payload.self,
        action: @escaping @Sendable (_ items: [Payload], _ session: DropSession) async -> Bool,
        isTargeted: @escaping @Sendable (Bool) -> Void = { _ in },
        decide: @escaping @Sendable (IncomingOffer) async -> Decision = { _ in .accept },
        events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) async throws {
        try await receiveValues(decide: decide, events: events) { reception, remember in
            DropReceiver<Payload>(reception, action: action, isTargeted: isTargeted, onTaken: remember)
        }
    }
}
