import PortolanProtocol
import PortolanTransport

extension Error {
    /// Whether trying again may help: the connection went away, and nobody said that nothing more is wanted.
    var isInterruption: Bool {
        switch self as any Error {
        case TransportError.truncated, TransportError.silent, TransportError.unreachable, TransportError.deadlinePassed,
            TransportError.endedUnanswered, TransportError.abandoned:
            true
        case TransportError.closedByPeer(let close): [.goingAway, .busy].contains(close.code)
        // What a hidden peer advertised before it went away does not open it any more.
        case let error as HandshakeError: [.cut, .notAdmitted].contains(error.kind)
        default: false
        }
    }

    /// Whether the peer has too much to do to answer, and may answer later.
    var isRefusalForNow: Bool {
        if case TransportError.refused(.busy) = self as any Error { true } else { false }
    }
}
