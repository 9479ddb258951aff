import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanConfiguration
import PortolanSyncModel
import PortolanSyncing
import PortolanValues

/// Argument that names the large deletion to decide on.
struct HeldDeletionArgument: ParsableArguments {
    @OptionGroup var folder: SyncFolderArgument

    @Argument(help: ArgumentHelp("The deletion, as 'portolan sync' names it.", valueName: "id"))
    var mark: String

    func decide(_ isConfirmed: Bool, _ settings: Settings) async throws {
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        let status = try await withLookupThread { try list.status(of: entry) }
        guard status?.held == mark else {
            throw CommandFailure(
                .unreachable, "No deletion “\(DisplayText(mark, limit: 20))” is held there; see 'portolan sync'.")
        }
        guard isConfirmed || entry.ways.tells else {
            throw CommandFailure(
                .usage, "This device is receive-only there: it cannot bring back for all what others have deleted.")
        }
        try await withLookupThread {
            try list.change { entries in
                for place in entries.indices where entries[place].local == entry.local {
                    entries[place].decisions.removeAll { $0.deletion == mark }
                    entries[place].decisions.append(.init(deletion: mark, isConfirmed: isConfirmed))
                }
            }
        }
    }
}

/// `portolan sync confirm`.
struct SyncConfirmCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Agree to a large deletion, which the next run makes.",
        discussion: HelpText.discussion(
            examples: """
                portolan sync                      # names the deletions that wait
                portolan sync confirm Notes 3f2a
                """))

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        try await deletion.decide(true, settings)
        let isAgents = await agent.refreshedFolders(settings, console) != nil
        console.remark("The deletion is made by \(isAgents ? "the agent" : "'portolan sync run'").")
    }
}

/// `portolan sync reject`.
struct SyncRejectCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuse a large deletion: what was deleted comes back on all devices.",
        discussion: HelpText.discussion(
            examples: """
                portolan sync                      # names the deletions that wait
                portolan sync reject Notes 3f2a
                """))

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        try await deletion.decide(false, settings)
        let isAgents = await agent.refreshedFolders(settings, console) != nil
        console.remark("What was deleted is brought back by \(isAgents ? "the agent" : "'portolan sync run'").")
    }
}
