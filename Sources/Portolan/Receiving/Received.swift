import PortolanValues

/// A value that a peer has sent.
public struct Received<Value: Sendable>: Sendable {
    public let value: Value
    public let peer: RemotePeer
    public let title: String
    /// Peers that it may be passed on to.
    public let restriction: Restriction
}
