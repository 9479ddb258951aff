/// Outcome of an attempt to load the policy again.
package struct PolicyReload: Hashable, Sendable {
    /// Reasons why the old policy stays in force, one sentence each.
    package let problems: [String]
    /// Remarks for the owner about the policy in force, one sentence each.
    package let remarks: [String]
}

extension Agent {
    /// Status text for a service manager.
    var runningStatus: String {
        policy.loaded.isInForce
            ? "Receives by the policy and delivers what is queued."
            : "Receives nothing, since its policy is refused; delivers what is queued."
    }

    /// Sends signs of life to a service manager that watches this process, until the task is cancelled.
    ///
    /// The proof is an answer of the database, which has a thread of its own and is part of all operations. An error is
    /// an answer, too: a new process would get the same one.
    func watchForManager() -> Task<Void, Never>? {
        guard let manager,
            let watchdog = Watchdog(manager, prove: { [database] in _ = try? await database.read { _ in } })
        else { return nil }
        // The task is not awaited: a stalled proof must not keep the agent from stopping.
        return Task { await watchdog.run() }
    }

    /// Interval of the checks for the end of a fault, if no other write shows it.
    private static let troublePause = Duration.seconds(10)

    /// Reports faults of the state, and their end, to a service manager, until the task is cancelled. Called once.
    func followTrouble() async {
        var looking: Task<Void, Never>?
        for await trouble in troubles {
            looking?.cancel()
            await manager?.tell(.status(trouble ?? runningStatus))
            looking = trouble == nil ? nil : Task { await lookForEndOfTrouble() }
        }
        looking?.cancel()
    }

    /// Writes to the state at intervals, as long as that fails.
    private func lookForEndOfTrouble() async {
        while (try? await Task.sleep(for: Self.troublePause)) != nil, health.problem != nil {
            _ = try? await health.writing { [database] in
                try await database.write { try $0.journal.append(.stateWritable, values: [:]) }
            }
        }
    }
}
