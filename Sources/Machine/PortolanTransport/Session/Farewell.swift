import PortolanCrypto
import PortolanProtocol

/// The last words of this side when an error ends a session here.
enum Farewell: Hashable {
    /// Close, then the end record.
    case close(CloseCode)
    case endRecord
    /// No message: the connection is cut.
    case nothing

    init(after error: any Error) {
        self =
            switch error {
            case let violation as ProtocolViolation: .close(violation.closeCode)
            case TransportError.laneVersionRefused: .close(.protocolViolation)
            case TransportError.closedByPeer: .endRecord
            case TransportError.truncated, TransportError.silent, TransportError.deadlinePassed,
                TransportError.senderLeft, TransportError.unreachable:
                .nothing
            case is RecordError: .nothing
            case TransportError.notEntitled: .close(.notTrusted)
            case TransportError.busy: .close(.busy)
            // The peer gets the answer for an index that was never offered.
            case TransportError.withdrawn: .close(.badIndex)
            case TransportError.answerIsOverdue, TransportError.stalled: .close(.notInTime)
            case is CancellationError, TransportError.abandoned: .close(.cancelled)
            default: .close(.internal)
            }
    }
}
