import PortolanConcurrency

/// Runs blocking background work, such as digesting large files, on a new thread with a low priority; does nothing if
/// no thread can be started.
///
/// - Parameter onCancel: called when the task is cancelled, from any thread; the work continues until it ends by
///   itself.
func withIdleThread(_ body: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) async {
    await withTaskCancellationHandler {
        let thread = try? WorkerThread(named: "idle") {
            giveWayToOthers()
            body()
        }
        try? await thread?.value
    } onCancel: {
        onCancel()
    }
}
