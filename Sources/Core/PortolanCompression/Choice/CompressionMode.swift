/// Selection of the blocks of a transfer that are compressed.
package enum CompressionMode: String, Hashable, Sendable, CaseIterable {
    /// No block.
    case never
    /// Each block that shrinks.
    case zstd
    /// Blocks whose compression makes the transfer faster, by measurement.
    case auto
}
