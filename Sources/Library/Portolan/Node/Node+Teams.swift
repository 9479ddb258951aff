import PortolanConcurrency
import PortolanTransport

extension Node {
    /// The teams this device is or was in.
    ///
    /// - Throws: `StoreError`
    public func teams() async throws -> [TeamView] {
        try await withLookupThread { try store.teams.all().map(view) }
    }

    /// Returns one team.
    ///
    /// - Parameter named: its name, or its identifier; nil means the default one.
    /// - Throws: `NodeError` if there is no such team, `StoreError`
    public func team(_ named: String?) async throws -> TeamView {
        try await withLookupThread { view(try environment.storedTeam(named)) }
    }

    /// Makes a team of which this device is the first member and admin.
    ///
    /// - Throws: `NodeError` for a name that another team of this device has, `StoreError`.
    public func createTeam(_ name: TeamName) async throws -> TeamView {
        try await withLookupThread {
            return try translating(view(try store.teams.create(name: name, by: identity, now: runtime.date))) {
                (error: TeamError) in
                NodeError.ofTeam(error)
            }
        }
    }

    /// Changes a team, and tells the members that can be reached.
    ///
    /// - Parameter team: its name, or its identifier; nil means the default one.
    /// - Throws: `NodeError` if there is no such team, member or group, or this device is no admin; `StoreError`.
    public func changeTeam(_ team: String?, _ change: TeamChange) async throws -> TeamChangeReport {
        let (changed, removed) = try await withLookupThread {
            let stored = try administeredTeam(team)
            let change = try RosterChange(change, in: stored.team)
            return (try self.change(stored.id, change), change.removed.flatMap(stored.team.member))
        }
        return try await report(of: changed, removed: removed.map { [$0] } ?? [])
    }

    /// Makes this device an admin again of a team that it founded and was removed from, and sends the roster to the
    /// reachable members. Admins who signed the removal lose that right.
    ///
    /// - Parameters:
    ///   - team: its name, or its identifier; nil means the only one that this device was removed from, else the
    ///     default one.
    ///   - names: members that are removed in the same step.
    /// - Throws: `NodeError` if there is no such team or member, or this device is not the founder, or an admin;
    ///   `StoreError`.
    public func reclaimTeam(_ team: String?, removing names: [DeviceName] = []) async throws -> TeamChangeReport {
        let (reclaimed, removed) = try await withLookupThread {
            let stored = try lostTeam(team)
            do throws(TeamError) {
                let reclaimed = try store.teams.reclaim(stored.id, removing: names, by: identity, now: runtime.date)
                let gone = stored.team.members.filter { reclaimed.removedKeys.contains($0.key) }
                return (reclaimed, gone)
            } catch {
                throw NodeError.ofTeam(error)
            }
        }
        return try await report(of: reclaimed, removed: removed)
    }

    /// Returns the team that ``reclaimTeam(_:removing:)`` would change.
    ///
    /// - Throws: `NodeError` if there is no such team, `StoreError`.
    package func reclaimedTeam(_ team: String?) async throws -> TeamView {
        try await withLookupThread { view(try lostTeam(team)) }
    }

    /// May block.
    private func lostTeam(_ team: String?) throws -> StoredTeam {
        let lost = try store.teams.all().filter(\.isRemoved)
        return team == nil && lost.count == 1 ? lost[0] : try environment.storedTeam(team)
    }

    /// Sends the new roster to all reachable members and removed devices.
    ///
    /// - Parameter removed: members that the change has removed.
    /// - Throws: `NodeError` if a roster that came meanwhile rules the change out, `StoreError`.
    private func report(of changed: StoredTeam, removed: [Member]) async throws -> TeamChangeReport {
        let results = await environment.spread(changed, alsoTo: removed)
        let current = try await withLookupThread { try store.teams.all().first { $0.id == changed.id } } ?? changed
        guard current.includes(changed) else {
            throw NodeError.ofTeam(current.isRemoved ? .removed(current.team.name) : .change(.overruled))
        }
        let gone = Set(removed.map(\.key))
        func names(isTold: Bool, isGone: Bool) -> [DeviceName] {
            results.filter { $0.isTold == isTold && gone.contains($0.member.key) == isGone }.map(\.member.name)
        }
        return TeamChangeReport(
            view: view(current), byOthers: TeamDifference(from: changed.team, to: current.team).sentences,
            told: names(isTold: true, isGone: false),
            notReached: names(isTold: false, isGone: false), removedTold: names(isTold: true, isGone: true),
            removedNotReached: names(isTold: false, isGone: true))
    }

    /// Leaves a team: says so to the members that can be reached, and deletes its roster and secrets.
    ///
    /// Members that know treat this device as a stranger at once and pass it on; the next roster of an admin is without
    /// it.
    /// - Returns: the members that know, and those that do not yet.
    /// - Throws: `NodeError` if there is no such team, or this device is its only admin and there are other members;
    ///   `StoreError`.
    @discardableResult
    public func leaveTeam(_ team: String) async throws -> (told: [DeviceName], notReached: [DeviceName]) {
        let leaving = try await withLookupThread { () -> StoredTeam? in
            let stored = try environment.storedTeam(team)
            let admins = stored.team.members.filter(\.isAdmin)
            if admins.map(\.key) == [PinnedKey(identity.publicKey)], stored.team.members.count > 1 {
                throw NodeError(
                    .notTrusted,
                    "This device is the only admin of “\(stored.team.name)”, and without one nobody can be taken in or removed. "
                        + "Make another member an admin first.", advice: .promoteMember)
            }
            guard !stored.isRemoved, stored.team.members.count > 1 else {
                try store.teams.leave(stored.id)
                return nil
            }
            return try translating(store.teams.sayLeaving(stored.id, by: identity), NodeError.ofTeam)
        }
        guard let leaving else { return ([], []) }
        let results = await environment.spread(leaving)
        _ = try await withLookupThread { try store.teams.leave(leaving.id) }
        return (results.filter(\.isTold).map(\.member.name), results.filter { !$0.isTold }.map(\.member.name))
    }

    /// Makes a team the default team.
    ///
    /// - Throws: `NodeError` if there is no such team, or this device was removed from it; `StoreError`.
    public func useTeam(_ team: String) async throws {
        try await withLookupThread {
            let id = try environment.storedTeam(team).id
            try translating(store.teams.use(id), NodeError.ofTeam)
        }
    }

    /// Returns the audience of a `team` or `group` representation.
    ///
    /// - Parameters:
    ///   - team: name as in ``changeTeam(_:_:)``.
    ///   - groups: if empty, the groups of the team that contain this device.
    /// - Throws: `NodeError` if there is no such team or group.
    public func audience(team: String?, groups: [GroupName]) async throws -> Audience {
        try await withLookupThread { try environment.currentAudience(team: team, groups: groups) }
    }

    /// May block.
    func change(_ id: TeamID, _ change: RosterChange) throws -> StoredTeam {
        try translating(store.teams.change(id, change, by: identity, now: runtime.date), NodeError.ofTeam)
    }

    func view(_ stored: StoredTeam) -> TeamView {
        TeamView(stored, own: PinnedKey(identity.publicKey), now: runtime.date)
    }

    /// A team that this device may change. May block.
    ///
    /// - Throws: `NodeError` if there is none or this device is no admin of it, `StoreError`
    func administeredTeam(_ named: String?) throws -> StoredTeam {
        let stored = try environment.storedTeam(named)
        guard stored.team.member(PinnedKey(identity.publicKey))?.isAdmin ?? false else {
            throw NodeError.ofTeam(.change(.notAdmin))
        }
        return stored
    }
}

extension RosterChange {
    /// Key of the member that the change removes; nil for any other change.
    fileprivate var removed: PinnedKey? { if case .remove(let key) = self { key } else { nil } }

    fileprivate init(_ change: TeamChange, in team: Team) throws(NodeError) {
        self =
            switch change {
            case .remove(let name): .remove(try team.key(of: name))
            case .addToGroup(let group, let name): .addToGroup(try team.key(of: name), group)
            case .removeFromGroup(let group, let name): .removeFromGroup(try team.key(of: name), group)
            case .promote(let name): .promote(try team.key(of: name))
            case .demote(let name): .demote(try team.key(of: name))
            case .renew: .renew
            }
    }
}

extension Team {
    /// - Throws: `NodeError` if no member, or more than one, is called that.
    fileprivate func key(of name: DeviceName) throws(NodeError) -> PinnedKey {
        let named = members.filter { $0.name.comparisonKey == name.comparisonKey }
        guard let member = named.first else {
            throw NodeError(.unreachable, "Nobody in “\(self.name)” is called “\(name)”.", advice: .listMembers)
        }
        guard named.count == 1 else {
            throw NodeError(.unreachable, "\(named.count) members of “\(self.name)” are called “\(name)”.")
        }
        return member.key
    }
}

extension NodeError {
    /// Returns the error for a person when a team could not be made, joined or changed.
    static func ofTeam(_ error: TeamError) -> any Error {
        if case .store(let error) = error { return error }
        return NodeError(NodeError.Kind(error), error.description, advice: error.advice)
    }
}

extension NodeError.Kind {
    fileprivate init(_ error: TeamError) {
        self =
            switch error {
            case .store: .inputOutput
            case .unknown, .change(.noSuchMember): .unreachable
            case .roster, .notInvited, .removed: .notTrusted
            case .change(.notAdmin), .change(.notFounder), .change(.isAdmin), .change(.cannotRemoveItself),
                .change(.overruled):
                .notTrusted
            case .nameTaken, .change: .badInput
            }
    }
}
