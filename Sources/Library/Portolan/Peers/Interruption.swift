import PortolanProtocol
import PortolanTransport

extension Error {
    /// True if another attempt may succeed: the connection was lost, and neither side ended the session for good.
    var isInterruption: Bool {
        switch self as any Error {
        case TransportError.truncated, TransportError.silent, TransportError.unreachable, TransportError.deadlinePassed,
            TransportError.endedUnanswered, TransportError.abandoned:
            true
        case TransportError.closedByPeer(let close): [.goingAway, .busy].contains(close.code)
        // The nonce that a hidden peer advertised before it left is not valid any more.
        case let error as HandshakeError: [.cut, .notAdmitted].contains(error.kind)
        default: false
        }
    }

    /// True if the peer is too busy to answer, and may answer later.
    var isRefusalForNow: Bool {
        if case TransportError.refused(.busy) = self as any Error { true } else { false }
    }
}
