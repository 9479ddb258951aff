import PortolanDiscovery

/// Announced devices that may not have a team's newest roster, and the time at which each is sent it.
///
/// All input comes from records, which any host can send. They determine only which devices are tried, how often, and
/// how many at once; a device that answers must prove its key. Sans-I/O: time and random numbers are arguments.
struct RosterErrands {
    /// Session to be opened for an exchange of rosters, without an offer.
    struct Errand: Sendable {
        let peer: DiscoveredPeer
        let team: TeamID
        /// The key that the peer has to prove.
        let key: PinnedKey
    }

    /// Sessions at once.
    static let breadth = 4
    /// Devices that are remembered, by team.
    static let capacity = 1024
    /// Longest random delay, in which a device may get the roster from another device.
    static let patience = Duration.seconds(5)
    static let firstPause = Duration.seconds(30)
    static let longestPause = Duration.seconds(3600)

    private struct Place: Hashable {
        let fingerprint: Fingerprint
        let team: TeamID
    }

    private struct Memory {
        var due: ContinuousClock.Instant
        var isUnderWay = false
        var failures = 0
        var told: Told?
    }

    private struct Told {
        /// Digest of the roster that it was last sent.
        let digest: [UInt8]
        let time: ContinuousClock.Instant
        /// Session accesses that the device announced when the last session with it began.
        let openings: Set<DiscoveredPeer.SessionAccess>
    }

    private struct KnownTeam {
        let id: TeamID
        let digest: [UInt8]
        /// Members, and devices that were removed.
        let keys: [Fingerprint: PinnedKey]
        /// True if the secret has changed since this device joined, so that members may lack it.
        let hasChanged: Bool
    }

    private var teams: [KnownTeam] = []
    private var memory: [Place: Memory] = [:]

    /// Takes the current teams of this device.
    mutating func update(_ stored: [StoredTeam], own: PinnedKey) {
        teams = stored.filter { !$0.isRemoved && $0.isWhole }.map { team in
            let keys = team.team.members.map(\.key) + team.removedKeys
            return KnownTeam(
                id: team.id, digest: team.team.digest,
                keys: Dictionary(
                    keys.filter { $0 != own }.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first }),
                hasChanged: team.secrets.count > 1)
        }
        // Devices that were sent an earlier roster are due again.
        memory = memory.filter { place, known in known.told == nil || known.told?.digest == digest(of: place.team) }
    }

    /// Sessions to open now; the caller reports the end of each by ``ended(_:isTold:now:)``.
    mutating func due(
        among peers: [DiscoveredPeer], now: ContinuousClock.Instant, using generator: inout some RandomNumberGenerator
    ) -> [Errand] {
        let errands = peers.flatMap { self.errands(for: $0) }
        let present = Set(errands.map { Place(fingerprint: $0.key.fingerprint, team: $0.team) })
        // A device that disappeared and returns is treated as new, unless its last attempt failed.
        memory = memory.filter { present.contains($0.key) || $0.value.isUnderWay || $0.value.due > now }
        var chosen: [Errand] = []
        for errand in errands {
            let place = Place(fingerprint: errand.key.fingerprint, team: errand.team)
            guard let known = memory[place] else {
                guard memory.count < Self.capacity else { continue }
                let pause = Self.patience * Double.random(in: 0...1, using: &generator)
                memory[place] = Memory(due: now + pause)
                continue
            }
            guard !known.isUnderWay, isDue(errand, known, now: now),
                memory.values.count(where: \.isUnderWay) < Self.breadth
            else { continue }
            memory[place]?.isUnderWay = true
            chosen.append(errand)
        }
        return chosen
    }

    /// Earliest time at which ``due(among:now:using:)`` may return anything without a change; nil if never.
    func nextDue(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let times = memory.values.lazy.filter { !$0.isUnderWay }.flatMap { known in
            [known.due] + (known.told.map { [$0.time + Self.firstPause] } ?? [])
        }
        return times.filter { $0 > now }.min()
    }

    /// True if the errand is due. A hidden device that had the roster and announces a former secret anew has returned,
    /// perhaps with an older roster.
    private func isDue(_ errand: Errand, _ known: Memory, now: ContinuousClock.Instant) -> Bool {
        guard let told = known.told, told.digest == digest(of: errand.team) else { return known.due <= now }
        if errand.peer.isOpen { return false }
        let hasChanged = errand.peer.allOpenings != told.openings && told.time + Self.firstPause <= now
        return known.due <= now || known.failures == 0 && hasChanged
    }

    /// Notes the end of a session.
    ///
    /// - Parameter isTold: true if rosters were exchanged with the intended device.
    mutating func ended(_ errand: Errand, isTold: Bool, now: ContinuousClock.Instant) {
        let place = Place(fingerprint: errand.key.fingerprint, team: errand.team)
        guard var known = memory[place] else { return }
        known.isUnderWay = false
        if isTold {
            known.failures = 0
            known.told = digest(of: errand.team).map {
                Told(digest: $0, time: now, openings: errand.peer.allOpenings)
            }
            known.due = now + Self.longestPause
        } else {
            known.due = now + min(Self.longestPause, Self.firstPause * (1 << min(known.failures, 10)))
            known.failures += 1
        }
        memory[place] = known
    }

    private func digest(of id: TeamID) -> [UInt8]? { teams.first { $0.id == id }?.digest }

    private func errands(for peer: DiscoveredPeer) -> [Errand] {
        guard let fingerprint = peer.fingerprint else { return [] }
        return teams.compactMap { team in
            guard let key = team.keys[fingerprint], peer.mayBeBehind(in: team.id, orOpenly: team.hasChanged) else {
                return nil
            }
            return Errand(peer: peer, team: team.id, key: key)
        }
    }
}

extension DiscoveredPeer {
    fileprivate var allOpenings: Set<SessionAccess> { Set(addresses.flatMap { openings(at: $0) }) }

    fileprivate var isOpen: Bool { !isHidden }

    /// True if the device announces itself by a former secret of the team and not by the newest one.
    ///
    /// - Parameter openly: result for an openly announced device, whose record does not show it.
    fileprivate func mayBeBehind(in team: TeamID, orOpenly openly: Bool) -> Bool {
        if isOpen { return openly }
        let generations = allOpenings.compactMap { opening in
            if case .hidden(let access) = opening, access.team == team { access.generation } else { nil }
        }
        return generations.min().map { $0 > 0 } ?? false
    }
}
