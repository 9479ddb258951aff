/// Reason why a received record is rejected. Its direction is unusable afterwards.
public enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The record is not the next one the peer sealed: changed, repeated, left out, reordered or made up.
    case forged
    /// The body is shorter than its header says, or than any body can be.
    case truncated

    public var description: String {
        switch self {
        case .forged:
            "A record does not verify: it was changed on the way or is not the one due. The connection must be closed."
        case .truncated:
            "A record is cut short. The connection must be closed."
        }
    }
}
