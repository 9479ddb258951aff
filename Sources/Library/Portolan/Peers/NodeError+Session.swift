import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

extension NodeError {
    /// Converts an error of a session to one with a sentence for a person.
    static func ofSession(_ error: any Error) -> any Error {
        switch error {
        case is NodeError, is CancellationError: error
        case let error as HandshakeError:
            NodeError([.unproven, .wrongCode].contains(error.kind) ? .notTrusted : .unreachable, "\(error)")
        case let error as StoreError: error
        case let error as InvalidValue: NodeError(.badInput, "\(error)")
        case TransportError.truncated, TransportError.silent, TransportError.stalled, TransportError.abandoned:
            NodeError(.interrupted, "\(error)")
        case TransportError.unreachable(let sentence, let fault?):
            NodeError(.unreachable, sentence, fault: Fault(fault, isOffline: LinkAddresses.areOwnAlone))
        case TransportError.unreachable, TransportError.deadlinePassed:
            NodeError(.unreachable, "\(error)")
        case TransportError.withdrawn, TransportError.notEntitled: NodeError(.notTrusted, "\(error)")
        case TransportError.endedUnanswered: NodeError(.interrupted, "\(error)")
        case TransportError.takesNothing: NodeError(.declined, "\(error)")
        case TransportError.sharesNothing, TransportError.refused(.gone): NodeError(.noInput, "\(error)")
        case TransportError.refused: NodeError(.unreachable, "\(error)")
        case TransportError.answerIsOverdue: NodeError(.notDelivered, "\(error)")
        case TransportError.closedByPeer(let close):
            NodeError(NodeError.Kind(close.code), "\(error)")
        default: NodeError(.inputOutput, "\(error)")
        }
    }
}

extension NodeError.Kind {
    /// Meaning of the peer's close code for this side.
    fileprivate init(_ code: CloseCode) {
        self =
            switch code {
            case .notTrusted: .notTrusted
            case .cancelled, .goingAway: .interrupted
            case .busy: .unreachable
            default: .inputOutput
            }
    }
}
