import PortolanSyncModel

/// Content that members have, by its digest. What comes is verified: a provider need not be trusted.
package protocol ContentProvider: Sendable {
    /// - Returns: nil if nobody who can be reached has the content.
    func content(_ digest: ContentDigest) async throws -> (any ContentSource)?

    /// The same after content has come that is not the one with the digest: from somebody else, if there is anybody.
    func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)?
}

extension ContentProvider {
    package func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        try await content(digest)
    }
}

/// Bytes of a file, or the target of a link.
package protocol ContentSource: Sendable {
    /// Bytes that one reading gives, unless the content ends before.
    var partBytes: Int { get }

    /// Parts that are worth reading at the same time. More than one only where the content comes from another device.
    var partsAtOnce: Int { get }

    /// May be called for several parts at the same time.
    ///
    /// - Returns: bytes from `offset` on, at most `count`; none at the end.
    /// - Throws: ``SyncError`` of kind `noSuchContent` if nobody has the content any more.
    func read(at offset: UInt64, count: Int) async throws -> [UInt8]
}

extension ContentSource {
    package var partBytes: Int { 256 << 10 }
    package var partsAtOnce: Int { 1 }
}
