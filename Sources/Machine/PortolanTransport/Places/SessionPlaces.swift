import PortolanDiscovery

/// Table of the sessions of one listener: decides which of them may stay. Pure: its owner closes them.
///
/// A host that opens idle sessions, from one address or many, must not keep others out. If all places are taken, the
/// oldest session without a running accepted transfer is closed; signs of life do not protect a session, nor does a
/// stranger's accepted transfer without progress. Some places are reserved for known keys. If strangers' sessions
/// together hold too much memory, the one that holds most is closed.
package struct SessionPlaces: Sendable {
    package typealias Number = UInt64

    /// Number of places, in total and for each kind of peer. Each is at least 1.
    package struct Limits: Hashable, Sendable {
        package var all: Int
        /// Most places for strangers; the others are reserved for known keys.
        package var strangers: Int
        package var perAddress: Int
        /// Of strangers of one /24 (IPv4) or /64 (IPv6).
        package var perNetwork: Int
        /// Most memory that strangers together may make this side hold, in bytes. One stranger may have an eighth of
        /// it, or an equal share if that is more. Sessions that were ended for it may have half as much until they are
        /// closed.
        package var strangersBytes: Int

        package init(all: Int, strangers: Int, perAddress: Int, perNetwork: Int, strangersBytes: Int = 16 << 20) {
            precondition(
                [all, strangers, perAddress, perNetwork, strangersBytes].allSatisfy { $0 > 0 } && strangers <= all)
            self.all = all
            self.strangers = strangers
            self.perAddress = perAddress
            self.perNetwork = perNetwork
            self.strangersBytes = strangersBytes
        }
    }

    package enum Verdict: Equatable, Sendable {
        case admit
        /// Admit, and close this older one.
        case admitInsteadOf(Number)
        /// Every session that could be closed has a running accepted transfer.
        case refuse
    }

    private struct Place {
        let number: Number
        let address: IPAddress
        let isKnown: Bool
        let activity: SessionActivity
        /// Memory that this side holds for the session, in bytes.
        var bytes = 0

        /// Returns true if the session is protected. An accepted transfer of a known key counts until it is settled.
        func isActive(at now: ContinuousClock.Instant) -> Bool {
            isKnown ? activity.hasWork : activity.isUnderWay(at: now)
        }
    }

    private let limits: Limits
    /// Oldest first.
    private var places: [Place] = []
    /// Memory of strangers' sessions that have lost their place but are not closed yet.
    private var leaving: [Number: Int] = [:]

    package init(_ limits: Limits) { self.limits = limits }

    package var count: Int { places.count }

    /// Adds a new session.
    ///
    /// - Parameters:
    ///   - isKnown: true if its key is a contact's or a member's.
    ///   - activity: tells whether an accepted transfer is running in it.
    package mutating func arrived(
        _ number: Number, from address: IPAddress, isKnown: Bool, _ activity: SessionActivity,
        at now: ContinuousClock.Instant
    ) -> Verdict {
        let newcomer = Place(number: number, address: address, isKnown: isKnown, activity: activity)
        guard let isRival = rivals(of: newcomer, at: now) else {
            places.append(newcomer)
            return .admit
        }
        guard let oldest = places.firstIndex(where: { !$0.isActive(at: now) && isRival($0) }) else { return .refuse }
        let displaced = remove(at: oldest)
        places.append(newcomer)
        return .admitInsteadOf(displaced)
    }

    /// Changes the memory that a session makes this side hold. Called also for a session that has lost its place.
    ///
    /// - Returns: sessions to close because of it, possibly including this one.
    package mutating func hold(
        _ difference: Int, in number: Number, at now: ContinuousClock.Instant
    ) -> [Number] {
        guard let index = places.firstIndex(where: { $0.number == number }) else {
            if let bytes = leaving[number] { leaving[number] = bytes + difference > 0 ? bytes + difference : nil }
            return []
        }
        places[index].bytes += difference
        guard difference > 0, !places[index].isKnown else { return [] }
        guard places[index].bytes <= limits.strangersBytes / 8 else { return [remove(at: index)] }
        let share = limits.strangersBytes / limits.strangers
        // Memory of a closed session counts until it is released, since new sessions may come faster than that.
        if places[index].bytes > share, strangersBytes + leavingBytes > limits.strangersBytes / 2 * 3 {
            return [remove(at: index)]
        }
        var ended: [Number] = []
        while strangersBytes > limits.strangersBytes {
            let eligible = places.indices.filter {
                !places[$0].isKnown && !places[$0].isActive(at: now) && places[$0].bytes > share
            }
            // Among equals, the oldest.
            guard let heaviest = eligible.max(by: { (places[$0].bytes, $1) < (places[$1].bytes, $0) }) else { break }
            ended.append(remove(at: heaviest))
        }
        return ended
    }

    private var strangersBytes: Int { places.reduce(0) { $0 + ($1.isKnown ? 0 : $1.bytes) } }

    private var leavingBytes: Int { leaving.values.reduce(0, +) }

    private mutating func remove(at index: Int) -> Number {
        let place = places.remove(at: index)
        if !place.isKnown, place.bytes > 0 { leaving[place.number] = place.bytes }
        return place.number
    }

    /// Removes a closed connection.
    package mutating func left(_ number: Number) {
        if let index = places.firstIndex(where: { $0.number == number }) { _ = remove(at: index) }
    }

    /// Sessions of which one must be closed for a newcomer; nil if there is room.
    private func rivals(of newcomer: Place, at now: ContinuousClock.Instant) -> ((Place) -> Bool)? {
        let isAtAddress: (Place) -> Bool = { $0.isKnown == newcomer.isKnown && $0.address == newcomer.address }
        if places.count(where: isAtAddress) >= limits.perAddress { return isAtAddress }
        let isStranger: (Place) -> Bool = { !$0.isKnown }
        if newcomer.isKnown {
            guard places.count >= limits.all else { return nil }
            // Known keys displace each other only if no stranger can be displaced.
            return places.contains { isStranger($0) && !$0.isActive(at: now) } ? isStranger : { _ in true }
        }
        let isInNetwork: (Place) -> Bool = { !$0.isKnown && $0.address.network == newcomer.address.network }
        if places.count(where: isInNetwork) >= limits.perNetwork { return isInNetwork }
        if places.count(where: isStranger) >= limits.strangers { return isStranger }
        // All places are taken and strangers have less than their share, so known keys have more than their reserved
        // places.
        return places.count >= limits.all ? { $0.isKnown } : nil
    }
}

extension IPAddress {
    /// The part of an address that one neighbour can hardly vary beyond: 24 bits of IPv4, 64 of IPv6.
    fileprivate var network: IPAddress {
        switch self {
        case .v4(let bits): .v4(bits & 0xFFFF_FF00)
        case .v6(let high, _): .v6(high, 0)
        }
    }
}
