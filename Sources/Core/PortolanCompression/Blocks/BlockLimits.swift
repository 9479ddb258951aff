/// Limits on the size of a block, and on that of a packed one.
package enum BlockLimits {
    /// Largest content of one block, in bytes: 1 MiB.
    package static let content = 1 << 20

    /// Returns the largest length of a packed block of `count` bytes: a smaller saving than a sixteenth is not worth
    /// the receiver's time.
    package static func packed(_ count: Int) -> Int { count - max(count / 16, 1) }
}
