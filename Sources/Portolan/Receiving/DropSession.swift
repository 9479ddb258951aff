import PortolanValues

/// One peer's items on their way to a destination, from the offer to what became of it.
public struct DropSession: Sendable, Identifiable {
    public let id: UInt64
    /// Peer that drops. Show its name through `DisplayText`.
    public let peer: RemotePeer
    /// How many items the destination takes of those that were offered.
    public let itemsCount: Int
    /// What they are called at the peer's, in the order of the offer. Show them through `DisplayText`.
    public let titles: [String]
    /// Peers that the items may be passed on to: those that may see all of them.
    public let restriction: Restriction
}
