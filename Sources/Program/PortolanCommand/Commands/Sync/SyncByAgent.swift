import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings
import PortolanSyncPeers

extension AgentOptions {
    /// Asks a running agent to scan the synchronized folders after a change of their list.
    ///
    /// - Returns: state of the folders; nil if no agent runs or is wanted, or if the request failed, which is reported.
    func refreshedFolders(_ settings: Settings, _ console: Console) async -> AgentAPI.SyncFolders? {
        do {
            guard let client = try await running(settings) else { return nil }
            return try await client.refreshSync()
        } catch {
            console.diagnose("It is done, but the agent has not been told. \(CommandFailure(error).description)")
            return nil
        }
    }

    /// Asks a running agent to open a folder that was added to the list, and waits for that.
    ///
    /// - Returns: true if an agent runs. Obstacles are printed.
    func takeUp(_ entry: SyncFolderEntry, _ settings: Settings, _ console: Console) async -> Bool {
        guard let folders = await refreshedFolders(settings, console) else { return false }
        if let problem = folders.folders.first(where: { $0.id == entry.local })?.problem {
            console.diagnose(DisplayText(sentence: problem, limit: 1000).text)
        }
        return true
    }
}

extension AgentClient {
    /// Interval of requests for the agent's state.
    private static let pause = Duration.milliseconds(100)
    /// Time for which a folder may be stopped: one that was just resumed or moved is opened a second time.
    private static let grace = Duration.seconds(3)

    /// Waits until the agent has scanned folders after this call, and they are synchronized with the connected peers.
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
        let begun = ContinuousClock.now
        var answer = try await refreshSync()
        while true {
            let folders = answer.folders.filter { folder in
                name.map { folder.name == $0 } ?? (folder.state != .paused)
            }
            if let name, folders.isEmpty { throw SyncFolderArgument.unknown(name) }
            if let problem = answer.problem {
                throw CommandFailure(.inputOutput, DisplayText(sentence: problem, limit: 1000).text)
            }
            let isLate = begun.duration(to: .now) > Self.grace
            for folder in folders where isLate || folder.state != .halted { try folder.checkProgress() }
            seen(folders)
            if folders.allSatisfy(isDone) { return folders }
            try await Task.sleep(for: Self.pause)
            answer = try await sync()
        }
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
        case .kept, .joining, .opening: break
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
