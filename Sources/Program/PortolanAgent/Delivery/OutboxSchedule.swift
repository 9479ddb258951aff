import Foundation

/// Handle of a visible peer: its key or its address, as text.
package struct PeerHandle: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

/// Delivery of a parcel to one peer.
package struct ScheduledDelivery: Hashable, Sendable {
    package let parcel: StateID
    package let peer: PeerHandle
}

/// A parcel of the outbox, as the schedule sees it.
package struct ScheduledParcel: Hashable, Sendable {
    package var id: StateID
    package var target: String
    package var order: Int64
    package var expires: Date?
    /// True for delivery to each peer that the target matches, as to a team, and not only to one.
    package var goesToEach: Bool = false
    /// Peers that have received it, if the parcel goes to each.
    package var done: Set<PeerHandle> = []
}

/// Schedule of deliveries: decides which parcel goes to which peer, and when. Time and random numbers come from
/// outside; it has no threads.
///
/// A peer gets one parcel at a time, in their order. At most ``ScheduleLimits/running`` deliveries run in all, and the
/// peers with the longest wait come first. After a failure of the connection the whole peer backs off, so the order
/// stays. After a failure of the parcel that parcel backs off, and later ones go before it. A peer that appears ends
/// its back-offs.
///
/// ```swift
/// for action in schedule.handle(.appeared(peer, targets: ["laptop"]), at: now, date: date) { ... }
/// ```
package struct OutboxSchedule: Sendable {
    package enum Event: Hashable, Sendable {
        /// A parcel waits. For a known parcel, the expiry and the set of served peers are updated.
        case added(ScheduledParcel)
        /// A parcel need not be delivered any more: cancelled, expired, or stored everywhere.
        case removed(StateID)
        /// A peer is visible, or its targets have changed.
        case appeared(PeerHandle, targets: Set<String>)
        case disappeared(PeerHandle)
        /// A visible peer has shown that it is reachable, for example by connecting: its back-offs end, and continue
        /// with the next failure.
        case met(PeerHandle)
        /// A delivery ended, and needs no further attempt at the peer.
        case settled(ScheduledDelivery)
        case failed(ScheduledDelivery, Failure)
        case tick
    }

    package enum Failure: Hashable, Sendable {
        /// The peer could not be reached, or the connection broke.
        case connection
        /// The peer cannot take this parcel at present, for example because it has no room.
        case parcel
        /// The failure is permanent: the parcel leaves the schedule, or of a parcel for each, this peer is done.
        case final
    }

    package enum Action: Hashable, Sendable {
        case start(ScheduledDelivery)
        /// Ends a delivery of a removed parcel. The caller answers with ``Event/settled(_:)`` or
        /// ``Event/failed(_:_:)``.
        case stop(ScheduledDelivery)
        /// The delivery failed. Time of the next attempt, unless the peer appears before.
        case backOff(ScheduledDelivery, until: ContinuousClock.Instant)
        /// The parcel has expired and left the schedule.
        case expire(StateID)
        /// Time of the next ``Event/tick``; replaces an earlier one. A superfluous tick does no harm.
        case wake(ContinuousClock.Instant)
    }

    private struct Peer {
        /// Targets that match; nil while the peer is not visible.
        var targets: Set<String>?
        var backOff = BackOff()
        var running: StateID?
        /// Number of the last start; the peer with the smallest is next.
        var served: UInt64 = 0
    }

    private let limits: ScheduleLimits
    private var chance: any RandomNumberGenerator & Sendable
    private var parcels: [StateID: ScheduledParcel] = [:]
    /// Parcels of each target, in order.
    private var queues: [String: [ScheduledParcel]] = [:]
    private var peers: [PeerHandle: Peer] = [:]
    private var backOffs: [ScheduledDelivery: BackOff] = [:]
    private var starts: UInt64 = 0
    /// Announced time of the next tick.
    private var announced: ContinuousClock.Instant?
    /// Earliest possible expiry.
    private var firstExpiry: Date?

    /// - Parameter chance: random numbers for the jitter.
    package init(limits: ScheduleLimits = ScheduleLimits(), chance: any RandomNumberGenerator & Sendable) {
        self.limits = limits
        self.chance = chance
    }

    /// Processes an event, and returns the actions.
    ///
    /// - Parameters:
    ///   - now: monotonic time, for back-offs.
    ///   - date: time of the wall clock, for expiry.
    package mutating func handle(_ event: Event, at now: ContinuousClock.Instant, date: Date) -> [Action] {
        var actions = take(event, at: now)
        actions += expire(date)
        actions += start(at: now)
        if let announced, announced <= now { self.announced = nil }
        if let wake = nextWake(after: now, date: date), announced.map({ wake < $0 }) ?? true {
            announced = wake
            actions.append(.wake(wake))
        }
        return actions
    }

    // MARK: - Events

    private mutating func take(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
        switch event {
        case .added(let parcel):
            add(parcel)
        case .removed(let id):
            remove(id)
            return peers.filter { $0.value.running == id }.keys.sorted { $0.text < $1.text }
                .map { .stop(ScheduledDelivery(parcel: id, peer: $0)) }
        case .appeared(let handle, let targets):
            let isNew = peers[handle]?.targets == nil
            peers[handle, default: Peer()].targets = targets
            if isNew { endWaits(of: handle) }
        case .met(let handle): endWaits(of: handle)
        case .disappeared(let handle):
            peers[handle]?.targets = nil
            forgetIdle(handle)
        case .settled(let delivery):
            guard release(delivery) else { break }
            peers[delivery.peer]?.backOff = BackOff()
            end(delivery)
            forgetIdle(delivery.peer)
        case .failed(let delivery, let failure):
            guard release(delivery) else { break }
            defer { forgetIdle(delivery.peer) }
            return fail(delivery, failure, at: now)
        case .tick: break
        }
        return []
    }

    private mutating func endWaits(of handle: PeerHandle) {
        peers[handle]?.backOff.due = nil
        for delivery in backOffs.keys where delivery.peer == handle { backOffs[delivery]?.due = nil }
    }

    private mutating func add(_ parcel: ScheduledParcel) {
        if let earlier = parcels[parcel.id] { dequeue(earlier) }
        parcels[parcel.id] = parcel
        let place = queues[parcel.target]?.lastIndex { $0.order <= parcel.order }.map { $0 + 1 } ?? 0
        queues[parcel.target, default: []].insert(parcel, at: place)
        if let expires = parcel.expires { firstExpiry = min(firstExpiry ?? expires, expires) }
    }

    private mutating func dequeue(_ parcel: ScheduledParcel) {
        guard let place = queues[parcel.target]?.firstIndex(where: { $0.id == parcel.id }) else { return }
        queues[parcel.target]?.remove(at: place)
        if queues[parcel.target]?.isEmpty == true { queues[parcel.target] = nil }
    }

    private mutating func remove(_ id: StateID) {
        guard let parcel = parcels.removeValue(forKey: id) else { return }
        dequeue(parcel)
        for delivery in backOffs.keys where delivery.parcel == id { backOffs[delivery] = nil }
    }

    /// Frees the peer for other parcels; returns false for a delivery that does not run.
    private mutating func release(_ delivery: ScheduledDelivery) -> Bool {
        guard peers[delivery.peer]?.running == delivery.parcel else { return false }
        peers[delivery.peer]?.running = nil
        return true
    }

    /// Records that the peer needs no other delivery of this parcel.
    private mutating func end(_ delivery: ScheduledDelivery) {
        guard var parcel = parcels[delivery.parcel] else { return }
        guard parcel.goesToEach else { return remove(parcel.id) }
        parcel.done.insert(delivery.peer)
        backOffs[delivery] = nil
        add(parcel)
    }

    private mutating func fail(_ delivery: ScheduledDelivery, _ failure: Failure, at now: ContinuousClock.Instant)
        -> [Action]
    {
        switch failure {
        case .final:
            end(delivery)
            return []
        case .connection:
            guard var peer = peers[delivery.peer] else { return [] }
            let due = peer.backOff.fail(at: now, limits, &chance)
            peers[delivery.peer] = peer
            return parcels[delivery.parcel] == nil ? [] : [.backOff(delivery, until: due)]
        case .parcel:
            peers[delivery.peer]?.backOff = BackOff()
            guard parcels[delivery.parcel] != nil else { return [] }
            let due = backOffs[delivery, default: BackOff()].fail(at: now, limits, &chance)
            return [.backOff(delivery, until: due)]
        }
    }

    /// Forgets an invisible peer without deliveries, with its back-offs, which its next appearance would end.
    private mutating func forgetIdle(_ handle: PeerHandle) {
        guard let peer = peers[handle], peer.targets == nil, peer.running == nil else { return }
        peers[handle] = nil
        for delivery in backOffs.keys where delivery.peer == handle { backOffs[delivery] = nil }
    }

    // MARK: - Actions

    /// Removes expired parcels. A running one ends its attempt first.
    private mutating func expire(_ date: Date) -> [Action] {
        guard let firstExpiry, firstExpiry <= date else { return [] }
        let running = Set(peers.values.compactMap(\.running))
        let over = parcels.values.filter { parcel in
            parcel.expires.map { $0 <= date } == true && !running.contains(parcel.id)
        }
        for parcel in over { remove(parcel.id) }
        self.firstExpiry = parcels.values.compactMap(\.expires).min()
        return over.sorted { $0.order < $1.order }.map { .expire($0.id) }
    }

    private mutating func start(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        var places = limits.running - peers.values.count { $0.running != nil }
        while places > 0 {
            let free = peers.compactMap {
                handle, peer -> (handle: PeerHandle, served: UInt64, parcel: ScheduledParcel)? in
                guard peer.running == nil, !peer.backOff.isWaiting(at: now) else { return nil }
                return nextParcel(for: handle, peer, at: now).map { (handle, peer.served, $0) }
            }
            let next = free.min { one, other in
                (one.served, one.parcel.order, one.handle.text) < (other.served, other.parcel.order, other.handle.text)
            }
            guard let next else { break }
            starts += 1
            peers[next.handle]?.served = starts
            peers[next.handle]?.running = next.parcel.id
            actions.append(.start(ScheduledDelivery(parcel: next.parcel.id, peer: next.handle)))
            places -= 1
        }
        return actions
    }

    /// Returns the first parcel that can be sent to this peer now.
    private func nextParcel(
        for handle: PeerHandle, _ peer: Peer, at now: ContinuousClock.Instant
    ) -> ScheduledParcel? {
        (peer.targets ?? []).compactMap { target in
            queues[target]?.first { parcel in
                guard parcel.goesToEach ? !parcel.done.contains(handle) : !isRunning(parcel.id) else { return false }
                return backOffs[ScheduledDelivery(parcel: parcel.id, peer: handle)]?.isWaiting(at: now) != true
            }
        }.min { $0.order < $1.order }
    }

    private func isRunning(_ id: StateID) -> Bool { peers.values.contains { $0.running == id } }

    /// Returns the earliest end of a back-off of a visible peer, or the earliest expiry.
    ///
    /// With an expiry it is at most ``ScheduleLimits/mostSleep`` away, so that a clock that is set forward is noticed.
    private func nextWake(after now: ContinuousClock.Instant, date: Date) -> ContinuousClock.Instant? {
        let peerTimes = peers.values.compactMap { $0.targets != nil && $0.running == nil ? $0.backOff.due : nil }
        let parcelTimes = backOffs.compactMap { delivery, backOff in
            peers[delivery.peer].flatMap { $0.targets != nil && $0.running == nil ? backOff.due : nil }
        }
        let expiry = firstExpiry.flatMap { $0 > date ? $0 : nil }.map { expires in
            now + .seconds(min(expires.timeIntervalSince(date), limits.mostSleep / .seconds(1)))
        }
        return ((peerTimes + parcelTimes).filter { $0 > now } + [expiry].compactMap { $0 }).min()
    }
}
