/// Failure of an operation of the library: one sentence for a person and a kind for a program.
public struct NodeError: Error, Sendable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// Data that was given cannot be used.
        case badInput
        /// A file to send does not exist or cannot be read.
        case noInput
        /// No such peer, or it does not answer.
        case unreachable
        /// The destination cannot be written.
        case cannotCreate
        /// Reading, writing or the connection failed midway.
        case inputOutput
        /// Ended before its time by the user or by cancellation.
        case interrupted
        /// The key is not the expected one, or the peer is not entitled.
        case notTrusted
        /// The other side declined.
        case declined
        /// The other side can import none of the representations.
        case nothingInCommon
        /// The time allowed for delivery passed.
        case notDelivered
    }

    public let kind: Kind
    public let description: String
    /// The peers that a name could mean, when it was ambiguous.
    public let candidates: [Peer]
    /// Remedy that a program can offer.
    public let advice: Advice?
    /// Fault of the connection to the peer, if that is the cause.
    public let fault: Fault?
    /// True if something else is at the path of a source, so that its sending cannot go on.
    package var isOfReplacedSource = false

    public init(
        _ kind: Kind, _ description: String, candidates: [Peer] = [], advice: Advice? = nil, fault: Fault? = nil
    ) {
        self.kind = kind
        self.description = description
        self.candidates = candidates
        self.advice = advice
        self.fault = fault
    }
}
