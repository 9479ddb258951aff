import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncPeers

/// `portolan sync sign`.
struct SyncSignCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "sign", "Say anew for whom a folder is.",
        examples: """
            portolan sync sign Notes --with @acme/design --with ben
            portolan sync sign Notes --keeper ben
            """,
        manual: """
            Only the device that made the folder can, a keeper that it has named, and, of a folder for one team alone, \
            an admin of that team, within the team. The list of --with replaces the earlier one; without it that \
            stays. All that have the folder see for whom it is. A device that is no longer in the list gets no more \
            changes, and keeps its files.
            """)

    @OptionGroup var folder: SyncFolderArgument

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "With whom: @team, @team/group, or a contact; may be given several times.", valueName: "@team|peer"),
        completion: Completions.targets)
    var with: [String] = []

    @OptionGroup var keeping: SyncKeeperOptions

    @Flag(help: "No other device may sign the audience of the folder.")
    var noKeepers = false

    @OptionGroup var options: AgentSubcommandOptions

    func validate() throws {
        guard !noKeepers || keeping.keeper.isEmpty else {
            throw ValidationError("Give --keeper or --no-keepers, not both.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        let parts = try await SyncAudience.parts(with, by: node)
        let keepers = keeping.keeper.isEmpty && !noKeepers ? nil : try await keeping.keys(by: node)
        let standing = try await node.standing(of: node.identity.publicKey)
        let key = node.identity.key
        let signed = try await list.change(entry) { entry in
            guard try entry.sign(for: parts, keepers: keepers, by: key, standing) else {
                throw CommandFailure(
                    .notTrusted, "Only its maker, a keeper or an admin of its team can say for whom the folder is.")
            }
        }
        _ = await agent.refreshedFolders(settings, console)
        let words = signed.audience?.words.joined(separator: ", ") ?? ""
        console.remark("“\(DisplayText(entry.name, limit: 100))” is for \(words).")
    }
}

/// Devices that may say for whom a folder is, beside its maker.
struct SyncKeeperOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Contact that may say for whom the folder is, beside this device; may be given several times.",
            valueName: "peer"),
        completion: Completions.contacts)
    var keeper: [String] = []

    func keys(by node: Node) async throws -> [PinnedKey] {
        var keys: [PinnedKey] = []
        for name in keeper { keys.append(try await node.contact(named: name).key) }
        return keys
    }
}
