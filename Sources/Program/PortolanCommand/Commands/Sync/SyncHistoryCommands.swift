import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanSyncFolder
import PortolanSyncPeers
import PortolanSyncPlan

/// `portolan sync history`.
struct SyncHistoryCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "history", "List replaced and deleted files, the latest first, and where each version is kept.",
        examples: """
            portolan sync history Notes
            portolan sync history ~/Notes/plan.txt
            """,
        manual: """
            A version is kept for 30 days, and the latest 10 GiB of them. 'portolan sync restore' puts one back. Files \
            that a person replaces or deletes on this device itself are in the history of the others.
            """)

    @Argument(
        help: .value("path|name", "A file, a folder in it, or the name of a folder that is kept alike."),
        completion: .file())
    var what: String

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let list = SyncFolderList(home: home)
        let named = try await withLookupThread { try list.all() }.first { $0.name == what }
        var (entry, path) = (named, "")
        if entry == nil {
            let place = try await SyncPath(what, in: list)
            (entry, path) = (place.entry, place.path)
        }
        guard let entry else { return }
        let history = try await FolderHistory.open(folder: entry.path, index: list.indexPath(of: entry))
        let records = try await history?.records(at: path) ?? []
        for record in records {
            let date = Date(timeIntervalSince1970: TimeInterval(record.at))
            let file = "\(entry.path)/.portolan-sync/history/\(record.file)"
            console.say(
                """
                \(Human.minute(date))  \(record.reason.rawValue)  \
                \(DisplayText(record.path.isEmpty ? "-" : record.path, limit: 4096))  \(DisplayText(file, limit: 4096))
                """)
            try console.emit(
                .folderVersion,
                [
                    "path": record.path, "at": date, "size": record.size, "reason": record.reason.rawValue,
                    "file": file,
                ])
        }
        if records.isEmpty { console.remark("Nothing was replaced or deleted.") }
    }
}

/// `portolan sync restore`.
struct SyncRestoreCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "restore", "Put a version of a file from the history back in its place, on all devices.",
        examples: """
            portolan sync restore ~/Notes/plan.txt
            portolan sync restore plan.txt --at 3d                 # as it was then
            portolan sync restore plan.txt --at 2026-03-09T14:05
            """,
        manual: """
            The latest version that was replaced or deleted; with --at, the one that was in place at that time. The \
            present file goes to the history instead. Of a folder, all files come back that are not there now; with \
            --at, all as they were.
            """)

    @Argument(help: .value("path", "A file or folder, also one that is gone."), completion: .file())
    var path: String

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "As it was then: a time as 2026-03-09T14:05, or how long ago, as 2h or 3d.", valueName: "time"),
        transform: PastTime.parse)
    var time: PastTime?

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let place = try await SyncPath(path, in: SyncFolderList(home: home))
        let history = try await FolderHistory.opened(for: place.entry, home)
        if let time {
            let versions = try await history.versions(at: place.path, time: time.seconds(before: Date()))
            guard !versions.isEmpty else {
                throw CommandFailure(
                    .unreachable, "The history has no version that was there then and went later.")
            }
            return try await history.restore(versions, of: place.entry, console)
        }
        var latest: [String: HistoryRecord] = [:]
        for record in try await history.records(at: place.path) where !record.path.isEmpty {
            if latest[record.path] == nil { latest[record.path] = record }
        }
        for path in latest.keys where path != place.path {
            if try await history.isThere(path) { latest[path] = nil }
        }
        guard !latest.isEmpty else { throw CommandFailure(.unreachable, "The history has no version of it.") }
        try await history.restore(latest.values.sorted { $0.path < $1.path }, of: place.entry, console)
    }
}

/// `portolan sync undo`.
struct SyncUndoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "undo", "Put back the files that the last change here replaced or deleted, on all devices.",
        examples: """
            portolan sync undo
            portolan sync undo Notes
            """,
        manual: """
            That is the last thing that was done here for others, or by 'portolan sync resolve' or 'restore': a second \
            'undo' takes back the files that the first one replaced. Files that others added or renamed stay as they \
            are.
            """)

    @Argument(
        help: .value("name", "Name of the folder; that with the last change if left out."),
        completion: Completions.folders)
    var name: String?

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let list = SyncFolderList(home: home)
        let entries = try await SyncFolderArgument.entries(named: name, of: list)
        var last: (entry: SyncFolderEntry, history: FolderHistory, change: [HistoryRecord], at: Int64)?
        for entry in entries {
            guard let history = try await FolderHistory.open(folder: entry.path, index: list.indexPath(of: entry))
            else { continue }
            let change = try await history.lastChange()
            guard let at = change.map(\.at).max(), at > last?.at ?? .min else { continue }
            last = (entry, history, change, at)
        }
        guard let last else { throw CommandFailure(.unreachable, "Nothing was replaced or deleted.") }
        try await last.history.restore(last.change, of: last.entry, console)
    }
}

extension FolderHistory {
    /// - Throws: `CommandFailure` if the folder was never synchronized.
    static func opened(for entry: SyncFolderEntry, _ home: HomeDirectory) async throws -> FolderHistory {
        let index = try await SyncFolderList(home: home).indexPath(of: entry)
        guard let history = try await FolderHistory.open(folder: entry.path, index: index) else {
            throw CommandFailure(
                .unreachable, "“\(DisplayText(entry.name, limit: 100))” was never kept alike: there is no history.")
        }
        return history
    }

    /// Restores versions, one after the other, and reports each.
    fileprivate func restore(
        _ records: [HistoryRecord], of entry: SyncFolderEntry, _ console: Console
    ) async throws {
        for record in records {
            try await restore(record)
            let date = Date(timeIntervalSince1970: TimeInterval(record.at))
            console.say(
                "\(DisplayText(record.path, limit: 4096))  is as before \(Human.minute(date))")
            try console.emit(.folderRestored, ["folder": entry.name, "path": record.path, "at": date])
        }
    }
}

extension SyncFolderList {
    /// Changes one folder of the list.
    ///
    /// - Returns: the changed folder.
    /// - Throws: `CommandFailure` if it is no longer in the list; errors of `body`.
    @discardableResult
    func change(
        _ entry: SyncFolderEntry, _ body: @escaping @Sendable (inout SyncFolderEntry) throws -> Void
    ) async throws -> SyncFolderEntry {
        try await withLookupThread {
            try self.change { entries in
                guard let place = entries.firstIndex(where: { $0.local == entry.local }) else {
                    throw SyncFolderArgument.unknown(entry.name)
                }
                try body(&entries[place])
                return entries[place]
            }
        }
    }

    func indexPath(of entry: SyncFolderEntry) async throws -> String {
        try await withLookupThread { try self.index(of: entry) }
    }
}
