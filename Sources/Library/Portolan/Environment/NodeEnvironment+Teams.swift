extension NodeEnvironment {
    /// The teams of which this device is a member, the default one first. May block.
    func ownTeams() throws -> [StoredTeam] {
        let teams = try store.teams.all().filter { !$0.isRemoved }
        return teams.filter(\.isDefault) + teams.filter { !$0.isDefault }
    }

    /// Returns the audience of a `team` or `group` representation. May block.
    ///
    /// - Parameters:
    ///   - team: its name, or its identifier; nil means the default one.
    ///   - groups: if empty, the groups of the team that contain this device.
    /// - Throws: `NodeError` if there is no such team or group, `StoreError`.
    func currentAudience(team: String?, groups: [GroupName]) throws -> Audience {
        let stored = try storedTeam(team)
        for group in groups where !stored.team.members.contains(where: { $0.groups.contains(group) }) {
            throw NodeError(.unreachable, "Team “\(stored.team.name)” has no group “\(group)”.")
        }
        let own = stored.team.member(PinnedKey(identity.publicKey))?.groups ?? []
        return try translating(Audience(team: stored.id, groups: groups.isEmpty ? own : groups)) { (error: any Error) in
            NodeError(.badInput, "\(error)")
        }
    }

    /// The default team with this device's own groups in it; nil if this device is in no team.
    func defaultAudience() throws -> Audience? {
        guard try configuration.team != nil || store.teams.all().contains(where: \.isDefault) else { return nil }
        return try currentAudience(team: configuration.team, groups: [])
    }

    /// A team of this device by its name or its identifier; nil means the default one. May block.
    ///
    /// - Throws: `NodeError` if there is none, `StoreError`
    func storedTeam(_ named: String?) throws -> StoredTeam {
        if let named {
            guard let stored = try store.teams.named(named) else {
                throw NodeError(.unreachable, "There is no team “\(DisplayText(named))” here.", advice: .listTeams)
            }
            return stored
        }
        guard let stored = try store.teams.all().first(where: \.isDefault) else {
            throw NodeError(.unreachable, "This device is in no team.", advice: .makeOrJoinTeam)
        }
        return stored
    }
}
