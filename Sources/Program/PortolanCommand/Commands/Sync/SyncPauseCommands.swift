import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan sync pause`.
struct SyncPauseCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "pause", "Pause a folder, without a word to other devices, until 'portolan sync resume'.",
        examples: "portolan sync pause Notes",
        manual: "Changes made meanwhile, here and elsewhere, are kept alike afterwards.")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await folder.setPaused(true, options, console)
    }
}

/// `portolan sync resume`.
struct SyncResumeCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "resume", "Keep a folder alike again after 'portolan sync pause'.",
        examples: "portolan sync resume Notes")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await folder.setPaused(false, options, console)
    }
}

extension SyncFolderArgument {
    fileprivate func setPaused(_ isPaused: Bool, _ options: AgentSubcommandOptions, _ console: Console) async throws {
        let settings = try Settings(options.shared)
        let list = SyncFolderList(home: settings.home)
        let entry = try await entry(of: list)
        try await list.change(entry) { $0.isPaused = isPaused }
        _ = await options.agent.refreshedFolders(settings, console)
        console.remark("“\(DisplayText(name, limit: 100))” is paused\(isPaused ? "" : " no more").")
    }
}
