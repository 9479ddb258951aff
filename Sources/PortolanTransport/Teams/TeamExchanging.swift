import PortolanProtocol
import PortolanTrust

/// Performs what a `TeamExchange` decides: the first messages of a session, by which rosters travel.
struct TeamExchanging {
    let session: Session
    let ledger: any TeamLedger

    /// Says which teams are shared, and gives and takes what is new.
    ///
    /// - Parameter next: the next message of the other side; nil after its end mark.
    /// - Throws: `ProtocolViolation`, `TransportError.closedByPeer`, and what `next` and the ledger throw.
    func run(_ next: () async throws -> Message?) async throws {
        let (session, ledger) = (session, ledger)
        let shared = try await withLookupThread { try ledger.teams(sharedWith: session.peer) }
        var exchange = TeamExchange(own: shared)
        var actions = exchange.start()
        while true {
            for action in actions {
                switch action {
                case .send(let message): session.send(message)
                case .adopt(let team, let heads):
                    try await withLookupThread { try ledger.adopt(team, heads, from: session.peer) }
                case .closed(let close): throw TransportError.closedByPeer(close)
                case .complete: return
                }
            }
            guard let message = try await next() else { return try exchange.endOfInput() }
            actions = try exchange.receive(message)
        }
    }
}
