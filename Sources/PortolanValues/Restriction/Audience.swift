/// Who a representation below ``Visibility/all`` is for: a team, and for ``Visibility/group`` groups within it.
///
/// The team is always named, so an item of one team is never anybody's business in another one, even where both have
/// members and groups of the same names.
public struct Audience: Hashable, Sendable {
    /// The most groups one representation names.
    public static let maximumGroups = 64

    public let team: TeamID
    /// In order and each once, names alike in case taken for one. Empty means no group, so nobody.
    public let groups: [GroupName]

    public init(team: TeamID, groups: some Sequence<GroupName> = []) throws(AudienceError) {
        var taken: Set<GroupName> = []
        let distinct = groups.filter { taken.insert($0).inserted }
        guard distinct.count <= Self.maximumGroups else { throw .tooManyGroups(count: distinct.count) }
        self.team = team
        self.groups = distinct.sorted()
    }
}

/// Why nobody can be named that way.
public enum AudienceError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManyGroups(count: Int)

    public var description: String {
        switch self {
        case .tooManyGroups(let count):
            "An item is for at most \(Audience.maximumGroups) groups; this one names \(count). Name fewer, or the whole team."
        }
    }
}
