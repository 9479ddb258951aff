/// How large a block may be, and when it is worth packing.
package enum BlockLimits {
    /// The most bytes of content in one block: 1 MiB.
    package static let content = 1 << 20

    /// The most bytes that a packed block of `count` may have: a sixteenth must be saved, or it is not worth the receiver's time.
    package static func packed(_ count: Int) -> Int { count - max(count / 16, 1) }
}
