/// Progress of an item's transfer, in bytes of content.
package struct Advance: Hashable, Sendable {
    /// Bytes that are finished: transferred, or present at the receiver before.
    package let done: UInt64
    /// Bytes that were transferred in this session. The rate of a transfer is computed from these alone.
    package let transferred: UInt64
}
