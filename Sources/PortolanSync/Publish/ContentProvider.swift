import PortolanSyncModel

/// Content that members have, by its digest. What comes is verified: a provider need not be trusted.
package protocol ContentProvider: Sendable {
    /// - Returns: nil if nobody who can be reached has the content.
    func content(_ digest: ContentDigest) async throws -> (any ContentSource)?
}

/// Bytes of a file, or the target of a link.
package protocol ContentSource: Sendable {
    /// - Returns: bytes from `offset` on, at most `count`; none at the end.
    func read(at offset: UInt64, count: Int) async throws -> [UInt8]
}
