import Foundation
import PortolanConcurrency
import PortolanProtocol

/// Time and threads of a node and its sessions: the machine's, or those of a simulation.
///
/// Timers, delays and threads all come from the runtime, so that a whole network of sessions can run in virtual time,
/// in an order determined by a seed.
package struct Runtime: Sendable {
    /// Clock and threads of the machine.
    package static let system = Runtime(simulation: nil)

    let simulation: (any SimulatedRuntime)?
    /// nil for the machine's clock.
    private let clock: (any VirtualClock)?

    /// - Parameter simulation: replaces the machine; nil uses the machine.
    package init(simulation: (any SimulatedRuntime)?) {
        self.simulation = simulation
        clock = simulation
    }

    /// Threads of the machine, and another clock. For parts of a node without sessions: threads of lanes wait by the
    /// machine's clock.
    package init(clock: any VirtualClock) {
        simulation = nil
        self.clock = clock
    }

    /// The present moment.
    package var now: ContinuousClock.Instant { clock?.instant ?? .now }

    /// Date and time of day, derived from the virtual clock in a simulation.
    package var date: Date {
        guard let clock else { return .now }
        return Date.now + (clock.instant - ContinuousClock.now) / .seconds(1)
    }

    /// Suspends the task.
    ///
    /// - Throws: `CancellationError`
    package func sleep(for duration: Duration) async throws {
        if let clock {
            try await clock.sleep(for: duration)
        } else {
            try await Task.sleep(for: duration)
        }
    }

    /// Suspends the task.
    ///
    /// - Throws: `CancellationError`
    package func sleep(until instant: ContinuousClock.Instant) async throws {
        if let clock {
            try await clock.sleep(for: max(.zero, instant - clock.instant))
        } else {
            try await Task.sleep(until: instant, clock: .continuous)
        }
    }

    /// Lanes that one direction of a session may have: on a network slower than the processors, more lanes than
    /// processors help. The sender measures how many do (``LaneChoice``).
    var mostLanes: Int { simulation?.mostLanes ?? max(Self.slowLanes, min(Limits.lanes, Self.processors)) }

    /// Lanes that this side can serve when they are busy all the time.
    var busyLanes: Int { simulation?.mostLanes ?? Self.processors }

    private static let processors = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// Lanes that mostly wait; each costs a thread and the memory of a record.
    private static let slowLanes = 8

    /// Runs `body` where blocking calls on the files of items are allowed.
    func withBlockingThread<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard let simulation else { return try await BlockingThreads.forItems.run(body) }
        return try await simulation.withThread(isolation: isolation, body)
    }

    /// Runs `body` where short blocking calls on this device's own state are allowed. They never queue behind calls for
    /// the files of items.
    func withLookupThread<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        if simulation != nil { return try await body() }
        return try await BlockingThreads.lookUp(body)
    }

    /// Runs `body` on a new thread, which ends when `body` returns.
    ///
    /// - Parameter name: name in debuggers and `top`; the system keeps 15 bytes of it.
    /// - Throws: `TransportError.system` when no more threads can be started.
    func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
        if let simulation { return simulation.startThread(body) }
        do throws(ThreadError) {
            try PortolanConcurrency.startThread(named: name, body)
        } catch {
            throw .system("A thread could not be started: \(String(cString: strerror(error.code))).")
        }
    }

    /// Executor of tasks that do much with the files of items, and may block there.
    var itemExecutor: any TaskExecutor { simulation?.executor ?? BlockingThreads.forItems }

    /// Executor of tasks that a slow disk must not delay, although their parent may run on an executor that blocks.
    var controlExecutor: any TaskExecutor { simulation?.executor ?? globalConcurrentExecutor }
}

extension WorkerThread {
    /// A thread of the machine or of a simulation.
    ///
    /// - Throws: `TransportError.system` when no more threads can be started.
    package convenience init(
        named name: String, on runtime: Runtime, _ work: @escaping @Sendable () throws -> Value
    ) throws(TransportError) {
        try self.init(named: name, startedBy: runtime.startThread, work)
    }
}

extension Monitor {
    convenience init(_ state: sending State, on runtime: Runtime) {
        self.init(state, simulation: runtime.simulation)
    }
}

/// Clock whose time a test advances.
package protocol VirtualClock: Sendable {
    /// The present moment of virtual time.
    var instant: ContinuousClock.Instant { get }

    /// Suspends the task until so much of virtual time has passed.
    ///
    /// - Throws: `CancellationError`
    func sleep(for duration: Duration) async throws
}

/// Virtual clock, with an executor and threads that use it.
package protocol SimulatedRuntime: SimulatedThreads, VirtualClock {
    /// Lanes that one direction of a session may have, 1 to 16.
    var mostLanes: Int { get }

    /// Runs one job after another, in the order in which they become ready.
    var executor: any TaskExecutor { get }

    /// Runs `body` where it may call ``giveWay(isRetry:until:)``.
    func withThread<Result>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result

    /// Runs `body` on a new thread.
    func startThread(_ body: @escaping @Sendable () -> Void)
}
