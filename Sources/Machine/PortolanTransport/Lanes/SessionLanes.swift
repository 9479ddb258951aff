import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// Lanes of one direction of a session, on either side: allowed and past ones, and their end with the session
/// (SESSION.md 4.2).
///
/// The side that opened the session connects them, also if it is the receiver.
final class SessionLanes: Sendable {
    /// Origin of the connections of lanes.
    enum Side: Sendable {
        /// This side connects.
        case connecting(by: any LaneConnector)
        /// This side is connected to.
        case admitting(by: LaneDirectory)
    }

    /// Longest time for making a connection.
    private static let patience = Duration.seconds(10)
    /// Time in which a message on the session may explain why the other side has closed a lane.
    private static let farewell = Duration.seconds(5)
    /// Time after which a waiter checks that the lane is still wanted.
    private static let slice = Duration.milliseconds(100)

    /// Called with the number of a connected lane, and the lane.
    typealias Arrival = @Sendable (UInt32, ReceivingLane) -> Void

    let keys: LaneKeys
    private let side: Side
    private let activity: SessionActivity
    private let tellBroken: @Sendable (any Error) -> Void
    private let runtime: Runtime
    private let state: Monitor<State>

    private struct State {
        /// Sockets of lanes that may still be in use.
        var sockets: [UInt32: Held] = [:]
        var numbers: LaneNumbers
        /// Lanes that the peer was asked to open; with the connection once it has come.
        var wanted: [UInt32: Wanted] = [:]
        var arrived: Arrival?
        /// Limit for the lanes of a stranger; nil if they are not counted.
        var limit: LaneLimit?
        var hasEnded = false

        /// Notes that a lane begins at its sender.
        ///
        /// - Returns: false if its number was used before.
        mutating func begin(_ number: UInt32, _ socket: any LaneConnection) -> Bool {
            guard numbers.begin(number) else { return false }
            forgetClosed()
            sockets[number] = Held(socket: socket)
            return true
        }

        private mutating func forgetClosed() { sockets = sockets.filter { $0.value.socket != nil } }

        /// Returns true if a requested lane may still come.
        func isAwaited(_ number: UInt32) -> Bool {
            if case .asked? = wanted[number] { !hasEnded } else { false }
        }

        /// Returns true if the table has room for as many lanes as an honest sender has: ended lanes may not have been
        /// read completely yet, while a slow disk holds up their content (SESSION.md 4.2.1-4).
        mutating func hasRoom() -> Bool {
            forgetClosed()
            return sockets.count < 2 * numbers.allowed + Limits.lanes
        }
    }

    private struct Held {
        weak var socket: (any LaneConnection)?
    }

    private enum Wanted {
        case asked
        case come(any LaneConnection)

        var socket: (any LaneConnection)? { if case .come(let socket) = self { socket } else { nil } }
    }

    /// - Parameters:
    ///   - activity: notified of traffic on the lanes.
    ///   - runtime: time and threads of the session.
    ///   - tellBroken: ends the session, because one of its lanes has broken.
    init(
        keys: LaneKeys, side: Side, of activity: SessionActivity, on runtime: Runtime,
        tellBroken: @escaping @Sendable (any Error) -> Void
    ) {
        self.keys = keys
        self.side = side
        self.activity = activity
        self.runtime = runtime
        self.tellBroken = tellBroken
        let isConnecting = if case .connecting = side { true } else { false }
        state = Monitor(State(numbers: LaneNumbers(isConnecting: isConnecting)), on: runtime)
    }

    /// True if the session is over.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Counts the lanes from now on. Called before there are any.
    func count(by limit: LaneLimit) { state.withLock { $0.limit = limit } }

    /// Waits for the place of another lane on which this side sends; nil if lanes are not counted.
    func place() async throws -> LanePlace? {
        guard let limit = state.withLock(\.limit) else { return nil }
        let place = OneShot<LanePlace, any Error>()
        limit.admit { place.settle(.success($0)) }
        if hasEnded { limit.forget() }
        return try await place.value(ifCancelled: .failure(CancellationError()))
    }

    /// Returns the place of another lane if there is room now; nil if lanes are not counted.
    ///
    /// - Throws: `TransportError.busy` if there is none.
    func placeAtOnce() throws(TransportError) -> LanePlace? {
        guard let limit = state.withLock(\.limit) else { return nil }
        guard let place = limit.admitAtOnce() else { throw .busy }
        return place
    }

    private var progressed: @Sendable () -> Void {
        { [activity, runtime] in activity.progressed(at: runtime.now) }
    }

    /// Ends all lanes with the session: their waiters return.
    func end() {
        let sockets = state.withLock { state in
            state.hasEnded = true
            state.arrived = nil
            state.limit = nil
            // In the order of their numbers, so that one seed of a simulation gives one order of everything.
            let sockets = state.sockets.sorted { $0.key < $1.key }.compactMap(\.value.socket)
            return sockets + state.wanted.sorted { $0.key < $1.key }.compactMap(\.value.socket)
        }
        if case .admitting(let directory) = side { directory.remove(keys.id) }
        for socket in sockets { socket.shutDown() }
    }

    /// Handles a broken lane, on the calling thread. Blocks for a while, or until the session is over.
    ///
    /// The lanes of a side that ends a session may be seen closing before its message about the end is read
    /// (SESSION.md 4.2-16).
    private func broke(_ error: any Error) {
        if case TransportError.truncated = error,
            state.wait(until: runtime.now + Self.farewell, { $0.hasEnded ? true : nil }) != nil
        {
            return
        }
        tellBroken(error)
    }

    // MARK: At the receiver

    /// Allows `count` lanes at a time.
    ///
    /// - Parameter arrived: called with each lane. Must not block.
    func allow(_ count: Int, _ arrived: @escaping Arrival) {
        precondition((1...Limits.lanes).contains(count), "A session has 1 to 16 lanes")
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.numbers.allow(count)
            state.arrived = arrived
        }
        enter()
    }

    /// Connects a lane for a sender that cannot connect. A failure is not reported: the sender notices it.
    ///
    /// - Throws: `ProtocolViolation` for a lane that was not allowed, or was asked for before.
    func connect(_ number: UInt32) throws(ProtocolViolation) {
        let deadline = runtime.now + Self.patience
        let arrived = try state.withLock { state throws(ProtocolViolation) -> Arrival? in
            guard !state.hasEnded else { return nil }
            try state.numbers.receive(request: number)
            return state.hasRoom() ? state.arrived : nil
        }
        // If no descriptor or thread is left, the lane is not connected: the sender notices it.
        guard let arrived, case .connecting(let connector) = side, let socket = try? connector.makeConnection(),
            hold(socket, number)
        else { return }
        do {
            // Connecting may take long, and the session continues meanwhile.
            try runtime.startThread(named: "connecting") { [self] in
                guard (try? begin(socket, number, until: deadline)) != nil else { return }
                let lane = ReceivingLane(
                    socket: socket, opener: keys.makeOpener(number), mayComeToNothing: true, progressed: progressed,
                    broke: broke)
                arrived(number, lane)
            }
        } catch {
            socket.shutDown()
        }
    }

    /// - Returns: false if the session has ended.
    private func hold(_ socket: any LaneConnection, _ number: UInt32) -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            state.sockets[number] = Held(socket: socket)
            return true
        }
    }

    // MARK: At the side that is connected to

    private func enter() {
        guard case .admitting(let directory) = side else { return }
        directory.enter(self, as: keys.id)
        // A session that ends after this line removes itself; one that has ended already is removed here.
        if hasEnded { directory.remove(keys.id) }
    }

    /// Accepts a connection whose preface names a lane of this direction.
    ///
    /// - Returns: true if the lane is accepted. A refusal is not reported, since any host can send a preface, or replay
    ///   another lane's.
    func admit(_ preface: LanePreface, _ socket: any LaneConnection) -> Bool {
        guard keys.admits(preface) else { return false }
        let number = preface.number
        let (isTaken, arrived, limit) = state.withLock { state -> (Bool, Arrival?, LaneLimit?) in
            guard !state.hasEnded else { return (false, nil, nil) }
            if case .asked? = state.wanted[number] {
                state.wanted[number] = .come(socket)
                return (true, nil, nil)
            }
            guard state.hasRoom(), let arrived = state.arrived, state.numbers.admit(number) else {
                return (false, nil, nil)
            }
            state.sockets[number] = Held(socket: socket)
            return (true, arrived, state.limit)
        }
        guard let arrived else { return isTaken }
        guard let limit else {
            arrive(number, socket, arrived)
            return true
        }
        limit.admit { [self] place in arrive(number, socket, arrived, place) }
        // A session that ends after this line has its lanes forgotten; one that has ended already, here.
        if hasEnded { limit.forget() }
        return true
    }

    private func arrive(
        _ number: UInt32, _ socket: any LaneConnection, _ arrived: Arrival, _ place: LanePlace? = nil
    ) {
        arrived(
            number,
            ReceivingLane(
                socket: socket, opener: keys.makeOpener(number), place: place, progressed: progressed, broke: broke))
    }

    // MARK: At the sender

    /// Opens a lane with an unused number. Blocks.
    ///
    /// - Parameters:
    ///   - place: place of a stranger's lane.
    ///   - isWanted: polled while the other side connects.
    ///   - ask: asks the other side to connect, if this side cannot.
    /// - Throws: `TransportError.unreachable`, after which the caller may try another number; `.truncated` when the
    ///   session has ended; `.system`.
    func open(
        _ number: UInt32, _ place: LanePlace?, while isWanted: () -> Bool, ask: (UInt32) -> Void
    ) throws(TransportError) -> SendingLane {
        let deadline = runtime.now + Self.patience
        let socket: any LaneConnection
        switch side {
        case .connecting(let connector): socket = try connect(number, by: connector, until: deadline)
        case .admitting: socket = try haveOpened(number, until: deadline, while: isWanted, ask)
        }
        return SendingLane(
            socket: socket, sealer: keys.makeSealer(number), place: place, progressed: progressed, broke: broke)
    }

    private func connect(
        _ number: UInt32, by connector: any LaneConnector, until deadline: ContinuousClock.Instant
    ) throws(TransportError) -> any LaneConnection {
        let socket = try connector.makeConnection()
        // The socket is registered before any wait, so that the end of the session closes it.
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            guard state.begin(number, socket) else { preconditionFailure("Each lane is opened once") }
            return false
        }
        guard !hasEnded else { throw .truncated }
        do {
            try begin(socket, number, until: deadline)
        } catch {
            state.withLock { $0.sockets[number] = nil }
            throw error
        }
        return socket
    }

    private func begin(
        _ socket: any LaneConnection, _ number: UInt32, until deadline: ContinuousClock.Instant
    ) throws(TransportError) {
        try socket.connect(until: deadline)
        let preface = keys.preface(number).encode()
        _ = try preface.withUnsafeBufferPointer { (bytes) throws(TransportError) in
            try socket.send(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Asks the other side to connect. A lane that does not come in time is given up for good.
    private func haveOpened(
        _ number: UInt32, until deadline: ContinuousClock.Instant, while isWanted: () -> Bool,
        _ ask: (UInt32) -> Void
    ) throws(TransportError) -> any LaneConnection {
        enter()
        state.withLock { $0.wanted[number] = .asked }
        ask(number)
        while state.withLock({ $0.isAwaited(number) }), runtime.now < deadline, isWanted() {
            _ = state.wait(until: min(deadline, runtime.now + Self.slice)) { $0.isAwaited(number) ? nil : true }
        }
        return try state.withLock { state throws(TransportError) in
            guard !state.hasEnded else { throw .truncated }
            guard let socket = state.wanted.removeValue(forKey: number)?.socket else {
                throw .unreachable("The other side opened no lane, for which it had been asked.")
            }
            guard state.begin(number, socket) else { preconditionFailure("Each lane is opened once") }
            return socket
        }
    }
}

/// The lanes that one listener is connected to for, by the names that their prefaces give.
package final class LaneDirectory: Sendable {
    private let directions = Mutex<[[UInt8]: SessionLanes]>([:])

    package init() {}

    func enter(_ lanes: SessionLanes, as id: [UInt8]) { directions.withLock { $0[id] = lanes } }

    func remove(_ id: [UInt8]) { directions.withLock { $0[id] = nil } }

    /// Gives a connection to the session it names. Returns whether that session takes it.
    package func admit(_ preface: LanePreface, _ socket: any LaneConnection) -> Bool {
        // The lane's id is visible to observers of the connection anyway, so the timing of the table's lookup leaks no
        // secret.
        directions.withLock { $0[preface.id] }?.admit(preface, socket) ?? false
    }
}
