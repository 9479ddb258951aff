import PortolanCompression
import PortolanFiles
import PortolanProtocol
import PortolanValues

/// Settings for sending items.
package struct SendingManner: Sendable {
    package let compression: CompressionMode
    /// nil lets them go as fast as they can.
    package let pacing: Pacer?
    /// Properties of a file or folder that must be kept, or it may not be stored.
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
