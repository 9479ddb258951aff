import Glibc

/// Wait of a task for input from a person or another program, which may take any time.
///
/// The wait has its own thread, in poll(2), so that no thread of a pool is blocked. Another thread can end it early.
package final class InputWait: Sendable {
    /// Pair of sockets: a byte in it ends the wait. Unlike a pipe, it is created with close-on-exec.
    private let ends: (read: CInt, write: CInt)

    /// - Throws: `ThreadError` if no descriptor is left.
    package init() throws(ThreadError) {
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw ThreadError(code: errno) }
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Ends the current wait, or else the next one.
    package func wake() { _ = write(ends.write, [1], 1) }

    /// Waits until a descriptor can be read or is at its end, or until ``wake()``.
    ///
    /// - Parameter descriptor: must stay open until this returns.
    /// - Throws: `CancellationError` when the task is cancelled; `ThreadError` if no thread can be started.
    package func untilReadable(_ descriptor: CInt) async throws {
        try Task.checkCancellation()
        let thread = try WorkerThread(named: "input") { self.block(on: descriptor) }
        try await withTaskCancellationHandler {
            try await thread.value
        } onCancel: {
            wake()
        }
        try Task.checkCancellation()
    }

    private func block(on descriptor: CInt) {
        var waiting = [
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0, errno == EINTR {}
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(ends.read, &bytes, bytes.count) > 0 {}
    }
}
