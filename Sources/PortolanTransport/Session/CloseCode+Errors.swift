import PortolanProtocol

extension CloseCode {
    /// What the other side is told of an error that ends the session here.
    init(endingWith error: any Error) {
        self =
            switch error {
            case let violation as ProtocolViolation: violation.closeCode
            case TransportError.notEntitled: .notTrusted
            // As for what was never offered.
            case TransportError.withdrawn: .badIndex
            case TransportError.answerIsOverdue: .notInTime
            case is CancellationError: .cancelled
            default: .internal
            }
    }
}
