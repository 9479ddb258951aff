import CTestSupport
import Foundation
import Synchronization

/// Thread of this process inside a host's network, mounts, host name and IPC. Its child processes run there. The other
/// threads stay outside, so no helper program is needed to enter a host, and process ids are those of our own children.
final class HostThread: Sendable {
    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let queue = Mutex(Queue())
    private let waiting = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                let (job, isClosed) = queue.withLock { queue in
                    (queue.jobs.isEmpty ? nil : queue.jobs.removeFirst(), queue.isClosed)
                }
                if let job { job() } else if isClosed { return }
            }
        }
    }

    /// Runs `body` on the thread. It must be short, and must not start a thread.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isOpen = add { continuation.resume(with: Swift.Result { try body() }) }
            if !isOpen { continuation.resume(throwing: HostsError("this host is gone")) }
        }
    }

    /// Adds a job to the queue, unless the thread is to end.
    @discardableResult
    private func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isOpen = queue.withLock { queue in
            if !queue.isClosed { queue.jobs.append(job) }
            return !queue.isClosed
        }
        if isOpen { waiting.signal() }
        return isOpen
    }

    /// Ends the thread after the jobs so far.
    func close() {
        queue.withLock { $0.isClosed = true }
        waiting.signal()
    }

    /// Reason why this process cannot have hosts of its own; nil if it can.
    static func obstacle() -> String? {
        let thread = HostThread()
        let status = Mutex<Int32>(0)
        let done = DispatchSemaphore(value: 0)
        thread.add {
            let result = portolan_leave_this_machine()
            status.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        thread.close()
        let result = status.withLock { $0 }
        return result == 0 ? nil : HostsError("namespaces are not permitted here", status: result).description
    }
}
