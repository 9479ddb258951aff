extension Restriction: Codable {
    private enum Key: String, CodingKey {
        case visibility
        case team
        case groups
    }

    /// Reads `visibility`, and `team` and `groups` of a level that has them. A level without its audience is an error,
    /// not a guess.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func defect(_ key: Key, _ reason: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: reason)
        }
        guard let visibility = Visibility(try container.decode(String.self, forKey: .visibility)) else {
            throw defect(.visibility, "A visibility is all, team, group or own-process.")
        }
        var audience: Audience?
        if let text = try container.decodeIfPresent(String.self, forKey: .team) {
            guard let team = TeamID(text) else { throw defect(.team, "A team is written as 26 base32 characters.") }
            let names = try container.decodeIfPresent([String].self, forKey: .groups) ?? []
            audience = try translating(Audience(team: team, groups: names.map { try GroupName($0) })) {
                (error: any Error) in
                defect(.groups, "\(error)")
            }
        }
        self.init(visibility, for: audience)
        guard self.visibility == visibility else {
            throw defect(.team, "A restriction to a team or group names the team, and the groups.")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(visibility.description, forKey: .visibility)
        guard let audience else { return }
        try container.encode(audience.team.description, forKey: .team)
        guard visibility == .group else { return }
        try container.encode(audience.groups.map(\.text), forKey: .groups)
    }
}
