/// A value that a peer has sent.
public struct Received<Value: Sendable>: Sendable {
    public let value: Value
    public let peer: RemotePeer
    public let title: String
    /// Peers to which it may be passed on.
    public let restriction: Restriction
}
