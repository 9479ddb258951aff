import PortolanDiscovery
import PortolanProtocol
import Synchronization

/// The lanes of one session, at either of its ends: which there may be, which there were, and that all of them end with it.
final class SessionLanes: Sendable {
    /// Where the lanes of a session come from or go to.
    enum Side: Sendable {
        /// This side connects, to where the session is connected to.
        case opening(to: NetworkAddress)
        /// This side is connected to.
        case admitting(by: LaneDirectory)
    }

    let keys: LaneKeys
    private let side: Side
    private let broke: @Sendable (any Error) -> Void
    private let state = Mutex(State())

    private struct State {
        /// The socket of every lane that was ever begun, for as long as somebody has the lane.
        var sockets: [Int: Held] = [:]
        var allowed = 0
        var arrived: (@Sendable (Int, ReceivingLane) -> Void)?
        var hasEnded = false
    }

    private struct Held {
        weak var socket: LaneSocket?
    }

    /// - Parameter broke: ends the session, because one of its lanes has broken.
    init(keys: LaneKeys, side: Side, broke: @escaping @Sendable (any Error) -> Void) {
        self.keys = keys
        self.side = side
        self.broke = broke
    }

    /// The session is over, and so are its lanes: whoever waits on one of them returns.
    func end() {
        let sockets = state.withLock { state in
            state.hasEnded = true
            state.arrived = nil
            return state.sockets.values.compactMap(\.socket)
        }
        if case .admitting(let directory) = side { directory.remove(keys.id) }
        for socket in sockets { socket.shutDown() }
    }

    // MARK: At the receiver

    func allow(_ count: Int, _ arrived: @escaping @Sendable (Int, ReceivingLane) -> Void) {
        guard case .admitting(let directory) = side else { preconditionFailure("The sender opens lanes") }
        precondition((1...Limits.lanes).contains(count), "A session has 1 to 16 lanes")
        // Entered before it is asked whether the session has ended: it ends after one or the other.
        directory.enter(self, as: keys.id)
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.allowed = max(state.allowed, count)
            state.arrived = arrived
            return false
        }
        if hasEnded { directory.remove(keys.id) }
    }

    /// Takes a connection that says it is a lane of this session.
    ///
    /// - Returns: whether it is one that may come. What may not is nobody's business: anyone can claim to be a lane, and repeat what
    ///   another one said.
    func admit(_ preface: LanePreface, _ socket: LaneSocket) -> Bool {
        guard keys.admits(preface) else { return false }
        let index = preface.index
        let arrived = state.withLock { state -> (@Sendable (Int, ReceivingLane) -> Void)? in
            guard !state.hasEnded, index < state.allowed, state.sockets[index] == nil else { return nil }
            state.sockets[index] = Held(socket: socket)
            return state.arrived
        }
        guard let arrived else { return false }
        arrived(index, ReceivingLane(socket: socket, opener: keys.makeOpener(index: index), broke: broke))
        return true
    }

    // MARK: At the sender

    func open(_ index: Int, within patience: Duration) throws(TransportError) -> SendingLane {
        guard case .opening(let address) = side else { preconditionFailure("The receiver opens no lanes") }
        let deadline = ContinuousClock.now + patience
        let socket = try LaneSocket(to: address)
        // Where its end finds it, before anything waits.
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            precondition(state.sockets[index] == nil, "Each lane is opened once")
            state.sockets[index] = Held(socket: socket)
            return false
        }
        guard !hasEnded else { throw .truncated }
        do {
            try socket.connect(to: address, until: deadline)
            let preface = keys.preface(index: index).encode()
            _ = try preface.withUnsafeBufferPointer { (bytes) throws(TransportError) in
                try socket.send(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            // It never came to be one, so that it may be tried again.
            state.withLock { $0.sockets[index] = nil }
            throw error
        }
        return SendingLane(socket: socket, sealer: keys.makeSealer(index: index), broke: broke)
    }
}

/// The sessions of one listener that take lanes, by the names their lanes give.
final class LaneDirectory: Sendable {
    private let sessions = Mutex<[[UInt8]: SessionLanes]>([:])

    func enter(_ lanes: SessionLanes, as id: [UInt8]) { sessions.withLock { $0[id] = lanes } }

    func remove(_ id: [UInt8]) { sessions.withLock { $0[id] = nil } }

    /// Gives a connection to the session it names. Returns whether that session takes it.
    func admit(_ preface: LanePreface, _ socket: LaneSocket) -> Bool {
        // A name is not secret from whoever sees the connection; what the table's lookup tells of it helps nobody.
        sessions.withLock { $0[preface.id] }?.admit(preface, socket) ?? false
    }
}
