import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// The one listener of a node: there while anybody in this process receives, shares or waits for a code, on one port for all of them.
///
/// Who comes to whom is decided by how a session was opened.
final class NodeListener: Sendable {
    /// What a user of the listener lets in.
    enum Entrance: Sendable {
        /// Peers, openly or as members of a team.
        case peers(Door)
        /// Whoever has entered a code.
        case code(PairingGate)
    }

    private struct User: Sendable {
        let entrance: Entrance
        let arrived: @Sendable (Listener.Arrival) -> Void

        func isFor(_ opening: OpeningKind) -> Bool {
            switch (entrance, opening) {
            case (.peers, .open), (.peers, .team): true
            case (.code(let gate), .code(let purpose)): gate.purpose == purpose
            default: false
            }
        }
    }

    private struct State {
        var users: [Int: User] = [:]
        var next = 0

        /// What all of them let in.
        var door: Door {
            var door = Door.closed
            for user in users.values {
                switch user.entrance {
                case .peers(let part):
                    door.allowsOpen = part.allowsOpen
                    door.teams = part.teams
                case .code(let gate): door.gates[gate.purpose] = gate
                }
            }
            return door
        }
    }

    private final class Table: Sendable {
        let state = Mutex(State())
    }

    /// The place of a user at the listener that runs.
    struct Place: Sendable {
        /// The port that peers connect to.
        let port: UInt16
        fileprivate let replace: @Sendable (Entrance) -> Void

        /// Lets in otherwise from now on. Sessions that there are, and handshakes that have begun, go on.
        func replaceEntrance(_ entrance: Entrance) { replace(entrance) }
    }

    private let table = Table()
    private let listener: Shared<Listener>

    convenience init(_ configuration: NodeConfiguration, _ identity: LocalIdentity, _ store: PeerStore) {
        self.init { door in
            do {
                return try await Listener(
                    sockets: ListeningSocket.open(
                        port: configuration.port, orOthers: configuration.takesOtherPorts,
                        interfaces: configuration.interfaces),
                    identity: identity, door: door, timing: configuration.timing
                ) { key in
                    // One that cannot be looked up has no place reserved.
                    let standing = try? await withLookupThread {
                        try store.standing(of: key, now: configuration.runtime.date)
                    }
                    return standing.map { $0 != .anyone } ?? false
                }
            } catch {
                throw NodeError.ofListening(error)
            }
        }
    }

    /// - Parameter open: opens the listener.
    private init(_ open: @escaping @Sendable (Door) async throws -> Listener) {
        let table = table
        listener = Shared { isReady in
            let listener = try await open(table.state.withLock(\.door))
            isReady(listener)
            // The arrivals end when the task is cancelled.
            for await arrival in listener.arrivals { Self.handOn(arrival, table) }
            await listener.close()
        }
    }

    /// Runs `body` with the place at the listener.
    ///
    /// - Parameter arrived: gets the sessions that came through `entrance`, and all refused connections. To be quick.
    /// - Throws: `NodeError` if the port cannot be used, or a code for the same purpose is waited with already; what `body` throws.
    func with<Result: Sendable>(
        _ entrance: Entrance, arrived: @escaping @Sendable (Listener.Arrival) -> Void,
        _ body: (Place) async throws -> Result
    ) async throws -> Result {
        let number = try table.state.withLock { state in
            if case .code(let gate) = entrance, state.users.values.contains(where: { $0.isFor(.code(gate.purpose)) }) {
                throw NodeError(.badInput, "This process waits with another code for the same purpose already.")
            }
            state.next += 1
            state.users[state.next] = User(entrance: entrance, arrived: arrived)
            return state.next
        }
        defer { table.state.withLock { $0.users[number] = nil } }
        return try await listener.with { listener in
            // The door is replaced under the lock, so that of two changes the later one stays.
            table.state.withLock { listener.replaceDoor($0.door) }
            defer {
                table.state.withLock { state in
                    state.users[number] = nil
                    listener.replaceDoor(state.door)
                }
            }
            return try await body(
                Place(port: listener.port) { [table] entrance in
                    table.state.withLock { state in
                        guard let user = state.users[number] else { return }
                        state.users[number] = User(entrance: entrance, arrived: user.arrived)
                        listener.replaceDoor(state.door)
                    }
                })
        }
    }

    private static func handOn(_ arrival: Listener.Arrival, _ table: Table) {
        let users = table.state.withLock { Array($0.users.values) }
        switch arrival {
        case .session(let session):
            guard let user = users.first(where: { $0.isFor(session.opening) }) else {
                return session.close(Message.Close(.goingAway))
            }
            user.arrived(arrival)
        case .refused: for user in users { user.arrived(arrival) }
        }
    }
}
