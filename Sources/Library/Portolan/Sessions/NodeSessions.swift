import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Kept sessions of a node: those that it opened, and incoming ones.
///
/// A session is kept if both sides announce it. It is found by the proved key of its peer, and carries the operations
/// of both sides.
final class NodeSessions: Sendable {
    /// Called after a session has begun; `isKept` is true if both sides keep it.
    typealias Ready = @Sendable (_ driver: SessionDriver, _ isKept: Bool) -> Void

    /// Most idle sessions. Above that, the one with the longest idle time ends.
    private static let mostAtRest = 32

    private struct State {
        var kept: [KeptSession] = []
        /// Sessions that this side opened, kept or not.
        var opened: [ObjectIdentifier: Task<Void, any Error>] = [:]
        var running: [ObjectIdentifier: Running] = [:]
        /// Sessions for one operation.
        var passing: [ObjectIdentifier: SessionDriver] = [:]
        /// Peers to which a session is being opened, with the waiting operations.
        var opening: [Peer.ID: [OneShot<Void, any Error>]] = [:]
    }

    /// A session that has not ended.
    private struct Running {
        let driver: SessionDriver
        let visit: any SessionVisit
        let ended = OneShot<Void, Never>()
    }

    /// Makes this side's participant of a session.
    typealias MakeVisit = @Sendable (_ session: Session, _ isOpenedHere: Bool) -> any SessionVisit

    let environment: NodeEnvironment
    private let duties: NodeDuties
    private let makeVisit: MakeVisit
    private let state = Mutex(State())

    init(in environment: NodeEnvironment, doing duties: NodeDuties, visit: @escaping MakeVisit) {
        self.environment = environment
        self.duties = duties
        makeVisit = visit
    }

    // MARK: Using

    /// Runs `body` in a session with a peer: a kept one if there is one, else a new one.
    ///
    /// If a kept session turns out to be over before the peer has answered, the operation is repeated in another
    /// session.
    ///
    /// - Parameter use: operation of the session. Its `body` may run more than once.
    /// - Throws: errors of ``with(_:pacing:)``.
    func run<Result: Sendable>(_ use: SessionUse<Result>) async throws -> Result {
        var mayWait = true
        while true {
            if let kept = await find(use) {
                do {
                    let result = try await kept.driver.use(expectingSign: true) { driver in
                        use.opened(driver.session)
                        return try await use.body(driver)
                    }
                    if let result { return result }
                } catch let error where error.isInterruption && !use.isAnswered() {
                    try Task.checkCancellation()
                }
                remove(kept)
                continue
            }
            guard mayWait else { return try await open(use) }
            mayWait = false
            guard let turn = joinOpening(of: use.peer) else {
                return try await open(use) { self.endOpening(of: use.peer) }
            }
            try await turn.value(ifCancelled: .failure(CancellationError()))
        }
    }

    /// Kept session with the named peer, preferably an idle one.
    private func find<Result: Sendable>(_ use: SessionUse<Result>) async -> KeptSession? {
        let wanted = Capabilities(use.wanted)
        let kept = state.withLock(\.kept).filter { $0.isWith(use.peer) && $0.peerCapabilities.isSuperset(of: wanted) }
            .map { ($0, $0.driver.isAtRest) }
        for (session, _) in kept.filter(\.1) + kept.filter({ !$0.1 }) {
            // If this is not the key of the named peer, another device may answer by now.
            if (try? await use.accept(session.driver.session.peer)) != nil { return session }
        }
        return nil
    }

    /// - Returns: nil if the caller must open a session; else a result that is settled after another operation has
    ///   tried.
    private func joinOpening(of peer: Peer) -> OneShot<Void, any Error>? {
        state.withLock { state in
            guard state.opening[peer.id] != nil else {
                state.opening[peer.id] = []
                return nil
            }
            let turn = OneShot<Void, any Error>()
            state.opening[peer.id]?.append(turn)
            return turn
        }
    }

    private func endOpening(of peer: Peer) {
        let waiting = state.withLock { $0.opening.removeValue(forKey: peer.id) }
        for turn in waiting ?? [] { turn.settle() }
    }

    // MARK: Opening

    /// Opens a session and runs `body` in it. If the peer does not keep the session, it ends after `body`.
    ///
    /// - Parameter tried: called once others can use the session, or the attempt has failed.
    private func open<Result: Sendable>(
        _ use: SessionUse<Result>, tried: @Sendable () -> Void = {}
    ) async throws -> Result {
        let (driver, isKept, task): (SessionDriver, Bool, Task<Void, any Error>)
        do {
            defer { tried() }
            let session = try await environment.connect(
                to: use.peer, wanting: use.wanted, avoiding: use.avoided, decide: use.accept)
            use.opened(session)
            let ready = OneShot<(driver: SessionDriver, isKept: Bool), any Error>()
            task = start(session, ready)
            (driver, isKept) = try await withTaskCancellationHandler {
                try await ready.value()
            } onCancel: { [task] in
                task.cancel()
            }
        }
        guard !isKept else { return try await driver.useHeld(use.body) }
        let outcome = await Swift.Result { try await driver.useHeld(use.body) }
        driver.retire()
        // Transfers of the peer in the session may continue. Their receivers learn how they end.
        await withTaskCancellationHandler {
            _ = await task.result
        } onCancel: {
            task.cancel()
        }
        return try outcome.get()
    }

    private func start(
        _ session: Session, _ ready: OneShot<(driver: SessionDriver, isKept: Bool), any Error>
    ) -> Task<Void, any Error> {
        let id = ObjectIdentifier(session)
        return state.withLock { state in
            let task = Task {
                defer { self.state.withLock { $0.opened[id] = nil } }
                do {
                    try await self.run(session, isOpenedHere: true, ledger: self.environment.ledger()) {
                        ready.settle(.success(($0, $1)))
                    }
                } catch {
                    ready.settle(.failure(error))
                    throw error
                }
            }
            state.opened[id] = task
            return task
        }
    }

    // MARK: Running

    /// Runs a session until it is over, and plays the node's roles for the peer. A session that this side opened is
    /// held for its first use.
    ///
    /// - Throws: the error that ended the session early.
    func run(
        _ session: Session, isOpenedHere: Bool, ledger: NodeLedger, ready: @escaping Ready = { _, _ in }
    ) async throws {
        let visit = makeVisit(session, isOpenedHere)
        let roles = visit.makeRoles()
        let kept = Mutex<KeptSession?>(nil)
        let id = ObjectIdentifier(session)
        defer { state.withLock { $0.running.removeValue(forKey: id) }?.ended.settle() }
        do {
            try await SessionDriver.run(on: session, ledger: ledger, roles: roles) { driver in
                self.state.withLock { $0.running[id] = Running(driver: driver, visit: visit) }
                if isOpenedHere { driver.hold() }
                let capabilities = try await withTaskCancellationHandler {
                    try await driver.peerCapabilities
                } onCancel: {
                    driver.stop()
                }
                let session = KeptSession(
                    driver, isOpenedHere: isOpenedHere, capabilities: roles.capabilities,
                    peerCapabilities: capabilities)
                let isKept = capabilities.intersection(roles.capabilities).contains(.stays)
                if isKept {
                    kept.withLock { $0 = session }
                    self.keep(session)
                }
                defer { self.remove(session) }
                ready(driver, isKept)
                try await driver.stay()
            }
            visit.end()
        } catch {
            let wasAtRest = kept.withLock { $0?.driver.isAtRest ?? false }
            if wasAtRest { visit.end() } else { visit.end(because: error) }
            throw error
        }
    }

    private func keep(_ session: KeptSession) {
        state.withLock { $0.kept.append(session) }
        // The duties of the node may have changed since the session began.
        if session.capabilities != duties.capabilities { session.driver.retire() }
        let resting = state.withLock(\.kept).compactMap { kept in kept.driver.restingSince.map { (kept, $0) } }
        for (kept, _) in resting.sorted(by: { $0.1 < $1.1 }).dropLast(Self.mostAtRest) { kept.driver.retire() }
    }

    private func remove(_ session: KeptSession) {
        state.withLock { $0.kept.removeAll { $0 === session } }
    }

    // MARK: Ending

    /// The drivers of all sessions that have not ended.
    var drivers: [SessionDriver] { state.withLock { $0.running.values.map(\.driver) + $0.passing.values } }

    /// Runs an operation in a session of its own, which is told of changes of the teams as any other.
    func passing<Result: Sendable>(
        _ driver: SessionDriver, _ body: @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let id = ObjectIdentifier(driver)
        state.withLock { $0.passing[id] = driver }
        defer { state.withLock { $0.passing[id] = nil } }
        return try await body(driver)
    }

    /// Ends the sessions in which this side announced other capabilities, each as soon as it is idle.
    func retire(unless capabilities: Capabilities) {
        for session in state.withLock(\.kept) where session.capabilities != capabilities { session.driver.retire() }
    }

    /// Ends the sessions that receive by a removed route, and waits for their end: after it, nothing is stored or
    /// reported by the route.
    func end(receivingBy route: Int) async {
        let running = state.withLock { Array($0.running.values) }
        let ending = running.filter { $0.visit.hasReceived(by: route) && !$0.driver.isAtRest }
        for one in ending { one.driver.stop() }
        for one in ending { await one.ended.value() }
    }

    /// Called when the node has stopped receiving and sharing: sessions that this side opened do not serve their peers
    /// any more.
    func stopServing() {
        for session in state.withLock(\.kept) where session.isOpenedHere { session.driver.stopServing() }
    }

    /// Ends all sessions, idle ones in order, and waits for those that this side opened.
    func close() async {
        let (kept, opened) = state.withLock { ($0.kept, Array($0.opened.values)) }
        for session in kept { session.driver.stop() }
        for task in opened { task.cancel() }
        for task in opened { _ = await task.result }
    }
}
