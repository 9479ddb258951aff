/// Set of peers that may know of a representation, file or folder: a level, and for `team` and `group` the audience.
///
/// A level of `team` or `group` without an audience does not exist: ``init(_:for:)`` makes it ``nobody``. The levels
/// are ordered, but an item of one team is not for another at any level: ``allows(_:)`` says whether one restriction is
/// kept by obeying another.
public struct Restriction: Hashable, Sendable {
    public let visibility: Visibility
    /// The team, and for `group` its groups; nil unless the level is `team` or `group`.
    public let audience: Audience?

    /// No restriction.
    public static let everyone = Restriction(.all, nil)
    /// No other process: never sent, never passed on.
    public static let nobody = Restriction(.ownProcess, nil)

    /// - Parameter audience: the audience of a level of `team` or `group`. Without one, and for `group` without
    ///   groups, the restriction is ``nobody``: a missing audience is never guessed. Other levels ignore it.
    public init(_ visibility: Visibility, for audience: Audience?) {
        self = Self.made(visibility, audience) ?? .nobody
    }

    private init(_ visibility: Visibility, _ audience: Audience?) {
        self.visibility = visibility
        self.audience = audience
    }

    private static func made(_ visibility: Visibility, _ audience: Audience?) -> Restriction? {
        switch visibility {
        case .all: .everyone
        // The whole team: its groups do not narrow it.
        case .team: audience.flatMap { try? Audience(team: $0.team) }.map { Restriction(.team, $0) }
        case .group: audience.flatMap { $0.groups.isEmpty ? nil : Restriction(.group, $0) }
        case .ownProcess: .nobody
        }
    }

    /// True if content of this restriction may be shown to every peer that `shown` includes.
    public func allows(_ shown: Restriction) -> Bool {
        if self == .everyone { return true }
        guard let audience, let others = shown.audience, audience.team == others.team else { return false }
        return visibility == .team || shown.visibility == .group && Set(audience.groups).isSuperset(of: others.groups)
    }

    /// Combines two restrictions that both apply, such as those of a file and its folder: of one team, the stricter
    /// level, and of two lists of groups the groups in both; nobody for two teams, or without a common group.
    public func and(_ other: Restriction) -> Restriction {
        if self == other { return self }
        if visibility == .group, other.visibility == .group { return inBoth(other) }
        let (wider, stricter) = visibility < other.visibility ? (self, other) : (other, self)
        return wider.visibility < stricter.visibility && wider.allows(stricter) ? stricter : .nobody
    }

    private func inBoth(_ other: Restriction) -> Restriction {
        guard let audience, let others = other.audience, audience.team == others.team else { return .nobody }
        let shared = Set(others.groups)
        // The groups in both lists are at most as many as in one, so that the limit holds.
        return Restriction(
            .group, for: try? Audience(team: audience.team, groups: audience.groups.filter(shared.contains)))
    }
}

extension Restriction: CustomStringConvertible {
    /// Text for a person: “group design or print of team k3j…”.
    public var description: String { description { _ in nil } }

    /// Text for a person, with the team's name if it is known here.
    public func description(naming name: (TeamID) -> TeamName?) -> String {
        guard let audience else { return visibility.description }
        let team = "team \(name(audience.team)?.text ?? audience.team.description)"
        guard visibility == .group else { return team }
        return "group \(audience.groups.map(\.description).joined(separator: " or ")) of \(team)"
    }
}
