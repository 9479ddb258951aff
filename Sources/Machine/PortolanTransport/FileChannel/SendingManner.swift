import PortolanCompression
import PortolanValues

/// Settings for sending items.
package struct SendingManner: Sendable {
    package let compression: CompressionMode
    /// Limit of the sending rate; nil for none.
    package let pacing: Pacer?
    /// Properties of a file or folder that must be kept; otherwise it is not stored.
    package let requirements: Fidelity
    /// True if extended attributes are sent, too.
    package let attributes: Bool
    /// Longest time without progress of any accepted item; nil waits without end.
    let stallWait: Duration?
    /// Bytes that are worth a connection besides the first.
    let worthAnotherLane: UInt64

    package init(
        compression: CompressionMode = .auto, pacing: Pacer? = nil, requirements: Fidelity = [],
        attributes: Bool = false, stallWait: Duration? = nil, worthAnotherLane: UInt64 = LaneChoice.worthwhile
    ) {
        self.stallWait = stallWait
        self.worthAnotherLane = worthAnotherLane
        self.compression = compression
        self.pacing = pacing
        self.requirements = requirements
        self.attributes = attributes || requirements.contains(.attributes)
    }
}
