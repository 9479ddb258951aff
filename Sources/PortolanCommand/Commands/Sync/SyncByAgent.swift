import ArgumentParser
import Portolan
import PortolanClient
import PortolanConfiguration
import PortolanSyncing

extension AgentOptions {
    /// Asks a running agent to scan the synchronized folders after a change of their list.
    ///
    /// - Returns: state of the folders; nil if no agent runs or is wanted, or if the request failed, which is reported.
    func refreshedFolders(_ settings: Settings, _ console: Console) async -> AgentAPI.SyncFolders? {
        do {
            guard let client = try await running(settings) else { return nil }
            return try await client.refreshedSync()
        } catch {
            console.diagnose("It is done, but the agent has not been told. \(CommandFailure(error).description)")
            return nil
        }
    }
}

extension AgentOptions {
    /// Asks a running agent to open a folder that was added to the list, and waits for that, even if the agent restarts
    /// for it.
    ///
    /// - Returns: true if an agent runs. Obstacles are printed.
    func takeUp(_ entry: SyncFolderEntry, _ settings: Settings, _ console: Console) async -> Bool {
        guard let folders = await refreshedFolders(settings, console) else { return false }
        do {
            guard var folder = folders.folders.first(where: { $0.id == entry.local }) else { return true }
            if folder.needsRestart || folder.problem != nil {
                let client = try settings.agentClient()
                try await permitService(entry.path, client)
                guard let later = try await client.waitForRestart(entry.local) else { return true }
                folder = later
            }
            folder.tellObstacle(console)
        } catch {
            console.diagnose("It is done, but the agent has not taken it up. \(CommandFailure(error).description)")
        }
        return true
    }

    /// Adds write permission for a folder to the agent's unit, if the agent is a service.
    private func permitService(_ path: String, _ client: AgentClient) async throws {
        let control = ServiceControl.own
        let installed = try InstalledUnit(scope: control.scope, environment: HomeDirectory.environmentOfThisProcess)
        guard let before = try await installed.text(), let text = try ServiceUnit.text(before, permitting: path),
            try await control.runs(client)
        else { return }
        try await installed.write(text)
        try await control.reload()
        // The agent may already be restarting by itself, with the former unit.
        try await control.restart()
    }
}

extension ServiceControl {
    /// True if the agent is the process of the unit.
    fileprivate func runs(_ client: AgentClient) async throws -> Bool {
        // An agent that restarts between the two questions is another process, once.
        for _ in 0..<2 where try await client.status().process == process() { return true }
        return false
    }
}

extension AgentAPI.SyncFolder {
    /// Prints the obstacle to a newly added folder.
    fileprivate func tellObstacle(_ console: Console) {
        if needsRestart {
            console.diagnose(
                "The agent has to be started again to write there: 'portolan agent stop', then 'portolan agent run', "
                    + "or 'portolan agent install' if it is a service.")
        } else if let problem {
            console.diagnose(DisplayText(sentence: problem, limit: 1000).text)
        }
    }
}

extension AgentClient {
    /// Interval of requests for the agent's state.
    private static let pause = Duration.milliseconds(100)
    /// Time for which a folder may be stopped: one that was just resumed or moved is opened a second time.
    private static let grace = Duration.seconds(3)
    /// Longest time for a restart of the agent.
    private static let restartTime = Duration.seconds(60)

    /// Waits while the agent restarts for a folder.
    ///
    /// - Parameter id: identifier of the folder.
    /// - Returns: the folder; nil if it was removed from the list meanwhile.
    /// - Throws: `CommandFailure` if it takes too long; errors of the agent.
    fileprivate func waitForRestart(_ id: String) async throws -> AgentAPI.SyncFolder? {
        let end = ContinuousClock.now + Self.restartTime
        while true {
            guard let folder = try await sync().folders.first(where: { $0.id == id }) else { return nil }
            guard folder.state == .restarting else { return folder }
            guard .now < end else {
                throw CommandFailure(
                    .interrupted,
                    "It has to start again to write there, and has not done so; see 'portolan agent status'.")
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Waits until the agent has scanned folders after this call, and they are synchronized with the connected peers.
    /// Continues with the next agent if this one restarts.
    ///
    /// - Parameters:
    ///   - name: nil for all folders that are not paused.
    ///   - isDone: true for a folder that is not waited for any more.
    ///   - seen: called with the folders whenever they have been asked for.
    /// - Returns: the folders.
    /// - Throws: `CommandFailure` for a folder that does not exist, is paused, or is stopped; errors of the agent.
    func waitUntilIdle(
        _ name: String?, isDone: @Sendable (AgentAPI.SyncFolder) -> Bool = \.isIdle,
        seen: @Sendable ([AgentAPI.SyncFolder]) -> Void = { _ in }
    ) async throws -> [AgentAPI.SyncFolder] {
        var begun = ContinuousClock.now
        var answer = try await refreshedSync()
        while true {
            let folders = answer.folders.filter { folder in
                name.map { folder.name == $0 } ?? (folder.state != .paused)
            }
            if let name, folders.isEmpty { throw SyncFolderArgument.unknown(name) }
            if let problem = answer.problem {
                throw CommandFailure(.inputOutput, DisplayText(sentence: problem, limit: 1000).text)
            }
            // The next agent has the whole time for the folder.
            if folders.contains(where: { $0.state == .restarting }) { begun = .now }
            let isLate = begun.duration(to: .now) > Self.grace
            for folder in folders where isLate || folder.state != .halted { try folder.checkProgress() }
            seen(folders)
            if folders.allSatisfy(isDone) { return folders }
            try await Task.sleep(for: Self.pause)
            answer = try await sync()
        }
    }

    /// Has folders looked at; again if the agent broke that off to start again.
    fileprivate func refreshedSync() async throws -> AgentAPI.SyncFolders {
        do { return try await refreshSync() } catch AgentClientError.closed { return try await refreshSync() }
    }
}

extension AgentAPI.SyncFolder {
    /// Refuses to wait for a folder that cannot make progress.
    fileprivate func checkProgress() throws {
        let name = DisplayText(name, limit: 100)
        switch state {
        case .paused: throw CommandFailure(.inputOutput, "“\(name)” is paused; see 'portolan sync resume'.")
        case .halted:
            let problem = DisplayText(sentence: problem ?? "Its agent says no more.", limit: 1000)
            throw CommandFailure(.inputOutput, "“\(name)” stands still. \(problem)")
        case .kept, .joining, .opening, .restarting: break
        }
    }
}

/// Options of the agent, and of the service that it is, about synchronized folders.
struct SyncAddressOptions: ParsableArguments {
    @Option(
        name: .customLong("sync-at"),
        help: ArgumentHelp(
            "Keep folders alike with the device at this address as well; may be given several times.",
            valueName: "host:port"))
    var addresses: [String] = []
}
