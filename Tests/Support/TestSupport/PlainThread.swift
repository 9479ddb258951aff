import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Runs `body` on a thread for which permissions of files count, also where the tests run as root.
package func obeyingPermissions(_ body: @escaping @Sendable () throws -> Void) throws {
    let thrown = Mutex<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        do {
            let status = portolan_obey_permissions()
            if status != 0 { throw POSIXError(POSIXErrorCode(rawValue: -status) ?? .EPERM) }
            try body()
        } catch {
            thrown.withLock { $0 = error }
        }
        done.signal()
    }
    done.wait()
    if let error = thrown.withLock(\.self) { throw error }
}

/// Runs `body`, which computes for long, on a thread that gives way to all others: the few that tasks share are for tests that others
/// wait for.
package func aside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            // Of this thread alone: Linux keeps one priority for each.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            continuation.resume(returning: body())
        }
    }
}
