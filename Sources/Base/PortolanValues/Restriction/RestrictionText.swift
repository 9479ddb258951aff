/// Text form of a restriction: the level, then the team's identifier, then the groups in order, one a line, without a
/// final line break.
package enum RestrictionText {
    /// Size of the longest text: `group`, the team's 26 characters, and a line of the longest name for each of the most
    /// groups.
    package static let maximumBytes = 5 + 1 + 26 + Audience.maximumGroups * (1 + RosterNameError.maximumBytes)

    package static func bytes(of restriction: Restriction) -> [UInt8] {
        var lines = [restriction.visibility.description]
        if let audience = restriction.audience {
            lines += [audience.team.description] + audience.groups.map(\.text)
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Parses exactly the texts that ``bytes(of:)`` writes; nil for any other text, such as one with an unknown level,
    /// a missing or superfluous audience, or a name that is truncated, unreadable, repeated or out of order.
    package static func restriction(in text: some Collection<UInt8>) -> Restriction? {
        guard text.count <= maximumBytes else { return nil }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let visibility = Visibility(lines[0]) else { return nil }
        var audience: Audience?
        if lines.count > 1 {
            guard let team = TeamID(lines[1]) else { return nil }
            audience = try? Audience(team: team, groups: lines.dropFirst(2).compactMap { try? GroupName($0) })
        }
        let restriction = Restriction(visibility, for: audience)
        return bytes(of: restriction).elementsEqual(text) ? restriction : nil
    }
}
