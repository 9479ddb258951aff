/// Whether the blocks of a transfer are compressed.
package enum CompressionMode: String, Hashable, Sendable, CaseIterable {
    /// None is.
    case never
    /// Each is that gets smaller by it.
    case zstd
    /// Those are by which the transfer gets faster, as far as measuring shows.
    case auto
}
