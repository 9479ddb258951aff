import ArgumentParser
import Foundation
import Portolan
import PortolanConcurrency
import PortolanSync
import PortolanSyncModel
import PortolanSyncing
import PortolanTrust

/// `portolan sync conflicts`.
struct SyncConflictsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List the second versions of files that were changed on two devices while they were apart.",
        discussion: "One that is deleted, or moved to another name, is settled on all devices.")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var shared: SharedOptions

    private struct Line: Encodable {
        var path: String
        var name: String
    }

    func perform(_ console: Console) async throws {
        let entry = try await folder.entry(of: SyncFolderList(home: try shared.homeDirectory()))
        let found = await withLookupThread { Self.conflicts(in: entry.path) }
        for (path, name) in found {
            console.say(DisplayText(path, limit: 4096).text)
            try console.emit(Line(path: path, name: name.text))
        }
        if found.isEmpty { console.remark("There is no conflict.") }
    }

    /// Files by the names that second versions get, in order.
    private static func conflicts(in folder: String) -> [(path: String, name: Name)] {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        var found: [(path: String, name: Name)] = []
        while let path = files.nextObject() as? String {
            if path == ".portolan-sync" { files.skipDescendants() }
            let last = path.split(separator: "/").last.map(String.init) ?? path
            if let name = Name(last).withoutConflict { found.append((path, name)) }
        }
        return found.sorted { $0.path < $1.path }
    }
}

/// `portolan sync history`.
struct SyncHistoryCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the files that were replaced or deleted here, the latest first, and where each is kept.",
        discussion: "It cannot be read while 'portolan sync run' keeps the folder alike.")

    @OptionGroup var folder: SyncFolderArgument
    @OptionGroup var shared: SharedOptions

    private struct Line: Encodable {
        var path: String
        var at: Int64
        var size: UInt64
        var reason: String
        var file: String
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        let list = SyncFolderList(home: settings.home)
        let entry = try await folder.entry(of: list)
        guard let device = DeviceID(node.identity.publicKey.bytes) else {
            preconditionFailure("A key has 32 bytes")
        }
        let index = try await withLookupThread { try list.index(of: entry) }
        let replica = try await FolderReplica.open(
            folder: entry.path, index: index, device: device, author: node.identity.name.text)
        let records = try await replica.history()
        try await replica.close()
        for record in records {
            let file = "\(entry.path)/.portolan-sync/history/\(record.file)"
            console.say(
                """
                \(Human.minute(Date(timeIntervalSince1970: TimeInterval(record.at))))  \(record.reason.rawValue)  \
                \(DisplayText(record.path.isEmpty ? "-" : record.path, limit: 4096))  \(DisplayText(file, limit: 4096))
                """)
            try console.emit(
                Line(
                    path: record.path, at: record.at, size: record.size, reason: record.reason.rawValue, file: file))
        }
        if records.isEmpty { console.remark("Nothing was replaced or deleted.") }
    }
}

/// Which large deletion is decided on.
struct HeldDeletionArgument: ParsableArguments {
    @OptionGroup var folder: SyncFolderArgument

    @Argument(help: ArgumentHelp("The deletion, as 'portolan sync' names it.", valueName: "id"))
    var mark: String

    func decide(_ isConfirmed: Bool, _ shared: SharedOptions) async throws {
        let list = SyncFolderList(home: try shared.homeDirectory())
        let entry = try await folder.entry(of: list)
        let status = try await withLookupThread { try list.status(of: entry) }
        guard status?.held == mark else {
            throw CommandFailure(
                .unreachable, "No deletion “\(DisplayText(mark, limit: 20))” is held there; see 'portolan sync'.")
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
        commandName: "confirm", abstract: "Agree to a large deletion, which the next run makes.")

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        try await deletion.decide(true, shared)
        console.remark("The deletion is made by 'portolan sync run'.")
    }
}

/// `portolan sync reject`.
struct SyncRejectCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuse a large deletion: what was deleted comes back on all devices.")

    @OptionGroup var deletion: HeldDeletionArgument
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        try await deletion.decide(false, shared)
        console.remark("What was deleted is brought back by 'portolan sync run'.")
    }
}
