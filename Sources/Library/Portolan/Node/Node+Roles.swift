import PortolanConcurrency
import PortolanProtocol
import PortolanTransport

/// Sessions with roles from outside of this module.
extension Node {
    /// Listens, and plays a role in the sessions of peers that come, until the task is cancelled.
    ///
    /// - Parameter events: called with events of the node itself, from any thread; must return quickly.
    /// - Throws: `NodeError` when the port cannot be used, or the node hides from all but its teams and is in none.
    package func play(
        _ role: RoleMaker, events: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) async throws {
        try await service.play(role, events: events)
    }

    /// Opens a session with a peer, plays a role in it, and ends it when `body` has returned.
    ///
    /// - Throws: `NodeError` when no session comes about, or it breaks; what `body` throws; `CancellationError`.
    package func withSession<Result: Sendable>(
        with peer: Peer, playing role: RoleMaker, _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let meant = MeantPeer(peer: peer, met: nil, known: store.peers, purpose: .keepingAlike)
        do {
            return try await withBlockingThread {
                let session = try await self.environment.connect(to: peer) { remote in
                    _ = try await withLookupThread { try meant.judge(remote) }
                }
                var roles = SessionRoles()
                roles.additional = [role]
                return try await SessionDriver.run(on: session, ledger: self.environment.ledger(), roles: roles) {
                    try await self.sessions.passing($0, body)
                }
            }
        } catch {
            try Task.checkCancellation()
            throw NodeError.ofSession(error)
        }
    }

    /// Opens a session without an offer. The peer learns from it that this device is available
    /// (``ReceiveEvent/connected(_:)``).
    package func exchangeRosters(with peer: Peer, expecting key: PinnedKey) async throws {
        try await environment.exchangeRosters(with: peer, expecting: key)
    }

    /// Runs `body` for all elements, a few at a time, and gives the results in the order of the elements.
    package func concurrently<Element: Sendable, Result: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Result
    ) async -> [Result] {
        await elements.concurrently(body)
    }

    /// Rights of a device at this moment.
    package func standing(of key: DevicePublicKey) async throws -> Standing {
        try await withLookupThread { try store.standing(of: key, now: runtime.date) }
    }

    /// Rights of a device at this moment; nil if they cannot be read. Blocks.
    package func standing(ofKey key: PinnedKey) -> Standing? {
        (try? DevicePublicKey(bytes: key.bytes)).flatMap { try? store.standing(of: $0, now: runtime.date) }
    }

    /// Keys of the members of a team or group, without this device; empty if this device is not in the team.
    package func members(of team: TeamID, in group: GroupName?) async throws -> [PinnedKey] {
        let own = PinnedKey(identity.publicKey)
        return try await withLookupThread {
            guard let stored = try store.teams.all().first(where: { $0.id == team }), !stored.isRemoved else {
                return []
            }
            return stored.team.members.filter { member in
                member.key != own && group.map { member.groups.contains($0) } ?? true
            }.map(\.key)
        }
    }

    /// Devices that were removed from each team of this device, with the times at which that was signed.
    package func removals() async throws -> [TeamID: [PinnedKey: Date]] {
        try await withLookupThread {
            let stored = try store.teams.all().filter { !$0.isRemoved }
            return Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.removals) })
        }
    }

    /// Name of a contact, or of a member of a team of this device; nil for another device.
    package func knownName(of key: PinnedKey) async throws -> String? {
        try await withLookupThread {
            if let contact = try store.peers.contacts().first(where: { $0.key == key }) { return contact.name.text }
            return try store.teams.all().lazy.compactMap { $0.team.member(key) }.first?.name.text
        }
    }

    /// The team that a user names.
    ///
    /// - Throws: `NodeError` if there is none, or it has no such group.
    package func team(of target: TeamTarget) async throws -> TeamID {
        let groups = target.group.map { [$0] } ?? []
        _ = try await audience(team: target.team.text, groups: groups)
        return try await withLookupThread { try environment.storedTeam(target.team.text).id }
    }

    /// The contact that a user names by its name or the beginning of its fingerprint (8 characters or more).
    ///
    /// - Throws: `NodeError` if there is none, or more than one.
    package func contact(named text: String) async throws -> (name: DeviceName, key: PinnedKey) {
        let contacts = try await withLookupThread { try store.peers.contacts() }
        let name = try? DeviceName(text)
        let isLongEnough = text.count(where: { $0 != "-" }) >= Target.shortestPrefix
        let named = contacts.filter { contact in
            name.map { contact.goes(by: $0) } ?? false || isLongEnough && contact.fingerprint.hasPrefix(text)
        }
        let ofHost = contacts.filter { contact in
            name.map { HostTarget.host(of: contact.name.text) == $0.comparisonKey } ?? false
        }
        let found = named.isEmpty ? ofHost : named
        guard let one = found.first else {
            throw NodeError(
                .unreachable,
                "There is no contact “\(DisplayText(text, limit: 80))”; 'portolan pair' makes one of a device.")
        }
        guard found.count == 1 else {
            throw NodeError(.badInput, "“\(DisplayText(text, limit: 80))” may be one of several contacts.")
        }
        return (one.name, one.key)
    }
}
