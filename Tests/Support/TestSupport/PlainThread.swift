import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Runs `body` on a thread to which file permissions apply, also when the tests run as root.
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
