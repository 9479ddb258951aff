import PortolanTrust

/// Who may see a file or folder: a level, and for `team` and `group` whose team and which groups.
///
/// The levels are ordered, but what is for one team is not for another, at any level: whether one restriction is kept by
/// obeying another is what ``allows(_:)`` says.
package struct Restriction: Hashable, Sendable {
    package let visibility: Visibility
    /// Whom it is for; nil unless the level is `team` or `group`.
    package let audience: Audience?

    /// No restriction.
    package static let everyone = Restriction(.all, nil)
    /// For no other process, so nothing to be passed on.
    package static let nobody = Restriction(.ownProcess, nil)

    /// - Parameter audience: whom a level of `team` or `group` is for. One that names nobody makes it ``nobody``, as does none
    ///   at all: what is not for everyone is never guessed. Of a level that needs no audience it says nothing.
    package init(_ visibility: Visibility, for audience: Audience?) {
        self = Self.made(visibility, audience) ?? .nobody
    }

    private init(_ visibility: Visibility, _ audience: Audience?) {
        self.visibility = visibility
        self.audience = audience
    }

    private static func made(_ visibility: Visibility, _ audience: Audience?) -> Restriction? {
        switch visibility {
        case .all: .everyone
        // The whole team, whatever groups are named.
        case .team: audience.flatMap { try? Audience(team: $0.team) }.map { Restriction(.team, $0) }
        case .group: audience.flatMap { $0.groups.isEmpty ? nil : Restriction(.group, $0) }
        case .ownProcess: .nobody
        }
    }

    /// Whether what is restricted so may be shown to everyone to whom `shown` shows something.
    package func allows(_ shown: Restriction) -> Bool {
        if self == .everyone { return true }
        guard let audience, let others = shown.audience, audience.team == others.team else { return false }
        return visibility == .team || shown.visibility == .group && Set(audience.groups).isSuperset(of: others.groups)
    }

    /// What holds where both hold, as for a file in a folder: the stricter of two of one team, and nobody where they are for
    /// two teams or, at the level `group`, not for the same groups.
    package func and(_ other: Restriction) -> Restriction {
        if self == other { return self }
        let (wider, stricter) = visibility < other.visibility ? (self, other) : (other, self)
        return wider.visibility < stricter.visibility && wider.allows(stricter) ? stricter : .nobody
    }
}

extension Restriction: CustomStringConvertible {
    /// In words for a person: “group design or print of team k3j…”.
    package var description: String {
        guard let audience else { return visibility.description }
        let team = "team \(audience.team)"
        guard visibility == .group else { return team }
        return "group \(audience.groups.map(\.text).joined(separator: " or ")) of \(team)"
    }
}
