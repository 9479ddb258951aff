import PortolanProtocol

/// Event at a node that shares.
public enum ShareEvent: Sendable {
    /// Of the node itself: that it listens, under which name, who was refused, what its owner should know.
    case node(ReceiveEvent)
    /// The item can be listed and fetched from now on.
    case shared(ItemID, title: String)
    /// The item cannot be fetched any more: something else has the place of its file or folder.
    case withdrawn(ItemID, title: String, reason: String)
    /// Event of the sending while a peer fetches the item; its ``SendEvent/settled(_:)`` tells the outcome.
    case sending(ItemID, to: RemotePeer, SendEvent)
}
