import PortolanSyncModel

/// Source of content from members, by its digest. Received content is verified: a provider need not be trusted.
package protocol ContentProvider: Sendable {
    /// - Returns: nil if no reachable member has the content.
    func content(_ digest: ContentDigest) async throws -> (any ContentSource)?

    /// Requests the content of a file of which another version is here; parts that this version contains need not be
    /// fetched.
    ///
    /// - Parameters:
    ///   - size: size of the content, in bytes.
    ///   - earlier: file that it replaces, or the other version of a conflict.
    func content(
        _ digest: ContentDigest, size: UInt64, after earlier: EarlierVersion
    ) async throws -> (any ContentSource)?

    /// Requests content again after a mismatch of the digest: from another member, if there is one.
    func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)?
}

extension ContentProvider {
    package func content(
        _ digest: ContentDigest, size: UInt64, after earlier: EarlierVersion
    ) async throws -> (any ContentSource)? {
        try await content(digest)
    }

    package func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        try await content(digest)
    }
}

/// Bytes of a file, or the target of a link.
package protocol ContentSource: Sendable {
    /// Number of bytes of one read, except at the end of the content.
    var partBytes: Int { get }

    /// Number of parts to read concurrently. More than one only for content from another device.
    var partsAtOnce: Int { get }

    /// Size in bytes when it was opened; nil if it is not known.
    var size: UInt64? { get }

    /// Reads a part. May be called for several parts concurrently.
    ///
    /// - Returns: bytes from `offset` on, at most `count`; none at the end.
    /// - Throws: ``SyncError`` of kind `noSuchContent` if no member has the content any more.
    func read(at offset: UInt64, count: Int) async throws -> [UInt8]
}

extension ContentSource {
    package var partBytes: Int { 256 << 10 }
    package var partsAtOnce: Int { 1 }
    package var size: UInt64? { nil }
}
