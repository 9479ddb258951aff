import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSyncing
import PortolanTrust

/// `portolan sync`: folders that are kept alike on several devices.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keep folders alike on several devices.",
        discussion: """
            A folder has the same files on all devices that it is shared with. Nobody else learns that it exists. What was changed \
            on two devices while they were apart stays on both, the second version as 'NAME (conflict of DEVICE, DATE, TAG)'. What is \
            replaced or deleted goes to a history.

              portolan sync add ~/Notes --with @acme/design
              portolan sync join acme:Notes ~/Notes              # on another device
              portolan sync run                                  # on both; --once ends when nothing is left to do
              portolan sync                                      # the folders, and what waits and why

            A deletion of more than a quarter of all files, of more than 1,000, or of a folder at the top is held until \
            'portolan sync confirm'.
            """,
        subcommands: [
            SyncListCommand.self, SyncAddCommand.self, SyncJoinCommand.self, SyncRunCommand.self,
            SyncRemoveCommand.self, SyncConflictsCommand.self, SyncHistoryCommand.self, SyncConfirmCommand.self,
            SyncRejectCommand.self,
        ],
        defaultSubcommand: SyncListCommand.self)
}

/// Which folder a command is about.
struct SyncFolderArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Name of the folder, as 'portolan sync' shows it.", valueName: "name"))
    var name: String

    func entry(of list: SyncFolderList) async throws -> SyncFolderEntry {
        let entries = try await withLookupThread { try list.all() }
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw CommandFailure(
                .unreachable, "No folder “\(DisplayText(name, limit: 100))” is kept alike here; see 'portolan sync'.")
        }
        return entry
    }
}

/// `portolan sync list`.
struct SyncListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the folders, with whom each is kept alike, and what waits and why.")

    @OptionGroup var shared: SharedOptions

    private struct Line: Encodable {
        var name: String
        var path: String
        var with: [String]
        var isJoined: Bool
        var peers: [String]
        var waits: [String]
        var held: String?
        var problem: String?
    }

    func perform(_ console: Console) async throws {
        let list = SyncFolderList(home: try shared.homeDirectory())
        let folders = try await withLookupThread {
            try list.all().map { ($0, try list.status(of: $0) ?? SyncFolderList.Status()) }
        }
        for (entry, status) in folders {
            let with = entry.audiences.map(\.text.text)
            let state =
                entry.id == nil ? "is to be joined" : status.problem == nil ? "is kept alike" : "stands still"
            console.say(
                """
                \(DisplayText(entry.name, limit: 100))  \(DisplayText(entry.path, limit: 4096))  \
                with \(with.joined(separator: ", "))  \(state)
                """)
            if let problem = status.problem { console.say("  \(problem)") }
            for wait in status.waits { console.say("  \(wait)") }
            if let held = status.held {
                console.say(
                    "  A deletion of \(status.heldCount ?? 0) files and folders is held: "
                        + "portolan sync confirm|reject \(DisplayText.shellWord(entry.name)) \(held)")
            }
            try console.emit(
                Line(
                    name: entry.name, path: entry.path, with: with, isJoined: entry.id != nil, peers: status.peers,
                    waits: status.waits, held: status.held, problem: status.problem))
        }
        if folders.isEmpty {
            console.remark("No folder is kept alike. Begin with 'portolan sync add FOLDER --with PEER'.")
        }
    }
}

/// `portolan sync remove`.
struct SyncRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Keep a folder alike no more; its files stay as they are, on all devices.")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let list = SyncFolderList(home: try shared.homeDirectory())
        let entry = try await folder.entry(of: list)
        try await withLookupThread { try list.change { $0.removeAll { $0.local == entry.local } } }
        console.remark("“\(DisplayText(entry.name, limit: 100))” is kept alike no more.")
    }
}
