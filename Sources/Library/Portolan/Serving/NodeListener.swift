import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization

/// The one listener of a node: it runs while a part of this process receives, shares or waits for a code, on one port
/// for all of them.
///
/// The opening of a session decides which user gets it.
final class NodeListener: Sendable {
    /// Peers that a user of the listener admits.
    enum Entrance: Sendable {
        /// Peers, openly or as members of a team.
        case peers(Door)
        /// Peers that have entered a code.
        case code(PairingGate)
    }

    private struct User: Sendable {
        var entrance: Entrance
        let arrived: @Sendable (Listener.Arrival) -> Void
        /// True if this user still announces the former port.
        var tellsOfFormerPort = false

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
        /// The listener that runs.
        var listener: Listener?

        /// Combined door of all users.
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

        /// Applies the users' entrances to the listener, and closes former ports that no user announces any more.
        func update(_ listener: Listener) {
            listener.replaceDoor(door)
            if !users.values.contains(where: \.tellsOfFormerPort) { listener.leaveFormerPorts() }
        }

        mutating func move(_ listener: Listener, to port: UInt16, interfaces: [String]?) throws(TransportError) {
            try listener.move(to: port, interfaces: interfaces)
            for number in users.keys { users[number]?.tellsOfFormerPort = true }
            update(listener)
        }
    }

    private final class Table: Sendable {
        let state = Mutex(State())
    }

    /// Place of a user at the running listener.
    struct Place: Sendable {
        fileprivate let listener: Listener
        /// Changes the user's entry. The door is replaced under the lock, so that the later of two changes prevails.
        fileprivate let change: @Sendable (_ change: (inout Entrance, _ tellsOfFormerPort: inout Bool) -> Void) -> Void

        /// The port that peers connect to now.
        var port: UInt16 { listener.port }

        /// Replaces the entrance for new connections. Existing sessions and handshakes that have begun continue.
        func replaceEntrance(_ entrance: Entrance) { change { own, _ in own = entrance } }

        /// Notes that the user now announces this port and no other.
        func tells(of port: UInt16) {
            change { [listener] _, tellsOfFormerPort in if port == listener.port { tellsOfFormerPort = false } }
        }
    }

    private let environment: NodeEnvironment
    private let table = Table()
    private let listener: SharedResource<Listener>

    init(in environment: NodeEnvironment) {
        self.environment = environment
        let table = table
        listener = SharedResource { isReady in
            let listener: Listener
            do {
                listener = try await Self.open(in: environment, with: table)
            } catch {
                throw NodeError.ofListening(error)
            }
            isReady(listener)
            // The arrivals end when the task is cancelled.
            for await arrival in listener.arrivals { Self.handOn(arrival, table) }
            table.state.withLock { $0.listener = nil }
            await listener.close()
        }
    }

    private static func open(in environment: NodeEnvironment, with table: Table) async throws -> Listener {
        let configuration = environment.configuration
        let listener = try await Listener(
            sockets: ListeningSocket.open(
                port: configuration.port, orOthers: configuration.takesOtherPorts, interfaces: configuration.interfaces),
            identity: environment.local, door: table.state.withLock(\.door), timing: environment.timing
        ) { key in
            // A peer that cannot be looked up gets no reserved place.
            let standing = try? await withLookupThread {
                try environment.store.standing(of: key, now: environment.runtime.date)
            }
            return standing.map { $0 != .anyone } ?? false
        }
        do {
            try table.state.withLock { state in
                state.listener = listener
                // The configuration may have changed meanwhile.
                let current = environment.configuration
                guard let port = current.port, port != configuration.port else { return }
                try state.move(listener, to: port, interfaces: current.interfaces)
            }
        } catch {
            table.state.withLock { $0.listener = nil }
            await listener.close()
            throw error
        }
        return listener
    }

    /// Moves a running listener to another port. A listener that starts later uses the configuration.
    ///
    /// The former port is closed once its users announce the new one and its last session has ended.
    ///
    /// - Parameters:
    ///   - port: nil keeps the port.
    ///   - apply: changes the configuration. Not called if the port cannot be used.
    /// - Throws: `NodeError`
    func move(to port: UInt16?, applying apply: () -> Void) throws {
        do {
            try table.state.withLock { state in
                if let port, let listener = state.listener {
                    try state.move(listener, to: port, interfaces: environment.configuration.interfaces)
                }
                apply()
            }
        } catch {
            throw NodeError.ofListening(error)
        }
    }

    /// Runs `body` with a place at the listener.
    ///
    /// - Parameter arrived: called with the sessions through `entrance`, and with all refused connections. Must return
    ///   quickly.
    /// - Throws: `NodeError` if the port cannot be used, or another code for the same purpose is already in use; errors
    ///   of `body`.
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
            table.state.withLock { $0.update(listener) }
            defer {
                table.state.withLock { state in
                    state.users[number] = nil
                    state.update(listener)
                }
            }
            return try await body(
                Place(listener: listener) { [table] change in
                    table.state.withLock { state in
                        guard var user = state.users[number] else { return }
                        change(&user.entrance, &user.tellsOfFormerPort)
                        state.users[number] = user
                        state.update(listener)
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
