import ArgumentParser
import Portolan
import PortolanClient
import PortolanConfiguration
import PortolanValues

/// `portolan wait sync-idle`.
struct WaitSyncIdleCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-idle", abstract: "Wait until nothing is left to do in a folder that is kept alike.",
        discussion: HelpText.discussion(
            examples: """
                portolan wait sync-idle Notes --timeout 10m
                """,
            manual: """
                That is so when the folder has been looked at after the command began, and this device and each peer that is connected have \
                worked off all that they know of each other. Where nobody is connected, to have looked is enough: see 'peers'. Ends with 74 \
                if the folder stands still. It goes on where the agent starts again for a folder that has come. With --json: the objects 'SyncFolder' of the local API.
                """))

    @Argument(
        help: ArgumentHelp(
            "Name of the folder, as 'portolan sync' shows it; all but those that are paused if left out.",
            valueName: "name"),
        completion: Completions.folders)
    var name: String?

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let client = try agent.neededClient(Settings(shared), console)
        let name = name
        let lack = name.map { "“\(DisplayText($0, limit: 100))” has not become alike" } ?? "Not all has become alike"
        let folders = try await waiting.within(else: lack) { try await client.waitUntilIdle(name) }
        for folder in folders {
            let with = folder.peers.isEmpty ? "nobody is connected" : "with \(folder.peers.joined(separator: ", "))"
            console.remark("“\(DisplayText(folder.name, limit: 100))” is alike; \(DisplayText(with, limit: 1000)).")
            try console.emit(folder)
        }
    }
}
