import PortolanTransport

extension NodeError {
    /// A node is to hide from all but its teams, and is in none.
    static var hidesFromAll: NodeError {
        NodeError(.badInput, "This device is in no team by which it could be found. Join one first.", advice: .joinTeam)
    }

    /// Returns the error for a person when no connection can be accepted.
    static func ofListening(_ error: any Error) -> NodeError {
        let isPort = if case TransportError.portUnavailable = error { true } else { false }
        return NodeError(.cannotCreate, "\(error)", advice: isPort ? .choosePort : nil)
    }
}
