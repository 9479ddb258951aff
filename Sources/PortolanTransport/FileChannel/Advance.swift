/// Progress of an item's transfer, in bytes of content.
package struct Advance: Hashable, Sendable {
    /// Bytes that need no more attention: transferred, or at the receiver before.
    package let done: UInt64
    /// Bytes that were transferred in this session. The rate of a transfer is made of these alone.
    package let transferred: UInt64

    package init(done: UInt64, transferred: UInt64) {
        self.done = done
        self.transferred = transferred
    }
}
