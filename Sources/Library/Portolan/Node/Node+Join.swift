import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization

extension Node {
    /// Waits for devices that enter the code of an invitation, and adds them to a team.
    ///
    /// - Parameters:
    ///   - team: its name, or its identifier; nil means the default one.
    ///   - groups: groups of the team for the devices.
    ///   - uses: number of devices that may enter the code.
    ///   - joined: called with each new member, from any thread.
    /// - Throws: `NodeError` if there is no such team or this device is no admin of it, and as
    ///   ``waitForPairing(_:valid:events:)``; devices that have joined before that are members.
    public func invite(
        to team: String?, groups: [GroupName] = [], uses: Int = 1, code: PairingCode, valid: Duration = .seconds(600),
        joined: @escaping @Sendable (Member) -> Void = { _ in },
        events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws {
        precondition(uses > 0)
        let id = try await withLookupThread { try administeredTeam(team).id }
        let left = Mutex(uses)
        let waiting = CodeListener(
            code, for: .joining, uses: uses, valid: valid, in: environment, listener: listener, events: events)
        try await waiting.run { session in
            do {
                try await AdmittingRun.run(on: session) { name in
                    let member = try self.admit(session.peer, as: name, groups, to: id)
                    joined(member)
                    return try self.heads(of: id)
                }
            } catch {
                // The device is already a member at this point, and can enter a code again.
                events(.refused(address: session.address, reason: "\(NodeError.ofSession(error))"))
                // A device that is not an admin any more cannot admit further members.
                _ = try await withLookupThread { try self.administeredTeam(id.description) }
            }
            return left.withLock { left in
                left -= 1
                return left > 0
            }
        }
        let stored = try? await withLookupThread { try store.teams.all().first { $0.id == id } }
        if let stored { _ = await environment.spread(stored) }
    }

    /// Enters the code of an invitation, and becomes a member of the team.
    ///
    /// - Parameter name: name of this device in the team; nil means its name.
    /// - Throws: errors of ``pair(with:at:wait:events:)``
    public func join(
        with code: PairingCode, as name: DeviceName? = nil, at place: String? = nil, wait: Duration = .seconds(120),
        events: @escaping @Sendable (CodeEvent) -> Void = { _ in }
    ) async throws -> TeamView {
        let session = try await CodeConnector(environment: environment, code: code, purpose: .joining, events: events)
            .open(at: place, wait: wait)
        let stored: StoredTeam
        do {
            stored = try await JoiningRun.run(on: session, name: name ?? identity.name) { _, heads in
                try self.keep(heads, invitedBy: session.peer)
            }
        } catch {
            throw NodeError.ofSession(error)
        }
        // The other members treat the device as a stranger until they have the new roster.
        _ = await environment.spread(stored)
        return view(stored)
    }

    /// Adds a device that has proved knowledge of the code; a member is added to groups that it is not in. May block.
    ///
    /// - Throws: `TransportError.notEntitled` if this device is no admin any more: the invitation may be older than its
    ///   removal.
    private func admit(
        _ peer: RemoteIdentity, as wanted: DeviceName, _ groups: [GroupName], to id: TeamID
    ) throws -> Member {
        let team = try inviting(to: id).team
        try confirm(peer)
        let key = PinnedKey(peer.deviceKey)
        // An existing member may have lost the roster, or its connection broke before it received the roster.
        if var member = team.member(key) {
            for group in groups where !member.groups.contains(group) {
                member = try change(id, .addToGroup(key, group)).team.member(key) ?? member
            }
            return member
        }
        // Two members of the same name could not be distinguished.
        let name = wanted.free(among: Set(team.members.map(\.name.comparisonKey)))
        let changed = try change(id, .add(key, name: name, groups: groups))
        guard let member = changed.team.member(key) else {
            throw NodeError(.notTrusted, "What another admin signed takes back what this one did; try again.")
        }
        return member
    }

    private func heads(of id: TeamID) throws -> (TeamID, [RosterHead]) {
        (id, try inviting(to: id).told.map { try RosterHead($0) })
    }

    private func inviting(to id: TeamID) throws -> StoredTeam {
        do {
            return try administeredTeam(id.description)
        } catch let error as NodeError {
            throw TransportError.notEntitled("Nobody was taken in. \(error)")
        }
    }

    /// May block.
    private func keep(_ heads: [RosterHead], invitedBy peer: RemoteIdentity) throws -> StoredTeam {
        do {
            let stored = try store.teams.join(
                heads.map(TeamHeads.Update.init), invitedBy: peer.deviceKey, own: identity.publicKey, now: runtime.date)
            try confirm(peer)
            return stored
        } catch let error as TeamError {
            throw NodeError.ofTeam(error)
        }
    }
}
