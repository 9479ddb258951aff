import CoreTransferable
import Portolan

extension Node {
    /// Makes this device a place to drop values on, until the task is cancelled.
    ///
    /// As on a view, the items of one offer that can be imported come together: `action` is called once for all of
    /// them, in the order of the offer, when the last has arrived and been imported. The sender is told its result:
    /// true says that they are taken for good, false that they are refused. Items of which nothing can be imported are
    /// declined, and those that could not be sent or imported are missing; if none is left, `action` is not called.
    ///
    /// To take several kinds, let `Payload` be an enumeration with an importing `ProxyRepresentation` for each.
    ///
    /// - Parameters:
    ///   - action: not called for two offers at once by one peer, but perhaps by two. Values given to the action are
    ///     stored nowhere else.
    ///   - isTargeted: called with true when an offer comes of which something can be imported, and with false when it
    ///     is over, however it ends.
    ///   - decide: asked before anything is sent, for each offer of which something can be imported; accepts everything
    ///     unless given.
    ///   - events: told what else happens.
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
