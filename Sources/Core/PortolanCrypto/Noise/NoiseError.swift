/// Reason why a handshake failed. Every error is final; its details are not sent to the peer.
public enum NoiseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message, to be sent or received, is longer than the 65535 bytes Noise allows.
    case messageTooLong(Int)
    /// A message ends before its required parts.
    case messageTruncated
    /// A message was changed on its way, or the two sides differ in a key, the prologue or an earlier message.
    case forged
    /// The peer sent a public key of low order, with which every secret would be public (RFC 7748 section 6.1).
    case lowOrderPoint
    /// The handshake failed before.
    case alreadyFailed

    public var description: String {
        switch self {
        case .messageTooLong(let length):
            "A handshake message of \(length) bytes is longer than the 65535 allowed."
        case .messageTruncated:
            "The peer's handshake message is cut short; the connection is disturbed or the peer is no Portolan."
        case .forged:
            "The peer's handshake message does not verify: somebody is in between, or the two sides do not share "
                + "version or secret."
        case .lowOrderPoint:
            "The peer sent a handshake key that gives no secrecy; it is broken or means harm."
        case .alreadyFailed:
            "This handshake failed before; connect again."
        }
    }
}
