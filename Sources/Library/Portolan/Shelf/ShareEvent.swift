import PortolanProtocol

/// Event at a node that shares.
public enum ShareEvent: Sendable {
    /// Event of the node itself: its port and name, a refused connection, or a warning for its user.
    case node(ReceiveEvent)
    /// The item can be listed and fetched from now on.
    case shared(ItemID, title: String)
    /// The item cannot be fetched any more, because its file or folder was replaced.
    case withdrawn(ItemID, title: String, reason: String)
    /// Event of sending the item to a peer that fetches it; ``SendEvent/settled(_:)`` has the outcome.
    case sending(ItemID, to: RemotePeer, SendEvent)
}
