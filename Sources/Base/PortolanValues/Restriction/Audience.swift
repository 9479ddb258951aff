/// Readers of a representation below ``Visibility/all``: a team, and for ``Visibility/group`` groups within it.
///
/// The team is always named, so an item of one team is never visible in another one, even if both have
/// members and groups of the same names.
public struct Audience: Hashable, Sendable {
    /// Largest number of groups that one representation may name.
    public static let maximumGroups = 64

    public let team: TeamID
    /// Groups in ascending order, each once; names that differ only in case are equal. An empty list means no group, so
    /// that nobody may read.
    public let groups: [GroupName]

    public init(team: TeamID, groups: some Sequence<GroupName> = []) throws(AudienceError) {
        var taken: Set<GroupName> = []
        let distinct = groups.filter { taken.insert($0).inserted }
        guard distinct.count <= Self.maximumGroups else { throw .tooManyGroups(count: distinct.count) }
        self.team = team
        self.groups = distinct.sorted()
    }
}

/// Reason why an audience cannot be made.
public enum AudienceError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManyGroups(count: Int)

    public var description: String {
        switch self {
        case .tooManyGroups(let count):
            "An item is for at most \(Audience.maximumGroups) groups; this one names \(count). Name fewer, or the whole team."
        }
    }
}
