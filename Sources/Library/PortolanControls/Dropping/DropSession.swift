/// Items of a peer for one destination, from the offer to the outcome.
public struct DropSession: Sendable, Identifiable {
    public let id: UInt64
    /// Peer that drops. Show its name through `DisplayText`.
    public let peer: RemotePeer
    /// Number of the offered items that the destination takes.
    public let itemsCount: Int
    /// Titles that the peer gave them, in the order of the offer. Show them through `DisplayText`.
    public let titles: [String]
    /// Peers to which the items may be passed on: those that may see all of them.
    public let restriction: Restriction
}
