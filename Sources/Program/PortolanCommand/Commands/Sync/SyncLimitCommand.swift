import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan sync limit`.
struct SyncLimitCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "limit", "Say who of those for whom a folder is may have it from this device.",
        examples: """
            portolan sync limit Notes --only @acme/design
            portolan sync limit Notes --all
            """,
        manual: """
            It replaces the limit of 'sync join --only' or of an earlier 'limit', and holds for this device alone, at \
            once, also in sessions that are open. It never gives the folder to more than its maker has named; 'sync \
            sign' is for that. A device that has the folder keeps it.
            """)

    @OptionGroup var folder: SyncFolderArgument

    @Option(
        help: .value("@team|peer", "The audience here: @team, @team/group, or a contact; may be given several times."),
        completion: Completions.targets)
    var only: [String] = []

    @Flag(help: "All for whom the folder is.")
    var all = false

    @OptionGroup var options: AgentSubcommandOptions

    func validate() throws {
        guard all == only.isEmpty else { throw ValidationError("Give either --only or --all.") }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        var limits: [SyncAudience] = []
        for one in only { limits.append(try await SyncAudience.named(one, by: node)) }
        let (chosen, name) = (limits, entry.name)
        try await list.change(entry) { entry in
            guard entry.limit(to: chosen) else {
                throw CommandFailure(.unreachable, "Its maker has not said yet for whom the folder is.")
            }
        }
        _ = await agent.refreshedFolders(settings, console)
        let words = limits.map(\.text.text)
        let who = all ? "all for whom it is" : "\(words.joined(separator: ", ")), as far as it is for them"
        console.remark("“\(DisplayText(name, limit: 100))” goes from this device to \(who).")
        try console.emit(.folderLimit, ["folder": name, "limitedTo": words])
    }
}
