import PortolanSyncPlan

/// Source of content beside the folder, by its digest. Content is verified: a provider need not be trusted.
package protocol ContentProvider: Sendable {
    /// - Returns: nil if the content is not at hand.
    func content(_ digest: ContentDigest) async throws -> (any ContentSource)?

    /// True if a content that is not at hand is being fetched, or will be; false if no member has it.
    func mayCome(_ digest: ContentDigest) -> Bool
}

extension ContentProvider {
    package func mayCome(_ digest: ContentDigest) -> Bool { false }
}

/// Provider for contents that are fetched beside the rounds of work (``ArrivingContents``).
package struct AwaitedContents: ContentProvider {
    private let missing: Set<ContentDigest>?

    /// - Parameter missing: contents that no member has; nil if no member is in sight.
    package init(without missing: Set<ContentDigest>? = []) { self.missing = missing }

    package func content(_ digest: ContentDigest) -> (any ContentSource)? { nil }

    package func mayCome(_ digest: ContentDigest) -> Bool { missing.map { !$0.contains(digest) } ?? false }
}

/// Content that a folder lacks.
package struct WantedContent: Sendable {
    package let digest: ContentDigest
    /// In bytes.
    package let size: UInt64
    /// File here that is likely to have most of it.
    let base: ContentBase?
}

/// Bytes of a file, or the target of a link.
package protocol ContentSource: Sendable {
    /// Reads a part.
    ///
    /// - Returns: bytes from `offset` on, at most `count`; none at the end.
    func read(at offset: UInt64, count: Int) async throws -> [UInt8]
}
