/// Decides when items are sent to each member of a team, and how long missing members are searched for.
///
/// A record of a member is a hint: its process may have ended, or the record may be late. So the search continues for a
/// member that cannot be reached at its record's place. Sans-I/O: sightings, results and the time are arguments.
struct MemberSearch {
    /// A member that is looked for.
    struct Wanted {
        let fingerprint: Fingerprint
        /// True if it was met recently, so that it is probably present.
        let wasSeenLately: Bool
    }

    enum Step {
        /// Send the items to the member, then call ``ended(_:isUnreachable:now:)``.
        case send(member: Int, Peer)
        /// The member is not found yet, and is looked for further.
        case looking(member: Int, Duration)
        /// The member was not found.
        case giveUp(member: Int)
    }

    private struct Place {
        let fingerprint: Fingerprint
        /// End of the search for the member.
        var end: ContinuousClock.Instant
        var isUnderWay = false
        var isOver = false
        /// True if the search for the member was announced.
        var isAnnounced = false
        /// Peer of the last attempt.
        var tried: Peer?
        /// Time of the next attempt at the same peer.
        var due: ContinuousClock.Instant?
        var schedule: RetrySchedule
    }

    /// Sessions at once.
    private let breadth: Int
    private let findEnd: ContinuousClock.Instant
    private let lastEnd: ContinuousClock.Instant
    private var places: [Place]
    private var peers: [Fingerprint: Peer] = [:]
    /// True if discovery has ended.
    private var isBlind = false

    /// - Parameters:
    ///   - findWait: search time of any member.
    ///   - patience: search time of a member that was seen lately.
    init(
        _ wanted: [Wanted], findWait: Duration, patience: Duration, breadth: Int, now: ContinuousClock.Instant
    ) {
        self.breadth = breadth
        let (findEnd, lastEnd) = (now + findWait, now + max(findWait, patience))
        (self.findEnd, self.lastEnd) = (findEnd, lastEnd)
        places = wanted.map {
            Place(
                fingerprint: $0.fingerprint, end: $0.wasSeenLately ? lastEnd : findEnd,
                schedule: RetrySchedule(patience: patience))
        }
    }

    /// True if there is a result for each member.
    var isOver: Bool { places.allSatisfy(\.isOver) }

    /// Takes the peers that are announced at this moment.
    mutating func found(_ peers: [Peer]) {
        self.peers = Dictionary(
            peers.compactMap { peer in peer.fingerprint.map { ($0, peer) } }, uniquingKeysWith: { first, _ in first })
    }

    /// Notes that discovery has ended: a member that was not found is absent.
    mutating func endLooking() { isBlind = true }

    /// Steps that are due.
    mutating func next(now: ContinuousClock.Instant) -> [Step] {
        var steps: [Step] = []
        var free = breadth - places.count(where: \.isUnderWay)
        for member in places.indices where !places[member].isOver && !places[member].isUnderWay {
            if let peer = peer(for: places[member], now: now) {
                guard free > 0 else { continue }
                free -= 1
                places[member].isUnderWay = true
                places[member].tried = peer
                places[member].due = nil
                steps.append(.send(member: member, peer))
            } else if isBlind || now >= places[member].end {
                places[member].isOver = true
                steps.append(.giveUp(member: member))
            } else if now >= findEnd, !places[member].isAnnounced {
                places[member].isAnnounced = true
                steps.append(.looking(member: member, now.duration(to: places[member].end)))
            }
        }
        return steps
    }

    /// Peer at which a member is to be tried now; nil if the member is not found, or was tried there just before.
    private func peer(for place: Place, now: ContinuousClock.Instant) -> Peer? {
        guard let peer = peers[place.fingerprint] else { return nil }
        guard let tried = place.tried, peer.isSamePlace(as: tried) else { return peer }
        return place.due.map { now >= $0 } ?? true ? peer : nil
    }

    /// Notes the end of a sending.
    ///
    /// - Parameter isUnreachable: true if no session could be opened.
    /// - Returns: wait before the next attempt; nil if that was the last one.
    mutating func ended(_ member: Int, isUnreachable: Bool, now: ContinuousClock.Instant) -> Duration? {
        places[member].isUnderWay = false
        guard isUnreachable, let wait = places[member].schedule.nextWait(now: now, chance: 0) else {
            places[member].isOver = true
            return nil
        }
        places[member].due = now + wait
        // The record was announced just before, so the member may be starting.
        places[member].end = max(lastEnd, now + wait)
        return wait
    }

    /// Earliest time at which ``next(now:)`` may return an action without another event; nil if never.
    func nextLook(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        places.lazy.filter { !$0.isOver && !$0.isUnderWay }
            .flatMap { place in [place.end, findEnd, place.due].compactMap(\.self) }
            .filter { $0 > now }.min()
    }
}

extension Peer {
    /// True if the other peer is reached at the same place.
    fileprivate func isSamePlace(as other: Peer) -> Bool {
        Set(places) == Set(other.places)
    }
}
