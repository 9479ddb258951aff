/// Reason why a peer's message in a ``CPace`` run is rejected. The run is over then; the peer is not told the reason.
///
/// A wrong code is not among these: CPace cannot detect it; the handshake that uses the key does.
public enum CPaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer's share does not have the 32 bytes of an encoded element.
    case wrongShareLength(Int)
    /// The peer's share encodes no element of the group, or the identity, with which the secret would be public.
    case invalidShare
    /// The peer sent this side's own share back.
    case reflectedShare
    /// The peer's associated data is longer than ``CPace/maximumAssociatedDataLength``.
    case associatedDataTooLong(Int)

    public var description: String {
        switch self {
        case .wrongShareLength(let length):
            "The peer's pairing message has \(length) bytes where \(CPace.shareLength) are needed; it was cut or is "
                + "of another kind."
        case .invalidShare:
            "The peer sent a pairing message that no honest peer sends; it is broken or means harm."
        case .reflectedShare:
            "The peer sent our own pairing message back; somebody is in between."
        case .associatedDataTooLong(let length):
            "The peer's pairing message says \(length) bytes about itself where "
                + "\(CPace.maximumAssociatedDataLength) are allowed."
        }
    }
}
