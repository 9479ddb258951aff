import CPortolanLinux
import Glibc
import Synchronization

/// A thread of its own for work that blocks from beginning to end, and its result.
///
/// A lane waits in system calls for as long as a transfer takes: on a thread of Swift's pool it would keep other tasks from running.
/// Nothing stops the work from outside; whoever wants it over shuts down what it waits for.
package final class LaneThread<Value: Sendable>: Sendable {
    private enum State {
        case running([CheckedContinuation<Value, any Error>])
        case over(Result<Value, any Error>)
    }

    private let state = Mutex(State.running([]))

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: what debuggers and `top` show; the system keeps 15 bytes of it.
    ///   - runtime: whose thread it is.
    /// - Throws: `TransportError.system` when there can be no more threads.
    package init(
        named name: String, on runtime: Runtime = .system, _ work: @escaping @Sendable () throws -> Value
    ) throws(TransportError) {
        try runtime.startThread(named: name) { self.end(with: Result { try work() }) }
    }

    /// What the work returns or throws, when it is over.
    package var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    switch state {
                    case .running(let waiting):
                        state = .running(waiting + [continuation])
                        return nil
                    case .over(let result): return result
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }

    private func end(with result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            guard case .running(let waiting) = state else { preconditionFailure("A thread ended twice") }
            state = .over(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}

/// Runs `body` on a new thread of the machine, which goes away when it returns.
///
/// - Throws: `TransportError.system`
func startMachineThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    let start = Unmanaged.passRetained(Start(name: String(decoding: name.utf8.prefix(15), as: UTF8.self), body: body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
            _ = portolan_name_thread(start.name)
            start.body()
            return nil
        }, start.toOpaque())
    guard code == 0 else {
        start.release()
        throw .system("A thread could not be started: \(String(cString: strerror(code))).")
    }
    pthread_detach(thread)
}

/// Leaves the processors to other threads, of this process too, as far as they want them.
func giveWayToOthers() {
    // Of this thread alone: Linux keeps one priority for each.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}
