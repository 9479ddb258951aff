import Foundation
import GRDB
import Glibc
import PortolanConcurrency
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// History of a folder for persons: replaced and deleted versions, and their restoration.
///
/// It works beside the process that synchronizes the folder, which takes restored files for changes by a person. A call
/// is a few renames, and removes no file.
package final class FolderHistory: Sendable {
    private let path: String
    private let queue: DatabaseQueue
    private let databases: DatabaseWriter
    private let storage: any Storage
    /// Number of the change that all actions of this object have in common.
    private let change = Int64.random(in: 1 ... .max)
    private let now: @Sendable () -> FileTime

    private init(
        _ path: String, _ queue: DatabaseQueue, _ databases: DatabaseWriter, _ storage: any Storage,
        _ now: @escaping @Sendable () -> FileTime
    ) {
        self.path = path
        self.queue = queue
        self.databases = databases
        self.storage = storage
        self.now = now
    }

    /// - Parameters:
    ///   - folder: path of the shared folder.
    ///   - index: path of its SQLite file.
    ///   - writer: program that writes into databases, by ``DatabaseWriterProcess``.
    ///   - now: the system's clock.
    /// - Returns: nil if the folder was never synchronized.
    package static func open(
        folder: String, index: String, writer: String? = nil, storage: any Storage = KernelStorage(),
        now: @escaping @Sendable () -> FileTime = { .now }
    ) async throws -> FolderHistory? {
        try await FolderReplica.threads.run {
            guard access(index, F_OK) == 0 else { return nil }
            do {
                try IndexSchema.refuseNewer(index)
                var configuration = Configuration()
                configuration.label = "sync-history"
                configuration.busyMode = .timeout(5)
                let queue = try DatabaseQueue(path: index, configuration: configuration)
                guard try queue.read({ try IndexSchema.migrator.hasCompletedMigrations($0) }) else { return nil }
                return FolderHistory(
                    folder, queue, DatabaseWriter(program: writer ?? DatabaseWriter.ownProgram), storage, now)
            } catch { throw SyncError.index(error) }
        }
    }

    // MARK: Reading

    /// Returns replaced and deleted versions of a path, the latest first; those of all paths for nil.
    package func records(of path: String? = nil) async throws -> [HistoryRecord] {
        try await FolderReplica.threads.run { try self.withTable { try $0.records(of: path) } }
    }

    /// Returns versions of a path, and of all paths below it.
    package func records(at path: String) async throws -> [HistoryRecord] {
        try await records().filter { path.isEmpty || $0.path == path || $0.path.hasPrefix(path + "/") }
    }

    /// Returns the versions that were at a path, and at all paths below it, at a time, in the order of their paths.
    /// Those that are there now are left out.
    ///
    /// - Parameter time: seconds since 1970.
    package func versions(at path: String, time: Int64) async throws -> [HistoryRecord] {
        let changes = try await FolderReplica.threads.run { try self.withTable { try $0.changes() } }
        return changes.filter { path.isEmpty || $0.key == path || $0.key.hasPrefix(path + "/") }
            .compactMap { $0.value.version(at: time) }.sorted { $0.path < $1.path }
    }

    /// Returns the last change that put versions into the history: of each path the version before it.
    package func lastChange() async throws -> [HistoryRecord] {
        let records = try await records().filter { $0.reason != .found && !$0.path.isEmpty }
        guard let last = records.first else { return [] }
        var change: [String: HistoryRecord] = [:]
        for record in records where record.change == last.change && (last.change != 0 || record.at == last.at) {
            change[record.path] = record
        }
        return change.values.sorted { $0.path < $1.path }
    }

    /// True if a path exists now.
    package func isThere(_ path: String) async throws -> Bool {
        try await FolderReplica.threads.run {
            let names = try ControlFolder.names(path)
            do {
                let place = try self.place(of: names, in: self.open().root)
                return try self.kind(of: place) != nil
            } catch let failure as SystemFailure where [ENOENT, ENOTDIR].contains(failure.number) { return false }
        }
    }

    // MARK: Changing

    /// Restores a version to its path. The present file goes to the history.
    package func restore(_ record: HistoryRecord) async throws {
        try await FolderReplica.threads.run {
            try self.changing("put “\(DisplayText(record.path, limit: 200))” back") { try self.putBack(record) }
        }
    }

    /// Moves a file or link to the history.
    package func putAway(_ path: String) async throws {
        try await FolderReplica.threads.run {
            try self.changing("put “\(DisplayText(path, limit: 200))” away") { try self.keep(path) }
        }
    }

    /// Renames a file in its folder; the new name must be free.
    package func rename(_ path: String, to name: SyncName) async throws {
        try await FolderReplica.threads.run {
            try self.changing("rename “\(DisplayText(path, limit: 200))”") {
                let (root, control) = try self.open()
                let place = try self.place(of: try ControlFolder.names(path), in: root)
                var target = place
                target.name = name.text
                try self.confirmClosed(place)
                try control.moveWithoutReplacing(place, to: target, isFolder: false)
                try self.storage.sync(place.folder)
            }
        }
    }

    /// Returns the names of files and links in a folder of the shared one, in order.
    package func names(in folder: String) async throws -> [SyncName] {
        try await FolderReplica.threads.run {
            try self.changing("read the folder") {
                var descriptor = try self.open().root
                if !folder.isEmpty {
                    for name in try ControlFolder.names(folder) {
                        descriptor = try self.storage.openFolder(name, in: descriptor)
                    }
                }
                return try self.storage.names(in: descriptor)
                    .filter { try self.storage.status(of: $0, in: descriptor).kind != .folder }
                    .map { SyncName($0) }.sorted()
            }
        }
    }

    private func putBack(_ record: HistoryRecord) throws {
        let (root, control) = try open()
        let names = try ControlFolder.names(record.path)
        var folder = root
        for name in names.dropLast() {
            do throws(SystemFailure) {
                try storage.makeFolder(name, in: folder, mode: 0o777)
                try storage.sync(folder)
            } catch { if error.number != EEXIST { throw error } }
            folder = try storage.openFolder(name, in: folder)
        }
        let target = EntryPlaces.EntryPlace(folder: folder, inode: 0, name: names.last ?? "")
        let kept = EntryPlaces.EntryPlace(folder: control.history, inode: 0, name: record.file)
        guard try kind(of: kept) != nil else {
            throw SyncError(.noSuchContent, "That version is not in the history any more.")
        }
        try withTable { try $0.forgetContent(of: record.id) }
        switch try kind(of: target) {
        case .folder?: throw SyncError(.folder(SystemFailure(EISDIR)), "There is a folder of that name now.")
        case nil:
            try control.moveWithoutReplacing(kept, to: target, isFolder: false)
            try withTable { try $0.remove(record.id) }
        case _?:
            try confirmClosed(target)
            if try exchange(kept, target) {
                try note(record.file, record.path, control, instead: record.id)
            } else {
                try keep(record.path)
                try control.moveWithoutReplacing(kept, to: target, isFolder: false)
                try withTable { try $0.remove(record.id) }
            }
        }
        try withTable { try $0.noteRestored(record) }
        try storage.sync(folder)
        try storage.sync(control.history)
    }

    /// - Returns: false if the file system does not support exchanging.
    private func exchange(_ one: EntryPlaces.EntryPlace, _ other: EntryPlaces.EntryPlace) throws(SystemFailure) -> Bool
    {
        do throws(SystemFailure) {
            try storage.move(one.name, in: one.folder, to: other.name, in: other.folder, .exchanging)
            return true
        } catch {
            guard error.number == EINVAL else { throw error }
            return false
        }
    }

    private func keep(_ path: String) throws {
        let (root, control) = try open()
        let place = try place(of: try ControlFolder.names(path), in: root)
        guard let kind = try kind(of: place) else { throw SystemFailure(ENOENT) }
        guard kind != .folder else {
            throw SyncError(.folder(SystemFailure(EISDIR)), "“\(DisplayText(path, limit: 200))” is a folder.")
        }
        try confirmClosed(place)
        let file = String(UInt64.random(in: 0 ... .max), radix: 16)
        let kept = EntryPlaces.EntryPlace(folder: control.history, inode: 0, name: file)
        try control.moveWithoutReplacing(place, to: kept, isFolder: false)
        try note(file, path, control)
        try storage.sync(place.folder)
        try storage.sync(control.history)
    }

    /// Records a file that is now in the history.
    private func note(_ file: String, _ path: String, _ control: ControlFolder, instead id: Int64? = nil) throws {
        guard let stamp = FileStatusStamp(try storage.status(of: file, in: control.history)) else { return }
        let record = HistoryRecord(
            at: now().seconds, path: path, kind: stamp.kind, file: file, size: stamp.size,
            reason: id == nil ? .deleted : .replaced, change: change)
        try withTable { table in
            if let id { try table.remove(id) }
            try table.add(record)
        }
    }

    // MARK: Places

    private func open() throws -> (root: Descriptor, control: ControlFolder) {
        let root = try storage.openFolder(path: path)
        let own = RootIdentity(of: root, try storage.status(of: root), storage)
        let known = try withTable { try RootIdentity(in: $0.database) }
        guard known?.isSame(as: own, hasNumbers: storage.keepsNumbers(root)) ?? true else {
            throw SyncError(.halted(.rootReplaced), ReplicaStart.Stop.rootReplaced.sentence)
        }
        return (root, try ControlFolder(in: root, storage))
    }

    private func place(of names: [String], in root: Descriptor) throws -> EntryPlaces.EntryPlace {
        var folder = root
        for name in names.dropLast() { folder = try storage.openFolder(name, in: folder) }
        return EntryPlaces.EntryPlace(folder: folder, inode: 0, name: names.last ?? "")
    }

    private func kind(of place: EntryPlaces.EntryPlace) throws -> FileStatus.Kind? {
        do throws(SystemFailure) {
            return try storage.status(of: place.name, in: place.folder).kind
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// Brings a database that is to be moved into its file alone.
    ///
    /// - Throws: ``SyncError`` if a program has it open: what it wrote into the file afterwards would be lost.
    private func confirmClosed(_ place: EntryPlaces.EntryPlace) throws {
        let look = FileLook(storage: storage, now: now)
        guard try kind(of: place) == .file, try look.isDatabase(try storage.openFile(place.name, in: place.folder))
        else { return }
        do {
            try databases.close(place.name, in: place.folder, look)
        } catch let refusal as StepRefusal {
            guard refusal == .databaseInUse else { throw SystemFailure(EIO) }
            throw SyncError(
                .folder(SystemFailure(EBUSY)),
                "“\(DisplayText(place.name, limit: 200))” is a database that a program has open. Close it there, then try again."
            )
        }
    }

    func withTable<Value>(_ body: (HistoryTable) throws -> Value) throws -> Value {
        do {
            return try queue.write { try body(HistoryTable(database: $0)) }
        } catch { throw SyncError.index(error) }
    }

    /// - Parameter action: verb with its object, for the sentence of an error.
    private func changing<Value>(_ action: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as SystemFailure { throw SyncError.folder(failure, action) }
    }
}
