import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan sync`: folders that are synchronized on several devices.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "sync", "Keep folders alike on several devices.",
        examples: """
            portolan sync add ~/Notes --with @acme/design
            portolan sync join acme:Notes ~/Notes    # on another device
            portolan sync run --once                 # or the agent, which stays
            portolan sync                          # the folders, and waiting changes
            portolan sync resolve PATH --keep mine   # a conflict; or theirs, or both
            portolan sync restore PATH --at 2h       # as it was; also: history, undo
            """,
        manual: """
            A folder has the same files on all devices that it is for: those that its maker names. No other device \
            learns that it exists. Changes made on two devices while they were apart stay on both, the second version \
            as 'NAME (conflict of DEVICE, DATE, TAG)'. Replaced and deleted files go to a history.

            With --mode receive-only changes on this device do not change the others; with --mode send-only their \
            changes are not made here; with --keep files that they delete stay here. A deletion of more than a quarter \
            of all files, or of more than 1,000, within ten minutes is held until 'portolan sync confirm'.

            \(SyncPage.text)
            """,
        subcommands: [
            SyncListCommand.self, SyncAddCommand.self, SyncJoinCommand.self, SyncSignCommand.self,
            SyncLimitCommand.self, SyncRunCommand.self, SyncPauseCommand.self, SyncResumeCommand.self,
            SyncRemoveCommand.self, SyncConflictsCommand.self,
            SyncResolveCommand.self, SyncHistoryCommand.self, SyncRestoreCommand.self, SyncUndoCommand.self,
            SyncHeldCommand.self, SyncConfirmCommand.self, SyncRejectCommand.self, SyncForgetCommand.self,
            SyncCheckCommand.self,
        ],
        defaultSubcommand: SyncListCommand.self)
}

/// Argument that names the folder of a command.
struct SyncFolderArgument: ParsableArguments {
    @Argument(help: .value("name", "Name of the folder, as 'portolan sync' shows it."), completion: Completions.folders)
    var name: String

    func entry(of list: SyncFolderList) async throws -> SyncFolderEntry {
        try await Self.entry(named: name, of: list)
    }

    /// - Throws: `CommandFailure` if there is no such folder.
    static func entry(named name: String, of list: SyncFolderList) async throws -> SyncFolderEntry {
        let entries = try await withLookupThread { try list.all() }
        guard let entry = entries.first(where: { $0.name == name }) else { throw unknown(name) }
        return entry
    }

    /// - Parameter name: nil for all folders.
    static func entries(named name: String?, of list: SyncFolderList) async throws -> [SyncFolderEntry] {
        if let name { return [try await entry(named: name, of: list)] }
        return try await withLookupThread { try list.all() }
    }

    static func unknown(_ name: String) -> CommandFailure {
        CommandFailure(
            .unreachable, "No folder “\(DisplayText(name, limit: 100))” is kept alike here; see 'portolan sync'.")
    }
}

/// `portolan sync remove`.
struct SyncRemoveCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "remove", "Keep a folder alike no more; its files stay as they are, on all devices.",
        examples: "portolan sync remove Notes")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        try await withLookupThread { try list.change { $0.removeAll { $0.local == entry.local } } }
        _ = await agent.refreshedFolders(settings, console)
        console.remark("“\(DisplayText(entry.name, limit: 100))” is kept alike no more.")
    }
}
