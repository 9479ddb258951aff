/// All members of a team, or of one group of it, as a user names them: `@acme`, `@acme/design`.
package struct TeamTarget: Sendable, Hashable, CustomStringConvertible {
    package let team: TeamName
    package let group: GroupName?

    package var description: String { "@\(team)" + (group.map { "/\($0)" } ?? "") }

    /// True if a device of this standing is a member.
    package func isMeant(by standing: Standing) -> Bool {
        standing.memberships.contains { membership in
            membership.teamName == team && group.map { membership.groups.contains($0) } ?? true
        }
    }

    /// True if a text names a team. A peer whose name begins with the sign can be named by its fingerprint.
    package static func names(_ text: String) -> Bool { text.hasPrefix("@") }

    /// - Throws: `ValueError` with the expected form.
    package static func parse(_ text: String) throws(ValueError) -> TeamTarget {
        guard names(text) else {
            throw ValueError("“\(DisplayText(text, limit: 80))” is no team; write @TEAM or @TEAM/GROUP.")
        }
        let parts = text.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        do throws(RosterNameError) {
            return TeamTarget(
                team: try TeamName(parts[0]),
                group: try parts.dropFirst().first.map { part throws(RosterNameError) in try GroupName(part) })
        } catch {
            throw ValueError(error.description)
        }
    }
}

/// Team name in an argument that can only be a team; `@acme` is accepted as well.
package enum TeamSyntax {
    package static func parse(_ text: String) throws(ValueError) -> TeamName {
        try translating(TeamName(text.hasPrefix("@") ? String(text.dropFirst()) : text)) {
            (error: RosterNameError) in
            ValueError(error.description)
        }
    }
}
