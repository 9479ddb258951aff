import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanConfiguration
import PortolanSyncing

/// `portolan sync pause`.
struct SyncPauseCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Do nothing in a folder, and tell nobody of it, until 'portolan sync resume'.",
        discussion: HelpText.discussion(
            examples: """
                portolan sync pause Notes
                """,
            manual: """
                What is changed meanwhile, here and elsewhere, is kept alike afterwards.
                """))

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        try await folder.setPaused(true, settings)
        _ = await agent.refreshedFolders(settings, console)
        console.remark("“\(DisplayText(folder.name, limit: 100))” is paused.")
    }
}

/// `portolan sync resume`.
struct SyncResumeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Keep a folder alike again after 'portolan sync pause'.",
        discussion: HelpText.discussion(
            examples: """
                portolan sync resume Notes
                """))

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        try await folder.setPaused(false, settings)
        _ = await agent.refreshedFolders(settings, console)
        console.remark("“\(DisplayText(folder.name, limit: 100))” is paused no more.")
    }
}

extension SyncFolderArgument {
    fileprivate func setPaused(_ isPaused: Bool, _ settings: Settings) async throws {
        let list = SyncFolderList(home: settings.home)
        let entry = try await entry(of: list)
        try await withLookupThread {
            try list.change { entries in
                for place in entries.indices where entries[place].local == entry.local {
                    entries[place].isPaused = isPaused
                }
            }
        }
    }
}
