import CPortolanLinux
import Glibc

/// A thread of its own for work that blocks from beginning to end, and its result.
///
/// Such work waits in system calls for as long as it takes: on a thread of Swift's pool it would keep other tasks from
/// running. A thread cannot be stopped from outside: to end the work, end the call that it waits in, for example by
/// closing its socket.
package final class WorkerThread<Value: Sendable>: Sendable {
    private let result = OneShot<Value, any Error>()

    /// Starts the thread.
    ///
    /// - Parameter name: name in debuggers and `top`; the system keeps 15 bytes of it.
    package convenience init(named name: String, _ work: @escaping @Sendable () throws -> Value) throws(ThreadError) {
        try self.init(named: name, startedBy: startThread, work)
    }

    /// - Parameter start: runs its argument on a new thread of this name.
    package init<Failure>(
        named name: String, startedBy start: (String, @escaping @Sendable () -> Void) throws(Failure) -> Void,
        _ work: @escaping @Sendable () throws -> Value
    ) throws(Failure) {
        try start(name) { [result] in result.settle(Result { try work() }) }
    }

    /// Waits for the end of the work and returns its result; throws the error of the work.
    package var value: Value {
        get async throws { try await result.value() }
    }
}

/// Runs `body` on a new thread, which ends when `body` returns.
///
/// Signals are blocked in the thread, so that they reach the thread of the main program that waits for them.
/// - Parameter name: name in debuggers and `top`; the system keeps 15 bytes of it.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    // A new thread inherits the mask, so that it can never be chosen for a signal.
    var everything = sigset_t()
    var before = sigset_t()
    sigfillset(&everything)
    pthread_sigmask(SIG_BLOCK, &everything, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

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
        throw ThreadError(code: code)
    }
    pthread_detach(thread)
}

/// No thread, or no resource for a thread's wait, is left.
package struct ThreadError: Error, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package var description: String { "no thread or event loop could be started (\(String(cString: strerror(code))))" }
}

/// Yields the processors to other threads, including those of this process.
package func giveWayToOthers() {
    // Of this thread alone: Linux keeps one priority for each.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}
