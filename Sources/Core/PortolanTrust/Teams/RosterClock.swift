/// Vector clock of a roster: the number of changes that each admin has signed. It separates newer rosters from
/// concurrent ones.
struct RosterClock: Hashable, Sendable {
    private(set) var counts: [PinnedKey: UInt64] = [:]

    /// The sum of all counts; every change raises it by one.
    var epoch: UInt64 { counts.values.reduce(0, +) }

    /// True if this clock includes every change that the other one counts.
    func includes(_ other: RosterClock) -> Bool {
        other.counts.allSatisfy { counts[$0.key, default: 0] >= $0.value }
    }

    mutating func set(_ admin: PinnedKey, _ count: UInt64) { counts[admin] = count }

    mutating func tick(_ admin: PinnedKey) { counts[admin, default: 0] += 1 }

    mutating func formUnion(_ other: RosterClock) { counts.merge(other.counts, uniquingKeysWith: max) }
}
