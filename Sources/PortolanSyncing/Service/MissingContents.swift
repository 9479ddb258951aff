import PortolanSyncModel

/// Contents that no member has, and for how long all members have been heard without any of them having it.
///
/// A member that comes back later may have a file, and withdraws the content by what it has: the time of the others
/// begins when they have heard that member, so that they do not delete what it is about to keep.
struct MissingContents: Sendable {
    /// Time for which content must be missing before it is withdrawn.
    static let patience = Duration.seconds(10)
    /// The same time where this device has no file either. A deletion covers what a member with a file has: that one
    /// comes first.
    static let longPatience = Duration.seconds(60)

    /// Content that is to be withdrawn.
    struct Due: Hashable, Sendable {
        var digest: ContentDigest
        /// True to delete the version where this device has no file.
        var deletes: Bool
    }

    /// Contents with the time since which they have been missing.
    private var times: [ContentDigest: ContinuousClock.Instant] = [:]

    /// Takes the contents that are missing in a round.
    ///
    /// - Parameter isEveryoneHeard: true if all members that may have the contents are heard.
    /// - Returns: what is to be withdrawn, in the order of digests.
    mutating func note(
        _ missing: Set<ContentDigest>, isEveryoneHeard: Bool, at now: ContinuousClock.Instant
    ) -> [Due] {
        let before = isEveryoneHeard ? times : [:]
        times = [:]
        var due: [Due] = []
        for digest in missing {
            let since = before[digest] ?? now
            times[digest] = since
            let time = since.duration(to: now)
            if time >= Self.patience { due.append(Due(digest: digest, deletes: time >= Self.longPatience)) }
        }
        return due.sorted { $0.digest < $1.digest }
    }

    mutating func remove(_ digest: ContentDigest) { times[digest] = nil }
}
