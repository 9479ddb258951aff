import PortolanConcurrency
import Synchronization

/// Call to be made after a condition has lasted for some time.
struct Alarm: Sendable {
    let delay: Duration
    fileprivate let call: @Sendable () async -> Bool

    /// - Parameters:
    ///   - delay: time that the condition must last.
    ///   - call: cancelled when the condition ends. Returns true to be called again after the same time.
    init(after delay: Duration, _ call: @escaping @Sendable () async -> Bool) {
        self.delay = delay
        self.call = call
    }
}

/// Alarms of one session; a single task sleeps for all of them.
///
/// Most alarms are cancelled long before they are due. So a cancelled alarm wakes no task, and a new one wakes the task
/// only if it is due before all others: a session with many small items has a few timers a second, rather than several
/// for each item.
final class Alarms: Sendable {
    private struct Entry {
        let alarm: Alarm
        /// nil while the call is being made, and when there will be none.
        var due: ContinuousClock.Instant?
        var underWay: Task<Bool, Never>?
    }

    private enum Work: Sendable {
        case sleep(until: ContinuousClock.Instant)
        case call(UInt64)
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        /// Wake-up times of sleeping tasks: the present one, and those that slept when an earlier alarm was set.
        var wakes: [ContinuousClock.Instant] = []

        /// - Returns: true for work that no task does yet.
        mutating func set(_ number: UInt64, to due: ContinuousClock.Instant) -> Work? {
            entries[number]?.due = due
            return wake(at: due) ? .sleep(until: due) : nil
        }

        /// - Returns: true if a task is to sleep until then; false if one wakes up before.
        mutating func wake(at time: ContinuousClock.Instant) -> Bool {
            guard wakes.allSatisfy({ $0 > time }) else { return false }
            wakes.append(time)
            return true
        }
    }

    private let runtime: Runtime
    private let work = Mailbox<Work>(limit: 0) { _ in false }
    private let state = Mutex(State())

    /// - Parameter runtime: its clock is used.
    init(on runtime: Runtime) { self.runtime = runtime }

    /// Runs `body`, and makes the calls of alarms that become due. No call is running any more when this returns.
    func with<Result>(
        _ alarms: Alarm..., isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Result
    ) async rethrows -> Result {
        let numbers = alarms.map { set($0) }
        do {
            let result = try await body()
            for number in numbers { await end(number) }
            return result
        } catch {
            for number in numbers { await end(number) }
            throw error
        }
    }

    private func set(_ alarm: Alarm) -> UInt64 {
        let (number, news) = state.withLock { state in
            state.last += 1
            state.entries[state.last] = Entry(alarm: alarm)
            return (state.last, state.set(state.last, to: runtime.now + alarm.delay))
        }
        if let news { work.post(news) }
        return number
    }

    private func end(_ number: UInt64) async {
        let call = state.withLock { $0.entries.removeValue(forKey: number)?.underWay }
        call?.cancel()
        _ = await call?.value
    }

    // MARK: The task

    /// Sleeps and calls, until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { tasks in
            while let work = (try? await work.next()) ?? nil {
                switch work {
                case .sleep(let time): tasks.addTask { await self.sleep(until: time) }
                case .call(let number): tasks.addTask { await self.call(number) }
                }
            }
            tasks.cancelAll()
        }
    }

    private func sleep(until time: ContinuousClock.Instant) async {
        var time = time
        while (try? await runtime.sleep(for: runtime.now.duration(to: time))) != nil {
            let (due, next) = state.withLock { state in
                let now = runtime.now
                let due = state.entries.filter { $0.value.due.map { $0 <= now } ?? false }.keys.sorted()
                for number in due { state.entries[number]?.due = nil }
                if let own = state.wakes.firstIndex(of: time) { state.wakes.remove(at: own) }
                let next = state.entries.values.compactMap(\.due).min()
                return (due, next.flatMap { state.wake(at: $0) ? $0 : nil })
            }
            for number in due { work.post(.call(number)) }
            guard let next else { return }
            time = next
        }
    }

    private func call(_ number: UInt64) async {
        let call = state.withLock { state -> Task<Bool, Never>? in
            guard let alarm = state.entries[number]?.alarm else { return nil }
            let call = Task(executorPreference: runtime.controlExecutor) { await alarm.call() }
            state.entries[number]?.underWay = call
            return call
        }
        guard let call else { return }
        let isDueAgain = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
        let news = state.withLock { state -> Work? in
            state.entries[number]?.underWay = nil
            guard isDueAgain, let delay = state.entries[number]?.alarm.delay else { return nil }
            return state.set(number, to: runtime.now + delay)
        }
        if let news { work.post(news) }
    }
}
