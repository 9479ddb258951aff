import NIOCore
import NIOPosix
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import Synchronization

/// Lets connections in and watches over them until they are sessions.
final class Entrance: Acceptor.Porter {
    private let identity: LocalIdentity
    private let timing: SessionDeadlines
    private let group: any EventLoopGroup
    private let arrivals: ArrivalFeed
    private let lanes = LaneDirectory()
    private let laneRoom = LaneRoom()
    private let isKnown: @Sendable (DevicePublicKey) async -> Bool
    private let state: Mutex<State>

    private struct State {
        var admission: Admission
        var door: Door
        var halfOpen: [Admission.Connection: HalfOpen] = [:]
        /// Each may hold buffers and a question to a person.
        var places: SessionPlaces
        var sessions: [SessionPlaces.Number: Session] = [:]
        var next: Admission.Connection = 0
        var awaited: [Awaited] = []

        /// Removes the place of a connection.
        mutating func displace(_ connection: Admission.Connection) -> Displaced {
            let halfOpen = halfOpen.removeValue(forKey: connection)
            return Displaced(connection: connection, halfOpen: halfOpen, steps: left(connection))
        }

        /// Removes a connection that may have been closed.
        ///
        /// - Returns: actions to run outside the lock if it has been closed.
        mutating func left(_ connection: Admission.Connection) -> [@Sendable () -> Void] {
            guard halfOpen[connection] == nil, sessions[connection] == nil else { return [] }
            for index in awaited.indices { awaited[index].connections.remove(connection) }
            defer { awaited.removeAll(where: \.connections.isEmpty) }
            return awaited.filter(\.connections.isEmpty).map(\.done)
        }
    }

    /// Connection that has lost its place.
    private struct Displaced {
        let connection: Admission.Connection
        let halfOpen: HalfOpen?
        let steps: [@Sendable () -> Void]

        func close() {
            halfOpen?.close()
            for step in steps { step() }
        }
    }

    /// Action to run after the last of some connections has closed.
    private struct Awaited {
        var connections: Set<Admission.Connection>
        let done: @Sendable () -> Void
    }

    private enum HalfOpen {
        /// The acceptor has the connection, or its channel is being made.
        case undecided
        case shakingHands(any NIOCore.Channel)

        /// Closes the connection, unless the acceptor owns it.
        func close() {
            if case .shakingHands(let channel) = self { channel.close(promise: nil) }
        }
    }

    init(
        identity: LocalIdentity, door: Door, timing: SessionDeadlines, group: any EventLoopGroup,
        budget: DescriptorBudget,
        isKnown: @escaping @Sendable (DevicePublicKey) async -> Bool,
        arrivals: ArrivalFeed
    ) {
        self.identity = identity
        self.timing = timing
        self.group = group
        self.isKnown = isKnown
        self.arrivals = arrivals
        let admission = Admission(limit: budget.halfOpen, limitPerAddress: budget.halfOpenPerAddress)
        state = Mutex(State(admission: admission, door: door, places: SessionPlaces(budget.sessions)))
    }

    func replaceDoor(_ door: Door) { state.withLock { $0.door = door } }

    func close() {
        arrivals.finish()
    }

    /// Calls `done` when all connections present at this moment, lanes excepted, have closed; at once if there are
    /// none.
    func whenPresentAreGone(_ done: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            let present = Set(state.sessions.keys).union(state.halfOpen.keys)
            if !present.isEmpty { state.awaited.append(Awaited(connections: present, done: done)) }
            return present.isEmpty
        }
        if isEmpty { done() }
    }

    // MARK: From the acceptor

    func arrived(from address: NetworkAddress) -> (Admission.Connection, insteadOf: Admission.Connection?) {
        let (connection, displaced) = state.withLock { state -> (Admission.Connection, Displaced?) in
            state.next += 1
            let verdict = state.admission.arrived(state.next, from: "\(address.ip)")
            state.halfOpen[state.next] = .undecided
            guard case .admitInsteadOf(let oldest) = verdict else { return (state.next, nil) }
            return (state.next, state.displace(oldest))
        }
        // The displacement is not reported: a flood would fill the report.
        displaced?.close()
        return (connection, displaced?.connection)
    }

    func holds(_ connection: Admission.Connection) -> Bool { state.withLock { $0.halfOpen[connection] != nil } }

    func makeRoom() -> Admission.Connection? {
        let displaced = state.withLock { state in state.admission.makeRoom().map { state.displace($0) } }
        displaced?.close()
        return displaced?.connection
    }

    func left(_ connection: Admission.Connection) {
        let done = state.withLock { state in
            state.admission.left(connection)
            state.halfOpen[connection] = nil
            return state.left(connection)
        }
        for step in done { step() }
    }

    func wasSilent(_ connection: Admission.Connection, from address: NetworkAddress) {
        left(connection)
        arrivals.put(.refused(address: "\(address)", reason: "\(TransportError.offerIsOverdue)"))
    }

    func refusedLane(_ connection: Admission.Connection, version: UInt8, from address: NetworkAddress) -> [UInt8] {
        left(connection)
        arrivals.put(.refused(address: "\(address)", reason: "\(TransportError.laneVersionUnknown(version))"))
        // A device that does not talk to everybody does not reveal that it is one.
        return state.withLock(\.door.allowsOpen) ? LanePreface.refusal : []
    }

    func takeLane(_ connection: Admission.Connection, _ preface: LanePreface, _ socket: LaneSocket) {
        left(connection)
        // An untaken socket is closed when it is released.
        _ = lanes.admit(preface, socket)
    }

    func takeSession(
        _ connection: Admission.Connection, _ descriptor: CInt, from address: NetworkAddress,
        since: ContinuousClock.Instant
    ) {
        state.withLock { $0.admission.spoke(connection) }
        let loop = group.next()
        let identified = loop.makePromise(of: RemoteIdentity.self)
        let established = loop.makePromise(of: Session.self)
        let deadline = NIODeadline.now() + timing.offerDeadline - TimeAmount(.now - since)
        identified.futureResult.whenFailure { _ in }
        // An established connection keeps this place until it has a place among the sessions.
        established.futureResult.whenFailure { error in
            self.left(connection)
            self.arrivals.put(.refused(address: "\(address)", reason: "\(error)"))
        }
        ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: SessionHandler.receiveAllocator)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                established.futureResult.whenSuccess { session in
                    Task { await self.enter(session, as: connection, from: address.ip, channel) }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try self.begin(connection, channel)
                    let handler = SessionHandler(
                        handshake: self.identity.handshake(at: self.state.withLock(\.door)), deadline: deadline,
                        silence: self.timing.silence, address: "\(address)", lanes: .admitting(by: self.lanes),
                        identified: identified, established: established, on: loop)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .withConnectedSocket(descriptor)
            .whenFailure { error in
                identified.fail(error)
                established.fail(error)
            }
    }

    /// Notes the channel of a connection in its handshake, so that it can be closed if its place is needed.
    private func begin(_ connection: Admission.Connection, _ channel: any NIOCore.Channel) throws {
        let hasPlace = state.withLock { state in
            guard state.halfOpen[connection] != nil else { return false }
            state.halfOpen[connection] = .shakingHands(channel)
            return true
        }
        // The place of the connection was given to a newer one during its hand-over.
        guard hasPlace else { throw TransportError.system("Too many connections at once.") }
    }

    private func enter(
        _ session: Session, as number: SessionPlaces.Number, from host: IPAddress, _ channel: any NIOCore.Channel
    ) async {
        let isKnown = await isKnown(session.peer.deviceKey)
        let (verdict, displaced) = state.withLock { state -> (SessionPlaces.Verdict, Session?) in
            let verdict = state.places.arrived(
                number, from: host, isKnown: isKnown, session.activity, at: .now)
            if verdict != .refuse { state.sessions[number] = session }
            guard case .admitInsteadOf(let oldest) = verdict else { return (verdict, nil) }
            return (verdict, state.sessions.removeValue(forKey: oldest))
        }
        left(number)
        guard verdict != .refuse else {
            session.close(Message.Close(.busy))
            arrivals.put(.refused(address: session.address, reason: "Too many sessions at once."))
            return
        }
        displaced?.close(Message.Close(.busy))
        if !isKnown {
            session.countLanes(
                by: LaneLimit(room: laneRoom, session: number, address: host) { [weak self] in self?.end(number) })
        }
        session.held.limit { difference in self.hold(difference, in: number) }
        // Works also for a channel that has closed already.
        channel.closeFuture.whenComplete { _ in
            let (session, done) = self.state.withLock { state in
                state.places.left(number)
                return (state.sessions.removeValue(forKey: number), state.left(number))
            }
            for step in done { step() }
            // The session is released outside the lock, since its release takes the lock.
            withExtendedLifetime(session) {}
            self.laneRoom.forget(number)
        }
        arrivals.put(.session(session))
    }

    /// Ends a session to make room for a lane.
    private func end(_ number: SessionPlaces.Number) {
        let session = state.withLock { $0.sessions.removeValue(forKey: number) }
        session?.close(Message.Close(.busy))
    }

    /// Changes the number of bytes that a session holds.
    ///
    /// - Returns: true if the session may stay.
    private func hold(_ difference: Int, in number: SessionPlaces.Number) -> Bool {
        let ended = state.withLock { state in
            state.places.hold(difference, in: number, at: .now).map { ($0, state.sessions.removeValue(forKey: $0)) }
        }
        for (_, session) in ended { session?.close(Message.Close(.busy)) }
        return !ended.contains { $0.0 == number }
    }
}
