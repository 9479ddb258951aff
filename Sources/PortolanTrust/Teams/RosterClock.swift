/// How many changes each admin has signed, as far as a roster knows: what tells newer from side by side.
struct RosterClock: Hashable, Sendable {
    private(set) var counts: [PinnedKey: UInt64] = [:]

    /// The sum of all counts; every change raises it by one.
    var epoch: UInt64 { counts.values.reduce(0, +) }

    /// Whether everything that the other one knows of is known here too.
    func includes(_ other: RosterClock) -> Bool {
        other.counts.allSatisfy { counts[$0.key, default: 0] >= $0.value }
    }

    mutating func set(_ admin: PinnedKey, _ count: UInt64) { counts[admin] = count }

    mutating func tick(_ admin: PinnedKey) { counts[admin, default: 0] += 1 }

    mutating func formUnion(_ other: RosterClock) { counts.merge(other.counts, uniquingKeysWith: max) }
}
