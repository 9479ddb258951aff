/// Set of seen changes: the highest counter of each replica.
package struct VersionVector: Hashable, Sendable {
    /// Counter of one replica.
    package struct Part: Hashable, Sendable {
        package var replica: ReplicaID
        package var counter: UInt64

        package init(replica: ReplicaID, counter: UInt64) {
            self.replica = replica
            self.counter = counter
        }
    }

    /// Ordered by replica; no counter is 0.
    package private(set) var parts: [Part] = []

    package init() {}

    /// - Returns: nil unless the parts are in order, once each, and without zeros.
    package init?(parts: [Part]) {
        guard parts.allSatisfy({ $0.counter > 0 }) else { return nil }
        for (part, next) in zip(parts, parts.dropFirst()) where part.replica >= next.replica { return nil }
        self.parts = parts
    }

    package subscript(replica: ReplicaID) -> UInt64 {
        for part in parts where part.replica == replica { return part.counter }
        return 0
    }

    package func covers(_ dot: Dot) -> Bool { dot.counter <= self[dot.replica] }

    package func covers(_ other: Self) -> Bool {
        other.parts.allSatisfy { $0.counter <= self[$0.replica] }
    }

    package mutating func add(_ dot: Dot) {
        guard let place = parts.firstIndex(where: { $0.replica >= dot.replica }) else {
            parts.append(Part(replica: dot.replica, counter: dot.counter))
            return
        }
        if parts[place].replica == dot.replica {
            parts[place].counter = max(parts[place].counter, dot.counter)
        } else {
            parts.insert(Part(replica: dot.replica, counter: dot.counter), at: place)
        }
    }

    package mutating func join(_ other: Self) {
        guard parts != other.parts else { return }
        for part in other.parts { add(Dot(part.replica, part.counter)) }
    }
}
