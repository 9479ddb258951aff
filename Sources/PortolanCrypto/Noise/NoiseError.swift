/// Why a handshake cannot go on. It is dead after any of these; nothing of this goes to the peer.
public enum NoiseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message, to be sent or received, is longer than the 65535 bytes Noise allows.
    case messageTooLong(Int)
    /// A message ends before everything it must contain.
    case messageTruncated
    /// A message was changed on its way, or the two sides disagree about a key, the prologue or what was said before.
    case forged
    /// The peer sent a public key with which any secret would be known to everybody (RFC 7748 section 6.1).
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
