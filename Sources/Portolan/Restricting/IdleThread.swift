import PortolanConcurrency

/// Runs blocking work that nothing waits for, such as digesting large files, on a thread of its own with a low
/// priority; not at all where there can be no more threads.
///
/// - Parameter onCancel: called when the task is cancelled, from any thread; the work goes on until it ends by itself.
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
