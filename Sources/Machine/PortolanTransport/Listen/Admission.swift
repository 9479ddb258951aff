/// Table of connections whose handshake is not complete: decides which of them stay. Pure.
///
/// A host that only opens sockets must not exhaust memory or descriptors, nor keep others out. If all places, or those
/// of one address, are taken, a connection is closed to make room: preferably one that has sent nothing, the oldest one
/// of the address with the most connections. An honest handshake begins at once and takes milliseconds, and its address
/// has few connections.
package struct Admission: Sendable {
    package typealias Connection = UInt64

    package enum Verdict: Equatable, Sendable {
        case admit
        /// Admit, and close this older one.
        case admitInsteadOf(Connection)
    }

    private struct Place {
        let connection: Connection
        let address: String
        var hasSpoken = false
    }

    private let limit: Int
    private let limitPerAddress: Int
    /// Oldest first.
    private var waiting: [Place] = []

    package init(limit: Int, limitPerAddress: Int) {
        precondition(limit > 0 && limitPerAddress > 0)
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// Number of connections that have not finished their handshake.
    package var count: Int { waiting.count }

    package mutating func arrived(_ connection: Connection, from address: String) -> Verdict {
        let isAddressFull = waiting.count { $0.address == address } >= limitPerAddress
        let displaced = isAddressFull ? displace { $0.address == address } : nil
        waiting.append(Place(connection: connection, address: address))
        if let displaced { return .admitInsteadOf(displaced) }
        guard waiting.count > limit, let oldest = displace(where: { $0.connection != connection }) else {
            return .admit
        }
        return .admitInsteadOf(oldest)
    }

    /// Notes that the connection has begun its handshake.
    package mutating func spoke(_ connection: Connection) {
        guard let index = waiting.firstIndex(where: { $0.connection == connection }) else { return }
        waiting[index].hasSpoken = true
    }

    /// Removes a connection that finished its handshake or is closed.
    package mutating func left(_ connection: Connection) {
        waiting.removeAll { $0.connection == connection }
    }

    /// Removes one connection, because no descriptor is left for another.
    ///
    /// - Returns: the connection to close; nil if there is none.
    package mutating func makeRoom() -> Connection? { displace { _ in true } }

    private mutating func displace(where isEligible: (Place) -> Bool) -> Connection? {
        let eligible = waiting.indices.filter { isEligible(waiting[$0]) }
        let silent = eligible.filter { !waiting[$0].hasSpoken }
        var counts: [String: Int] = [:]
        for place in waiting { counts[place.address, default: 0] += 1 }
        // Of as many, the oldest.
        let chosen = (silent.isEmpty ? eligible : silent).max { one, other in
            let (count, otherCount) = (counts[waiting[one].address] ?? 0, counts[waiting[other].address] ?? 0)
            return (count, other) < (otherCount, one)
        }
        guard let chosen else { return nil }
        return waiting.remove(at: chosen).connection
    }
}
