import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSettings
import PortolanSyncFolder
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync conflicts`.
struct SyncConflictsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "conflicts", "List the second versions of files that were changed on two devices while they were apart.",
        examples: """
            portolan sync conflicts
            portolan sync conflicts Notes
            """,
        manual: "'portolan sync resolve' settles one on all devices.")

    @Argument(help: .value("name", "Name of a folder; all if left out."), completion: Completions.folders)
    var name: String?

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let list = SyncFolderList(home: try shared.homeDirectory())
        let entries = try await SyncFolderArgument.entries(named: name, of: list)
        var count = 0
        for entry in entries {
            let history = try await FolderHistory.open(folder: entry.path, index: list.indexPath(of: entry))
            let found = try await history?.conflicts() ?? []
            for copy in found {
                let path = entries.count == 1 ? copy.path : "\(entry.path)/\(copy.path)"
                console.say(DisplayText(path, limit: 4096).text)
                try console.emit(
                    .folderConflict, ["folder": entry.name, "path": copy.path, "name": copy.name.text])
            }
            count += found.count
        }
        if count == 0 { console.remark("There is no conflict.") }
    }
}

extension KeptVersion: ExpressibleByArgument {}

/// `portolan sync resolve`.
struct SyncResolveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "resolve", "Settle a conflict on all devices.",
        examples: "portolan sync resolve ~/Notes/plan.txt --keep mine",
        manual: """
            'mine' gives the name to the version of this device, 'theirs' to the other one; the version that goes is in the history. \
            'both' gives the second version a name of its own, 'NAME (2)'. Of several second versions, name the one that is meant. On a \
            receive-only device, 'theirs' puts a file away that was changed here, so that the others' version comes.
            """)

    @Argument(help: .value("path", "The second version, or the file itself."), completion: .file())
    var path: String

    @Option(help: .value("version", "mine, theirs or both."))
    var keep: KeptVersion

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let place = try await SyncPath(path, in: SyncFolderList(home: settings.home))
        let history = try await FolderHistory.opened(for: place.entry, settings.home)
        let node = try await Node(settings.node(nil))
        let paths: [String]
        if place.entry.ways.tells {
            paths = try await history.resolve(place.path, keeping: keep, author: node.identity.name.text)
        } else {
            paths = try await settleHere(place.path, history)
        }
        for path in paths { console.say(DisplayText("\(place.entry.path)/\(path)", limit: 4096).text) }
        try console.emit(.folderResolved, ["folder": place.entry.name, "paths": paths])
    }

    /// Removes this device's version in favour of the others'.
    private func settleHere(_ path: String, _ history: FolderHistory) async throws -> [String] {
        guard keep != .mine else {
            throw CommandFailure(
                .usage, "This device is receive-only there: its version cannot become that of the others.")
        }
        guard keep == .both else {
            try await history.putAway(path)
            return [path]
        }
        return [try await history.setAside(path)]
    }
}
