import PortolanConcurrency
import PortolanValues

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
        guard let manager = host.manager,
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
            await host.manager?.tell(.status(trouble ?? runningStatus))
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

    /// True if a process that is confined since its start cannot write to a folder.
    func isOutOfReach(_ folder: String) async -> Bool {
        guard isConfined, let confinement = host.confinement else { return false }
        return await withLookupThread { !confinement.outOfReach([folder]).isEmpty }
    }

    /// Returns the folders of the policy to which a process that is confined since its start cannot write, one sentence
    /// each.
    func foldersOutOfReach() async -> [String] {
        guard isConfined, let confinement = host.confinement else { return [] }
        let folders = policy.current.folders
        return await withLookupThread { confinement.outOfReach(folders) }.map { folder in
            "The policy names “\(DisplayText(folder, limit: 200))”, which this agent has not been able to write to since its start. "
                + "Start it again, with 'portolan agent install' if it is a service."
        }
    }
}
