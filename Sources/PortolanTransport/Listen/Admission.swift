/// Who may stay connected before having proved anything: a pure table of half-open connections.
///
/// A neighbour who only opens sockets must not use up memory, nor keep others out. Each address has few places; when all places are
/// taken the oldest half-open connection makes room, since an honest handshake is over in milliseconds.
package struct Admission: Sendable {
    package typealias Connection = UInt64

    package enum Verdict: Equatable, Sendable {
        case admit
        case refuse
        /// Admit, and close this older one.
        case admitInsteadOf(Connection)
    }

    private let limit: Int
    private let limitPerAddress: Int
    private var waiting: [(connection: Connection, address: String)] = []

    package init(limit: Int = 64, limitPerAddress: Int = 8) {
        precondition(limit > 0 && limitPerAddress > 0)
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// How many connections have not finished their handshake.
    package var count: Int { waiting.count }

    package mutating func arrived(_ connection: Connection, from address: String) -> Verdict {
        guard waiting.count(where: { $0.address == address }) < limitPerAddress else { return .refuse }
        waiting.append((connection, address))
        guard waiting.count > limit else { return .admit }
        return .admitInsteadOf(waiting.removeFirst().connection)
    }

    /// The connection finished its handshake or is gone.
    package mutating func left(_ connection: Connection) {
        waiting.removeAll { $0.connection == connection }
    }
}
