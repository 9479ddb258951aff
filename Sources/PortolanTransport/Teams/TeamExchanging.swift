import PortolanProtocol
import PortolanTrust

/// Performs what a `TeamExchange` decides: the first messages of a session, by which rosters travel.
struct TeamExchanging {
    let session: Session
    let ledger: any TeamLedger
    let capabilities: Capabilities

    /// Says which teams are shared, and gives and takes what is new.
    ///
    /// - Parameter next: the next message of the other side; nil after its end mark.
    /// - Returns: what the other side says it does.
    /// - Throws: `ProtocolViolation`, `TransportError.closedByPeer`, and what `next` and the ledger throw.
    func run(_ next: () async throws -> Message?) async throws -> Capabilities {
        let (session, ledger) = (session, ledger)
        let shared = try await session.runtime.withLookupThread { try ledger.teams(sharedWith: session.peer) }
        var exchange = TeamExchange(own: shared, capabilities: capabilities)
        var actions = exchange.start()
        while true {
            for action in actions {
                switch action {
                case .send(let message): session.send(message)
                case .adopt(let team, let heads):
                    try await session.runtime.withLookupThread { try ledger.adopt(team, heads, from: session.peer) }
                case .closed(let close): throw TransportError.closedByPeer(close)
                case .complete: return exchange.peerCapabilities
                }
            }
            guard let message = try await next() else {
                try exchange.endOfInput()
                return exchange.peerCapabilities
            }
            actions = try exchange.receive(message)
        }
    }
}
