import ArgumentParser
import Portolan
import PortolanClient
import PortolanValues

extension AgentOptions {
    /// Has a running agent look at the folders that are kept alike, after their list was changed.
    ///
    /// - Returns: how they are; nil where none runs or is wanted, and where it could not be told, which is said.
    func refreshedFolders(_ settings: Settings, _ console: Console) async -> AgentAPI.SyncFolders? {
        do {
            guard let client = try await running(settings) else { return nil }
            return try await client.refreshSync()
        } catch {
            console.diagnose("It is done, but the agent has not been told. \(CommandFailure(error).description)")
            return nil
        }
    }
}

extension AgentAPI.SyncFolders {
    /// Says what keeps the agent from a folder that was added.
    func tellObstacle(to name: String, _ console: Console) {
        guard let folder = folders.first(where: { $0.name == name }) else { return }
        if folder.needsRestart {
            console.diagnose(
                "The agent has to be started again to write there: 'portolan agent stop', then 'portolan agent run', "
                    + "or 'portolan agent install' if it is a service.")
        } else if let problem = folder.problem {
            console.diagnose(DisplayText(sentence: problem, limit: 1000).text)
        }
    }
}

extension AgentClient {
    /// Time between two looks at what the agent says.
    private static let pause = Duration.milliseconds(100)
    /// Time for which a folder may stand still: one that was just resumed or moved is opened a second time.
    private static let grace = Duration.seconds(3)

    /// Waits until the agent has looked at folders after this call, and nothing is left to do in them with the peers that are connected.
    ///
    /// - Parameter name: nil for all folders but those that are paused.
    /// - Returns: the folders.
    /// - Throws: `CommandFailure` for a folder that is not there, is paused, or stands still; what the agent throws.
    func waitUntilIdle(_ name: String?) async throws -> [AgentAPI.SyncFolder] {
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
            if folders.allSatisfy(\.isIdle) { return folders }
            try await Task.sleep(for: Self.pause)
            answer = try await sync()
        }
    }
}

extension AgentAPI.SyncFolder {
    /// Refuses to wait for what does not come.
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

/// Options of the agent, and of the service that it is, about folders that are kept alike.
struct SyncAddressOptions: ParsableArguments {
    @Option(
        name: .customLong("sync-at"),
        help: ArgumentHelp(
            "Keep folders alike with the device at this address as well; may be given several times.",
            valueName: "host:port"))
    var addresses: [String] = []
}
