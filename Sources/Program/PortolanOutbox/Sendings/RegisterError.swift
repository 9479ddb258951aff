/// Reason why a transfer of the register was not stopped, forgotten or resumed, or ended early.
package enum RegisterError: Error, Hashable, CustomStringConvertible {
    /// The register has no such transfer.
    case unknown(RecordID)
    /// No process works on it.
    case idle(RecordID)
    /// The name is that of a parcel, which the agent delivers.
    case queued(RecordID)
    /// A process works on it.
    case running(RecordID)
    /// Another process requested the stop.
    case stopped

    package var description: String {
        switch self {
        case .unknown(let id): "There is no transfer “\(id)”."
        case .idle(let id): "Nobody works on \(id) at the moment."
        case .queued(let id): "The agent delivers \(id)."
        case .running(let id): "\(id) is running."
        case .stopped: "It was stopped by another process."
        }
    }
}
