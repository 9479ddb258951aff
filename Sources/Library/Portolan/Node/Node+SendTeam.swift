import PortolanConcurrency
import PortolanTransport

/// Outcome of the items that were sent to one member of a team.
public struct MemberDelivery: Sendable {
    public let member: Member
    /// Deliveries; or the reason why no session was opened, or why it broke.
    public let result: Result<[Delivery], NodeError>

    /// True if a session with the member was opened.
    public var isReached: Bool {
        if case .failure(let error) = result { error.kind != .unreachable } else { true }
    }
}

extension Node {
    /// Longest search for a recently seen member.
    private static let longestSearch = Duration.seconds(60)
    /// Age of a meeting that counts as recent, in seconds. Meetings are stored to the hour.
    private static let lately: TimeInterval = 2 * 3600

    /// Sends items to all members of a team, or of one of its groups that can be reached; to several at once.
    ///
    /// A form that is for everybody is sent for the team or group alone, so that no receiver passes it on to others;
    /// a form that is requested `.exactly(.everyone)` is not.
    ///
    /// A member that was seen recently or is announced is searched for one minute, or for ``SendOptions/retry`` if that
    /// is shorter; any other member for `Configuration.findWait`.
    ///
    /// - Parameters:
    ///   - team: its name, or its identifier.
    ///   - events: called in order for each member, from any thread; must return quickly.
    /// - Returns: one result for each member but this device, in the order of the roster.
    /// - Throws: `NodeError` if there is no such team or group or it has no other member, `StoreError`,
    ///   `CancellationError`.
    public func send(
        _ items: [Item], toTeam team: String, group: GroupName? = nil, options: SendOptions = SendOptions(),
        events: @escaping @Sendable (Member, SendEvent) -> Void = { _, _ in }
    ) async throws -> [MemberDelivery] {
        try await send(
            self.items(items, forTeam: team, group: group), numbered: Array(items.indices), toTeam: team, group: group,
            options: options, events: events)
    }

    /// - Parameters:
    ///   - numbers: numbers of the items in events and deliveries.
    ///   - settled: numbers of items that a member has already, by the fingerprint of its key. A member that has all is
    ///     left out.
    func send(
        _ items: [Item], numbered numbers: [Int], settled: [Fingerprint: [Int: ParcelSettlement]] = [:],
        toTeam team: String, group: GroupName?, options: SendOptions,
        events: @escaping @Sendable (Member, SendEvent) -> Void
    ) async throws -> [MemberDelivery] {
        let members = try await withLookupThread { try otherMembers(ofTeam: team, group: group) }
        let spooled = try await SpooledItems(items, copies: members.count)
        let errands = members.compactMap { member in
            let known = settled[member.key.fingerprint] ?? [:]
            let places = numbers.indices.filter { known[numbers[$0]] == nil }
            return places.isEmpty
                ? nil
                : MemberErrand(
                    member: member, items: places.map { spooled.items[$0] }, numbers: places.map { numbers[$0] })
        }
        guard !errands.isEmpty else { return [] }
        let seenLately = try await withLookupThread { try fingerprintsSeenLately() }
        let results = await deliver(errands, seenLately: seenLately, options, events)
        withExtendedLifetime(spooled) {}
        try Task.checkCancellation()
        return zip(errands, results).map { MemberDelivery(member: $0.member, result: $1) }
    }

    /// Members of a team, or of one of its groups, but for this device. May block.
    ///
    /// - Throws: `NodeError` if there is no such team or group, it has no other member, or it cannot be sent to;
    ///   `StoreError`.
    func otherMembers(ofTeam team: String, group: GroupName?) throws -> [Member] {
        let stored = try environment.storedTeam(team)
        guard !stored.isRemoved else {
            throw NodeError(.notTrusted, "This device has been removed from “\(stored.team.name)”.")
        }
        if stored.team.validity(now: runtime.date) != .valid, let warning = stored.warning(now: runtime.date) {
            let isAdmin = stored.team.member(PinnedKey(identity.publicKey))?.isAdmin == true
            throw NodeError(
                .notTrusted, "“\(stored.team.name)”: \(warning)",
                advice: isAdmin ? .renewTeam(stored.team.name) : nil)
        }
        let members = stored.team.members.filter { member in group.map { member.groups.contains($0) } ?? true }
        if members.isEmpty, let group {
            throw NodeError(.unreachable, "Team “\(stored.team.name)” has no group “\(group)”.")
        }
        let others = members.filter { !$0.key.matches(identity.publicKey) }
        guard !others.isEmpty else {
            throw NodeError(.unreachable, "Nobody else is in it yet.", advice: .inviteMembers)
        }
        return others
    }

    /// May block.
    private func fingerprintsSeenLately() throws -> Set<Fingerprint> {
        let met = try store.peers.all().filter { abs(runtime.date.timeIntervalSince($0.lastSeen)) < Self.lately }
        return Set(met.map(\.fingerprint))
    }

    private enum News: Sendable {
        case peers([Peer])
        /// End of discovery.
        case blind
        case time
        case ended(member: Int, Result<[Delivery], NodeError>)
    }

    private func deliver(
        _ errands: [MemberErrand], seenLately: Set<Fingerprint>, _ options: SendOptions,
        _ events: @escaping @Sendable (Member, SendEvent) -> Void
    ) async -> [Result<[Delivery], NodeError>] {
        let members = errands.map(\.member)
        var search = MemberSearch(
            members.map(\.key.fingerprint).map { .init(fingerprint: $0, wasSeenLately: seenLately.contains($0)) },
            findWait: configuration.findWait, patience: min(options.retry, Self.longestSearch),
            breadth: SessionsAtOnce.most,
            now: runtime.now)
        var results: [Result<[Delivery], NodeError>?] = Array(repeating: nil, count: members.count)
        await withDiscardingTaskGroup { tasks in
            defer { tasks.cancelAll() }
            let (news, feed) = AsyncStream.makeStream(of: News.self)
            tasks.addTask {
                for await snapshot in self.peers() {
                    feed.yield(.peers(snapshot.peers))
                    // Without discovery, no further peer is found.
                    if snapshot.isSettled, snapshot.peers.isEmpty, snapshot.note != nil { break }
                }
                feed.yield(.blind)
            }
            var alarm: ContinuousClock.Instant?
            for await item in news {
                switch item {
                case .peers(let peers): search.found(peers)
                case .blind: search.endLooking()
                case .time: alarm = nil
                case .ended(let member, let result):
                    results[member] = result
                    let wait = search.ended(member, isUnreachable: result.isUnreachable, now: runtime.now)
                    if let wait, case .failure(let error) = result {
                        events(members[member], .retrying(reason: error.description, after: wait))
                    }
                }
                for step in search.next(now: runtime.now) {
                    switch step {
                    case .send(let member, let peer):
                        tasks.addTask {
                            let result = await self.deliver(errands[member], at: peer, options, events)
                            feed.yield(.ended(member: member, result))
                        }
                    case .looking(let member, let time): events(members[member], .looking(for: time))
                    case .giveUp(let member):
                        let name = members[member].name
                        results[member] =
                            results[member] ?? .failure(NodeError(.unreachable, "“\(name)” cannot be reached now."))
                    }
                }
                guard !search.isOver else { break }
                let now = runtime.now
                guard let next = search.nextLook(after: now), alarm.map({ next < $0 }) ?? true else { continue }
                alarm = next
                tasks.addTask {
                    try? await self.runtime.sleep(until: next)
                    feed.yield(.time)
                }
            }
        }
        return results.map { $0 ?? .failure(NodeError(.interrupted, "It was stopped.")) }
    }

    private func deliver(
        _ errand: MemberErrand, at peer: Peer, _ options: SendOptions,
        _ events: @escaping @Sendable (Member, SendEvent) -> Void
    ) async -> Result<[Delivery], NodeError> {
        var peer = peer
        // The roster determines the key; the announced name is irrelevant.
        peer.isChosenByKey = true
        do {
            let deliveries = try await send(
                errand.items, numbered: errand.numbers, of: .random(), to: peer, options: options
            ) { events(errand.member, $0) }
            return .success(deliveries)
        } catch let error as NodeError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(NodeError(.interrupted, "It was stopped."))
        } catch {
            return .failure(NodeError(.inputOutput, "\(error)"))
        }
    }
}

/// Items for one member.
private struct MemberErrand: Sendable {
    let member: Member
    let items: [Item]
    /// Of the items, in events and deliveries.
    let numbers: [Int]
}

extension Result<[Delivery], NodeError> {
    /// True if no session was opened.
    fileprivate var isUnreachable: Bool {
        if case .failure(let error) = self { error.kind == .unreachable } else { false }
    }
}
