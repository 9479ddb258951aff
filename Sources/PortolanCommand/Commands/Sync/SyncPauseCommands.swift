import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanConfiguration
import PortolanSyncing

/// `portolan sync pause`.
struct SyncPauseCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "pause", "Pause a folder, without a word to other devices, until 'portolan sync resume'.",
        examples: "portolan sync pause Notes",
        manual: "Changes made meanwhile, here and elsewhere, are kept alike afterwards.")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        try await folder.setPaused(true, agent, shared, console)
    }
}

/// `portolan sync resume`.
struct SyncResumeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "resume", "Keep a folder alike again after 'portolan sync pause'.",
        examples: "portolan sync resume Notes")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        try await folder.setPaused(false, agent, shared, console)
    }
}

extension SyncFolderArgument {
    fileprivate func setPaused(
        _ isPaused: Bool, _ agent: AgentOptions, _ shared: SharedOptions, _ console: Console
    ) async throws {
        let settings = try Settings(shared)
        let list = SyncFolderList(home: settings.home)
        let entry = try await entry(of: list)
        try await list.change(entry) { $0.isPaused = isPaused }
        _ = await agent.refreshedFolders(settings, console)
        console.remark("“\(DisplayText(name, limit: 100))” is paused\(isPaused ? "" : " no more").")
    }
}
