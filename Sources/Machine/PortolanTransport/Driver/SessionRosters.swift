import PortolanConcurrency
import PortolanProtocol
import PortolanValues
import Synchronization

/// Rosters of teams in a session: exchanged at its beginning, and sent again when this device's change.
final class SessionRosters: Sendable {
    private let session: Session
    private let ledger: any TeamLedger
    /// nil until the beginning is over.
    private let updates = Mutex<RosterUpdates?>(nil)
    /// True if rosters are to be told after that.
    private let isDue = Atomic(false)
    /// Lock of ``tell(evenLater:)``, so that no earlier state is sent behind a later one.
    private let telling = Mutex(())
    /// Settled when this side has sent its Hello; true if it lists no team.
    let greeting = OneShot<Bool, any Error>()

    init(_ session: Session, _ ledger: any TeamLedger) {
        self.session = session
        self.ledger = ledger
    }

    /// Determines the shared teams, and exchanges their changes.
    ///
    /// - Parameter next: the next message of the peer; nil after its end record.
    /// - Returns: the peer's capabilities.
    /// - Throws: `ProtocolViolation`, `TransportError.closedByPeer`, and errors of `next` and the ledger.
    func exchange(_ capabilities: Capabilities, _ next: () async throws -> Message?) async throws -> Capabilities {
        let shared = try await shared()
        var exchange = TeamExchange(own: shared, capabilities: capabilities)
        // Teams whose merged roster the peer has already, since it was computed from the heads of both sides.
        var agreed: [TeamID] = []
        var actions = exchange.start()
        // Memory of rosters, which are kept until all of a team have come.
        var held = 0
        defer { session.held.remove(held) }
        while true {
            for action in actions {
                switch action {
                case .send(let message): session.send(message)
                case .adopt(let team, let heads):
                    let before = try await self.shared().first { $0.team == team }
                    let hasSigned = try await adopt(team, heads)
                    session.held.remove(held)
                    held = 0
                    let isTold = before?.digest == shared.first { $0.team == team }?.digest
                    if isTold, !hasSigned { agreed.append(team) }
                case .closed(let close): throw TransportError.closedByPeer(close)
                case .complete: break
                }
            }
            greeting.settle(.success(shared.isEmpty))
            if exchange.isComplete { break }
            guard let message = try await next() else {
                try exchange.endOfInput()
                break
            }
            if case .teamUpdate(let update) = message {
                held += update.head.roster.count
                guard session.held.add(update.head.roster.count) else { throw TransportError.busy }
            }
            actions = try exchange.receive(message)
        }
        var updates = RosterUpdates(after: exchange)
        let now = try await agreed.isEmpty ? [] : self.shared()
        for team in agreed { updates.settled(team, now.first { $0.team == team }) }
        self.updates.withLock { [updates] in $0 = updates }
        if isDue.load(ordering: .relaxed) {
            _ = try await session.runtime.withLookupThread { try self.tell() }
        }
        return exchange.peerCapabilities
    }

    /// Sends the rosters that have changed since the last call.
    ///
    /// May block for this device's files.
    /// - Parameter evenLater: true to send them after the beginning of the session, if that is not over.
    /// - Returns: true if all were sent; false if the session's limit is reached.
    /// - Throws: errors of the ledger.
    func tell(evenLater: Bool = false) throws -> Bool {
        try telling.withLock { _ in
            let shared = try ledger.teams(sharedWith: session.peer)
            return updates.withLock { updates in
                guard let (messages, isAll) = updates?.tell(shared) else {
                    if evenLater { isDue.store(true, ordering: .relaxed) }
                    return true
                }
                for message in messages { session.send(message) }
                return isAll
            }
        }
    }

    /// Handles a roster from the peer.
    ///
    /// - Throws: `ProtocolViolation`, and errors of the ledger.
    func receive(_ update: Message.TeamUpdate) async throws {
        // Rosters are kept until all of a team have come. The memory of incomplete ones is released with the session.
        guard session.held.add(update.head.roster.count) else { throw TransportError.busy }
        let taken = try updates.withLock { updates throws(ProtocolViolation) in try updates?.receive(update) }
        guard let (team, heads) = taken else { return }
        defer { session.held.remove(heads.reduce(0) { $0 + $1.roster.count }) }
        let before = try await shared()
        let hasSigned = try await adopt(team, heads)
        // A roster that this device has just signed has not been sent to the peer yet.
        guard !hasSigned else { return }
        let after = try await shared()
        updates.withLock { updates in
            // A roster that the peer does not have must still be sent to it.
            guard updates?.isTold(before.first { $0.team == team }, of: team) == true else { return }
            updates?.settled(team, after.first { $0.team == team })
        }
    }

    /// Notes the peer's end record.
    ///
    /// - Throws: `ProtocolViolation` if the peer has left an exchange unfinished.
    func endOfInput() throws { try updates.withLock { updates throws(ProtocolViolation) in try updates?.endOfInput() } }

    private func shared() async throws -> [SharedTeam] {
        let (session, ledger) = (session, ledger)
        return try await session.runtime.withLookupThread { try ledger.teams(sharedWith: session.peer) }
    }

    private func adopt(_ team: TeamID, _ heads: [RosterHead]) async throws -> Bool {
        let (session, ledger) = (session, ledger)
        return try await session.runtime.withLookupThread { try ledger.adopt(team, heads, from: session.peer) }
    }
}
