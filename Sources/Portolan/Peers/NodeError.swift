import PortolanTrust

/// Why something the library was asked for did not happen, in one sentence for a person and a kind for a program.
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
        /// Reading, writing or the connection failed half-way.
        case inputOutput
        /// Ended before its time by the user or by cancellation.
        case interrupted
        /// The key is not the one expected, or the peer is not entitled.
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
    /// What a program can offer to do about it.
    public let advice: Advice?
    /// What kept this device from the other one, where that is why.
    public let fault: Fault?

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
