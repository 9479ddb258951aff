import PortolanCrypto
import PortolanValues

extension IncomingTree {
    /// Judgement of an element of a lane.
    package enum Verdict: Hashable, Sendable {
        case take
        case finish(FinishedFile)
        case drop
        case wait
    }

    package struct FinishedFile: Hashable, Sendable {
        package let entry: UInt32
        package let size: UInt64
        /// Number of its bytes that were kept from before and not sent.
        package let kept: UInt64
        /// If set, the received content is not the file.
        package let failure: SourceFailure?
        /// Required digest of the whole file, if parts of it are copies.
        package let digest: FileDigest?

        package init(
            entry: UInt32, size: UInt64, kept: UInt64 = 0, failure: SourceFailure? = nil, digest: FileDigest? = nil
        ) {
            self.entry = entry
            self.size = size
            self.kept = kept
            self.failure = failure
            self.digest = digest
        }
    }

    /// Unwraps a value that this side made within the limits.
    static func valid<Value>(_ make: () throws(InvalidValue) -> Value) -> Value {
        return certain(try make(), "The value is well-formed")
    }
}
