import PortolanConcurrency
import PortolanValues

/// Outcome of an attempt to load the policy again.
package struct PolicyReload: Hashable, Sendable {
    /// Reasons for which the old one stays in force, one sentence each.
    package let problems: [String]
    /// What the owner should know of the one that is in force now, one sentence each.
    package let remarks: [String]
}

extension Agent {
    /// For a service manager to show.
    static let runningStatus = "Receives by the policy and delivers what is queued."

    /// Tells a service manager that watches this process that it is alive, until the task is cancelled.
    ///
    /// The proof is an answer of the database, which has a thread of its own and which all that the agent promises goes through. An
    /// error is an answer, too: a new process would get the same one.
    func watchForManager() -> Task<Void, Never>? {
        guard let manager = host.manager,
            let watchdog = Watchdog(manager, prove: { [database] in _ = try? await database.read { _ in } })
        else { return nil }
        // Nobody waits for its end: what has got stuck must not keep the agent from stopping.
        return Task { await watchdog.run() }
    }

    /// Time until it is looked whether trouble is over, if nothing else shows it.
    private static let troublePause = Duration.seconds(10)

    /// Tells a service manager of trouble with the state, and when it is over, until the task is cancelled. Called once.
    func followTrouble() async {
        var looking: Task<Void, Never>?
        for await trouble in troubles {
            looking?.cancel()
            await host.manager?.tell(.status(trouble ?? Self.runningStatus))
            looking = trouble == nil ? nil : Task { await lookForEndOfTrouble() }
        }
        looking?.cancel()
    }

    /// Writes to the state now and then, as long as that fails.
    private func lookForEndOfTrouble() async {
        while (try? await Task.sleep(for: Self.troublePause)) != nil, health.problem != nil {
            _ = try? await health.writing { [database] in
                try await database.write { try $0.journal.append(.stateWritable, values: [:]) }
            }
        }
    }

    /// Whether a process that is held in since its start cannot write to a folder.
    func isOutOfReach(_ folder: String) async -> Bool {
        guard isConfined, let confinement = host.confinement else { return false }
        return await withLookupThread { !confinement.outOfReach([folder]).isEmpty }
    }

    /// Folders of the policy that a process which is held in since its start cannot write to, one sentence each.
    func foldersOutOfReach() async -> [String] {
        guard isConfined, let confinement = host.confinement else { return [] }
        let folders = policy.current.folders
        return await withLookupThread { confinement.outOfReach(folders) }.map { folder in
            "The policy names “\(DisplayText(folder, limit: 200))”, which this agent has not been able to write to since its start. "
                + "Start it again, with 'portolan agent install' if it is a service."
        }
    }
}
