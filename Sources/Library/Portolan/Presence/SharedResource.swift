import PortolanConcurrency

/// Shared resource that runs while it has users: started by the first user, shared by all, and ended with the last of
/// them.
actor SharedResource<Resource: Sendable> {
    /// Runs the resource until the task is cancelled. Must call `isReady` once, as soon as the resource can be used.
    typealias Run = @Sendable (_ isReady: @escaping @Sendable (Resource) -> Void) async throws -> Void

    private let run: Run
    private var running: Running?
    private var users = 0
    /// End of the preceding run.
    private var ending: Task<Void, Never>?

    private struct Running {
        let task: Task<Void, Never>
        let resource: OneShot<Resource, any Error>
    }

    init(_ run: @escaping Run) {
        self.run = run
    }

    /// Runs `body` with the resource, which is started if necessary.
    ///
    /// - Throws: the error of the start; errors of `body`.
    nonisolated func with<Result: Sendable>(_ body: (Resource) async throws -> Result) async throws -> Result {
        let resource = try await join()
        do {
            let result = try await body(resource)
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func join() async throws -> Resource {
        users += 1
        // Another run may have begun or ended during the wait.
        while let ending { await finish(ending) }
        let current = running ?? start()
        running = current
        do {
            return try await current.resource.value()
        } catch {
            if running?.task == current.task { running = nil }
            await leave()
            throw error
        }
    }

    private func start() -> Running {
        let resource = OneShot<Resource, any Error>()
        let task = Task { [run] in
            do {
                try await run { resource.settle(.success($0)) }
                resource.settle(.failure(CancellationError()))
            } catch {
                resource.settle(.failure(error))
            }
        }
        return Running(task: task, resource: resource)
    }

    private func leave() async {
        users -= 1
        guard users == 0, let task = running?.task else { return }
        running = nil
        task.cancel()
        ending = task
        await finish(task)
    }

    private func finish(_ ending: Task<Void, Never>) async {
        await ending.value
        if self.ending == ending { self.ending = nil }
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    while (try? await Task.sleep(for: .seconds(1 << 20))) != nil {}
}
