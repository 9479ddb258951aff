import Portolan
import PortolanClient
import PortolanSettings

/// Delivers the parcels of the outbox to visible peers, by an ``OutboxSchedule``.
actor Dispatcher {
    private let node: Node
    private let database: AgentDatabase
    private let health: StateHealth
    private let sightings: PeerSightings
    private let delivery: ParcelDelivery
    private var schedule = OutboxSchedule(chance: SystemRandomNumberGenerator())
    private var running: [ScheduledDelivery: Attempt] = [:]
    private var attempts = 0
    private var waking: Task<Void, Never>?
    private var isStopping = false
    /// Targets of all parcels in the schedule.
    private var targets: Set<String> = []
    /// Targets of parcels that go to each member of a team.
    private var teams: [StateID: ParcelTarget] = [:]
    /// Visible peers; nil before the first snapshot.
    private(set) var sight: PeerSnapshot?
    var peers: [Peer] { sight?.peers ?? [] }
    /// Reason why no peers are looked for at the moment, a sentence; nil without a problem.
    var problem: String? {
        sight?.problem.map { "Peers are not looked for at the moment. \(DisplayText(sentence: $0, limit: 500))" }
    }
    /// Peers to which a connection is being made; true if another one was requested meanwhile.
    private var knocks: [PinnedKey: Bool] = [:]

    private struct Attempt {
        let number: Int
        let task: Task<Void, Never>
    }

    init(node: Node, settings: Settings, database: AgentDatabase, health: StateHealth, journal: EventJournal) {
        self.node = node
        self.database = database
        self.health = health
        sightings = PeerSightings { journal.append($0) }
        delivery = ParcelDelivery(node: node, settings: settings, database: database)
    }

    /// Delivers until the task is cancelled; then ends running deliveries.
    func run() async throws {
        async let _ = sightings.run()
        while !database.isRecovered, !Task.isCancelled {
            if (try? await database.write { _ in }) == nil { try? await Task.sleep(for: .seconds(10)) }
        }
        let parcels = try await database.read { change in
            try change.outbox.list(states: [.waiting], limit: .max).map {
                ($0, try change.outbox.settlements(of: $0.id))
            }
        }
        for (parcel, settlements) in parcels { add(parcel, settlements) }
        while !Task.isCancelled {
            for await snapshot in node.peers() { see(snapshot) }
            // Without discovery there is one snapshot, and the deliveries to fixed addresses continue.
            try? await Task.sleep(for: .seconds(60))
        }
        isStopping = true
        waking?.cancel()
        for attempt in running.values { attempt.task.cancel() }
        while let attempt = running.values.first { await attempt.task.value }
    }

    // MARK: - Parcels

    /// Adds a waiting parcel.
    ///
    /// - Parameter settlements: known outcomes of it.
    func add(_ parcel: OutboxParcel, _ settlements: [StoredSettlement] = []) {
        let target = ParcelTarget(parcel.target)
        if target.isTeam { teams[parcel.id] = target }
        let isNewTarget = targets.insert(parcel.wanted).inserted
        if Node.isAddress(parcel.target) {
            handle(.appeared(Self.handle(ofAddress: parcel.target), targets: [parcel.target]))
        } else if isNewTarget {
            tellTargets()
        }
        handle(
            .added(
                ScheduledParcel(
                    id: parcel.id, target: parcel.wanted, order: parcel.order, expires: parcel.expires,
                    goesToEach: target.isTeam, done: target.isTeam ? parcel.done(settlements) : [])))
    }

    /// Ends the delivery of a parcel.
    func remove(_ id: StateID) {
        teams[id] = nil
        handle(.removed(id))
    }

    /// Adds a parcel that its owner wants to try again now, without the back-off of its peer.
    func retry(_ parcel: OutboxParcel, _ settlements: [StoredSettlement]) {
        remove(parcel.id)
        let meant = Node.peers(meantBy: parcel.wanted, among: peers).map { PeerHandle($0.id) }
        for handle in Node.isAddress(parcel.target) ? [Self.handle(ofAddress: parcel.target)] : meant {
            self.handle(.disappeared(handle))
        }
        // Visible peers appear again.
        tellTargets()
        add(parcel, settlements)
    }

    private static func handle(ofAddress target: String) -> PeerHandle { PeerHandle("address \(target)") }

    // MARK: - Peers

    private func see(_ sight: PeerSnapshot) {
        let peers = sight.peers
        let earlier = Set(self.peers.map(\.id))
        let now = Set(peers.map(\.id))
        let gone = self.peers.filter { !now.contains($0.id) }
        self.sight = sight
        for peer in gone {
            sightings.noteGone(peer)
            handle(.disappeared(PeerHandle(peer.id)))
        }
        for peer in peers where !earlier.contains(peer.id) { sightings.noteAppeared(peer) }
        tellTargets()
    }

    /// Reports that a peer has connected to this device: waiting parcels for it are delivered now.
    func meet(_ fingerprint: Fingerprint) {
        for peer in peers where peer.fingerprint == fingerprint { handle(.met(PeerHandle(peer.id))) }
    }

    /// Connects to the peer of a key if it is visible. Its agent then delivers the parcels that wait for this device.
    func knock(at key: PeerKey) {
        guard !isStopping, let pinned = PinnedKey(bytes: key.bytes),
            let peer = peers.first(where: { $0.fingerprint == pinned.fingerprint })
        else { return }
        guard knocks.updateValue(knocks[pinned] != nil, forKey: pinned) == nil else { return }
        Task {
            // After a failure the peer delivers at its own next attempt.
            try? await node.exchangeRosters(with: peer, expecting: pinned)
            if knocks.removeValue(forKey: pinned) == true { knock(at: key) }
        }
    }

    /// Updates the targets of each visible peer in the schedule.
    private func tellTargets() {
        var meaning: [String: Set<String>] = [:]
        for target in targets {
            for peer in Node.peers(meantBy: target, among: peers) { meaning[peer.id, default: []].insert(target) }
        }
        for peer in peers { handle(.appeared(PeerHandle(peer.id), targets: meaning[peer.id] ?? [])) }
    }

    // MARK: - The schedule

    private func handle(_ event: OutboxSchedule.Event) {
        guard !isStopping else { return }
        perform(schedule.handle(event, at: .now, date: database.now))
    }

    private func perform(_ actions: [OutboxSchedule.Action]) {
        guard !isStopping else { return }
        for action in actions {
            switch action {
            case .start(let delivery):
                attempts += 1
                let number = attempts
                running[delivery] = Attempt(number: number, task: Task { await deliver(delivery, number) })
            case .stop(let delivery): running[delivery]?.task.cancel()
            // The back-off is recorded with the end of the attempt.
            case .backOff: break
            case .expire: Task { await expire() }
            case .wake(let time):
                waking?.cancel()
                waking = Task {
                    guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
                    handle(.tick)
                }
            }
        }
    }

    private func deliver(_ delivery: ScheduledDelivery, _ number: Int) async {
        let outcome = await self.delivery.run(delivery)
        if let team = teams[delivery.parcel] { return await endAtMember(delivery, number, outcome, of: team) }
        switch outcome {
        case .delivered:
            await record(delivery.parcel, .delivered)
            end(delivery, number)
            handle(.settled(delivery))
        case .failed(let reason):
            await record(delivery.parcel, .failed(reason: reason))
            end(delivery, number)
            handle(.failed(delivery, .final))
        case .over:
            end(delivery, number)
            handle(.failed(delivery, .final))
        case .again(let failure, let reason):
            let (actions, due) = backOff(delivery, failure)
            let state = await record(delivery.parcel, .waiting(reason: reason, due: due))
            end(delivery, number)
            perform(actions)
            if let state, state != .waiting { remove(delivery.parcel) }
        }
    }

    /// Ends an attempt at one member of a team; other attempts continue.
    private func endAtMember(
        _ delivery: ScheduledDelivery, _ number: Int, _ outcome: DeliveryEnd, of team: ParcelTarget
    ) async {
        var (reason, due): (String?, Date?) = (nil, nil)
        var actions: [OutboxSchedule.Action] = []
        var isFailed = false
        switch outcome {
        case .delivered, .over: break
        case .failed(let text): (reason, isFailed) = (text, true)
        case .again(let failure, let text):
            reason = text
            (actions, due) = backOff(delivery, failure)
        }
        end(delivery, number)
        let others = running.keys.contains { $0.parcel == delivery.parcel }
        var state: ParcelState?
        do {
            let members = Set(try await node.members(of: team).compactMap { PeerKey($0.key.bytes) })
            let failed = isFailed ? members.first { PeerHandle($0) == delivery.peer } : nil
            state = try await health.writing { [database, reason, due] in
                try await database.write { change in
                    if let failed { try change.outbox.fail(delivery.parcel, at: failed, reason: reason) }
                    return try change.outbox.endAttempt(
                        delivery.parcel, members: members, reason: reason, due: due, others: others)
                }
            }
        } catch let error as NodeError {
            // The team does not exist any more, or this device has left it.
            state = await record(delivery.parcel, .failed(reason: DisplayText(oneLine: "\(error)", limit: 1000).text))
        } catch {
            let reason = DisplayText(oneLine: "\(error)", limit: 1000).text
            state = await record(delivery.parcel, .waiting(reason: reason, due: due))
        }
        if case .again = outcome { perform(actions) } else { handle(.settled(delivery)) }
        if let state, state != .waiting, state != .running { remove(delivery.parcel) }
    }

    /// - Returns: actions of the schedule after a failure, and the time of the next attempt.
    private func backOff(
        _ delivery: ScheduledDelivery, _ failure: OutboxSchedule.Failure
    ) -> (actions: [OutboxSchedule.Action], due: Date?) {
        guard !isStopping else { return ([], nil) }
        let now = ContinuousClock.now
        let actions = schedule.handle(.failed(delivery, failure), at: now, date: database.now)
        let due = actions.compactMap { action -> Date? in
            guard case .backOff(delivery, let time) = action else { return nil }
            return database.now.addingTimeInterval((time - now) / .seconds(1))
        }.first
        return (actions, due)
    }

    /// Ends a delivery. The same parcel may already be in the next delivery when the end of this one has been written.
    private func end(_ delivery: ScheduledDelivery, _ number: Int) {
        if running[delivery]?.number == number { running[delivery] = nil }
    }

    /// - Returns: the state of the parcel from now on; nil if it could not be written.
    @discardableResult
    private func record(_ id: StateID, _ end: AttemptEnd) async -> ParcelState? {
        try? await health.writing { [database] in try await database.write { try $0.outbox.endAttempt(id, end) } }
    }

    private func expire() async {
        _ = try? await health.writing { [database] in try await database.write { try $0.outbox.expire() } }
    }
}

extension PeerHandle {
    /// Visible peer with this key.
    init(_ key: PeerKey) { self.init(Fingerprint(ofKeyBytes: key.bytes).description) }
}

extension OutboxParcel {
    /// Target for the schedule: the key that the parcel is for, if it is known, so that others of the name are passed
    /// over. An address stays the place to connect to.
    fileprivate var wanted: String { Node.isAddress(target) ? target : fingerprint ?? target }

    /// Receivers with an outcome for each item.
    fileprivate func done(_ settlements: [StoredSettlement]) -> Set<PeerHandle> {
        let members = Dictionary(grouping: settlements, by: \.member)
        return Set(members.filter { $0.value.count >= titles.count }.keys.map { PeerHandle($0) })
    }
}
