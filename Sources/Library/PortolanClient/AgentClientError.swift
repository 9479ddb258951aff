import Glibc

/// Reason why a request to the agent failed.
public enum AgentClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No process listens at the path.
    case notRunning(path: String)
    /// Another user listens at the path.
    case notOwned(path: String, user: UInt32)
    case pathTooLong(String)
    /// The path is not absolute or names a folder.
    case invalidPath(String)
    /// - Parameter reason: a clause.
    case cannotConnect(path: String, reason: String)
    /// The body of the request is larger than the agent's limit.
    case tooLarge(bytes: Int)
    /// The connection ended before the answer was complete.
    case closed
    /// The agent did not answer in time.
    case noAnswer
    /// The answer does not match this API.
    case unintelligible(reason: String)

    public var description: String {
        switch self {
        case .notRunning(let path): "No agent runs: nothing listens at \(path)."
        case .notOwned(let path, let user): "The socket \(path) belongs to another user (\(user)), so it is not used."
        case .pathTooLong(let path):
            "The path of the agent's socket has \(path.utf8.count) bytes, and the system allows \(SocketPath.limit): \(path)"
        case .invalidPath(let path): "The path of the agent's socket must be absolute and name a file: \(path)"
        case .cannotConnect(let path, let reason): "The agent at \(path) cannot be reached: \(reason)."
        case .tooLarge(let bytes):
            "The request has \(bytes) bytes, and the agent takes \(AgentAPI.bodyLimit). Send a path instead."
        case .closed: "The agent closed the connection before it had answered, as one that has too many or stops."
        case .noAnswer: "The agent did not answer in time."
        case .unintelligible(let reason): "The answer of the agent cannot be understood: \(reason)."
        }
    }
}
