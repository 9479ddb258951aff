import Foundation
import Glibc

/// Runs blocking work that nothing waits for, such as digesting large files, on a thread of its own with a low priority.
///
/// - Parameter onCancel: called when the task is cancelled, from any thread; the work goes on until it ends by itself.
func withIdleThread(_ body: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) async {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // On Linux this is the priority of the calling thread alone.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                body()
                continuation.resume()
            }
        }
    } onCancel: {
        onCancel()
    }
}
