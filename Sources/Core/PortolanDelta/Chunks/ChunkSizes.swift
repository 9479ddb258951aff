/// Lengths of chunks, in bytes.
package enum ChunkSizes {
    /// Length of the shortest chunk but the last of a list.
    package static let minimum = 16 << 10
    /// Length from which boundaries are more likely.
    ///
    /// The mean length is 64 KiB: one chunk in seven ends before this length, the others 16 KiB behind it on average.
    package static let normal = 52 << 10
    /// Length of the longest chunk. Runs of one byte have chunks of this length nearly always.
    package static let maximum = 256 << 10

    /// Leading bits of the hash that are zero at a boundary before the normal length, and from there on.
    static let bits = (before: 18, after: 14)
    /// Bytes on which the hash depends: each byte moves it to the left by one of 64 bits.
    static let window = 64
}
