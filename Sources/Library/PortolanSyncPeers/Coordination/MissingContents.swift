import PortolanSyncPlan

/// Contents that no member has, with the time since which all members have been connected without having it.
///
/// A member that returns later may have a file, and replaces the content by it. The time begins again when such a
/// member is connected, so that other members do not delete a file that it is about to keep.
struct MissingContents: Sendable {
    /// Time for which content must be missing before it is withdrawn.
    static let patience = Duration.seconds(10)
    /// Such a time on a device without the file. A deletion would affect a member with a file, so that member must act
    /// first.
    static let longPatience = Duration.seconds(60)

    /// Content to be withdrawn.
    struct Due: Hashable, Sendable {
        var digest: ContentDigest
        /// True to delete the version where this device has no file.
        var deletes: Bool
    }

    /// Contents with the time since which they have been missing.
    private var times: [ContentDigest: ContinuousClock.Instant] = [:]

    /// Records the contents that are missing in a round.
    ///
    /// - Parameter isEveryoneHeard: true if all members that may have the contents are connected.
    /// - Returns: contents to be withdrawn, in the order of digests.
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
