import PortolanTransport
import PortolanTrust

extension NodeError {
    /// What a person is told when no connection can be accepted.
    static func ofListening(_ error: any Error) -> NodeError {
        let isPort = if case TransportError.portUnavailable = error { true } else { false }
        return NodeError(.cannotCreate, "\(error)", advice: isPort ? .choosePort : nil)
    }
}
