import Foundation
import GRDB
import PortolanFiles
import PortolanSyncPlan

/// Status of a file by which a change of its content is detected.
struct FileStatusStamp: Hashable, Sendable {
    var kind: NodeKind
    var inode: UInt64
    var mode: UInt16
    var size: UInt64
    var modified: FileTime
    var changed: FileTime

    /// - Returns: nil for a pipe, a socket or a device.
    init?(_ status: FileStatus) {
        switch status.kind {
        case .file: kind = .file
        case .folder: kind = .folder
        case .symbolicLink: kind = .link
        case .pipe, .socket, .device: return nil
        }
        inode = status.identity.inode
        mode = status.mode
        // Size and times of a folder add nothing to a scan of its entries.
        size = kind == .folder ? 0 : status.size
        modified = status.modified
        changed = status.changed
    }

    /// Metadata that members keep alike.
    var metadata: ItemMetadata {
        kind == .folder
            ? ItemMetadata(folderMode: mode) : .time(ModificationTime(modified.seconds, modified.nanoseconds))
    }

    /// - Parameter row: see ``KnownFile/columns``.
    fileprivate init(_ row: Row) throws {
        guard let kind = NodeKind(rawValue: row[1]) else { throw SyncError.damagedIndex }
        self.kind = kind
        inode = row.unsigned(2)
        mode = row[4]
        size = row.unsigned(5)
        modified = try FileTime(seconds: row[6], nanoseconds: row[7])
        changed = try FileTime(seconds: row[8], nanoseconds: row[9])
    }

    /// True if a change just after the reading might not alter the times.
    ///
    /// - Parameter now: time at which the content was read.
    func isRacy(at now: FileTime) -> Bool {
        let start = now.seconds - Self.racySeconds
        return changed.seconds >= start || (modified.seconds >= start && modified.seconds <= now.seconds)
    }

    /// Time after a change in which another one may not alter the times.
    static let racySeconds: Int64 = 2

    /// True for the same file with the same content, which may have been renamed: that alters only the status change
    /// time.
    func isSameContent(as other: FileStatusStamp) -> Bool {
        var other = other
        other.changed = changed
        return self == other
    }
}

/// State of a file after the last scan, or after the step that made it.
struct KnownFile: Hashable, Sendable {
    var stamp: FileStatusStamp
    var generation: UInt64
    /// True if the content must be read again although the status is unchanged.
    var isRacy: Bool
    /// Content and attributes; nil for a folder.
    var form: ContentForm?
    /// Extended attributes on the disk, if they differ from those of the form because the file system did not store
    /// them.
    var shown: [ExtendedAttribute]?
    /// True if the file has extended attributes that are not synchronized.
    var lacksAttributes = false
    /// State of a database; nil for another file.
    var database: DatabaseState?

    /// Size of the content, in bytes.
    var size: UInt64 { database?.size ?? stamp.size }
    /// Metadata that members keep alike.
    var metadata: ItemMetadata { database?.metadata ?? stamp.metadata }
    var handle: FileHandleID { FileHandleID(stamp.inode, generation: generation) }

    /// Extended attributes on the disk.
    var onDisk: [ExtendedAttribute] { shown ?? form?.extended ?? [] }

    /// Returns the file with its intended extended attributes, if the disk still shows the part that the file system
    /// stored.
    ///
    /// - Parameter known: earlier state of the file, or of the one with its name.
    func settled(by known: KnownFile?) -> KnownFile {
        guard let known, let shown = known.shown, let wanted = known.form, let form, form.extended == shown else {
            return self
        }
        var file = self
        file.form?.extended = wanted.extended
        file.shown = shown
        return file
    }
}

extension KnownFile {
    fileprivate static let columns = """
        name, kind, inode, generation, mode, size, modified, modified_part, changed, changed_part, racy, digest, attributes,
        extended, shown, lacks, database_size, database_time, database_part, companions
        """

    fileprivate init(_ row: Row) throws {
        let extended = try row.attributes(13) ?? []
        form = try row.digest(11).map { ContentForm($0, attributes: row.unsigned(12), extended: extended) }
        shown = try row.attributes(14)
        lacksAttributes = row[15]
        stamp = try FileStatusStamp(row)
        generation = row.unsigned(3)
        isRacy = row[10]
        if let companions = row[19] as Int64? {
            database = DatabaseState(
                size: row.unsigned(16), time: ModificationTime(row[17], row[18]),
                companions: UInt64(bitPattern: companions))
        }
    }
}

/// Place of a file: the inode of its folder, and its name.
struct FilePlace: Hashable, Sendable {
    var folder: UInt64
    var name: SyncName
}

extension StoredIndex {
    /// Returns the known files in a folder, in the order of their names' bytes.
    func files(in folder: UInt64) -> [(name: SyncName, file: KnownFile)] {
        transaction.attempt([]) {
            try transaction.all(
                "SELECT \(KnownFile.columns) FROM file WHERE folder = ? ORDER BY name", [Int64(bitPattern: folder)]
            ) { (try $0.name(0), try KnownFile($0)) }
        }
    }

    func file(at place: FilePlace) -> KnownFile? {
        transaction.attempt(nil) {
            try transaction.first(
                "SELECT \(KnownFile.columns) FROM file WHERE folder = ? AND name = ?",
                [Int64(bitPattern: place.folder), Data(place.name.text.utf8)], KnownFile.init)
        }
    }

    /// True if the file system shows other extended attributes than intended for some files.
    var hasShownAttributes: Bool {
        transaction.attempt(false) {
            try transaction.first("SELECT 1 FROM file WHERE shown IS NOT NULL LIMIT 1") { _ in true } ?? false
        }
    }

    /// Returns such a file, at any place.
    func fileWithShownAttributes(_ handle: FileHandleID) -> KnownFile? {
        transaction.attempt(nil) {
            try transaction.first(
                """
                SELECT \(KnownFile.columns) FROM file WHERE shown IS NOT NULL AND inode = ? AND generation = ? LIMIT 1
                """, [Int64(bitPattern: handle.number), Int64(bitPattern: handle.generation)], KnownFile.init)
        }
    }

    /// Inodes of folders with known files, or marks of places.
    var knownFolders: Set<UInt64> {
        transaction.attempt([]) {
            let sql = "SELECT DISTINCT folder FROM file UNION SELECT folder FROM place_mark"
            return Set(try transaction.all(sql) { $0.unsigned(0) })
        }
    }

    func remember(_ file: KnownFile, at place: FilePlace) {
        let stamp = file.stamp
        transaction.attempt(()) {
            try transaction.execute(
                """
                INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    Int64(bitPattern: place.folder), Data(place.name.text.utf8), Int64(stamp.kind.rawValue),
                    Int64(bitPattern: stamp.inode), Int64(bitPattern: file.generation), Int64(stamp.mode),
                    Int64(bitPattern: stamp.size), stamp.modified.seconds, Int64(stamp.modified.nanoseconds),
                    stamp.changed.seconds, Int64(stamp.changed.nanoseconds), file.isRacy,
                    file.form.map { Data($0.digest.bytes) }, Int64(bitPattern: file.form?.attributes ?? 0),
                    file.form?.extended.blob, file.shown?.wholeBlob, file.lacksAttributes,
                    file.database.map { Int64(bitPattern: $0.size) }, file.database?.time.seconds,
                    file.database.map { Int64($0.time.nanoseconds) },
                    file.database.map { Int64(bitPattern: $0.companions) },
                ])
        }
    }

    func forget(_ place: FilePlace) {
        transaction.attempt(()) {
            try transaction.execute(
                "DELETE FROM file WHERE folder = ? AND name = ?",
                [Int64(bitPattern: place.folder), Data(place.name.text.utf8)])
        }
    }

    func forgetFiles(in folder: UInt64) {
        transaction.attempt(()) {
            for table in ["file", "place_mark"] {
                try transaction.execute("DELETE FROM \(table) WHERE folder = ?", [Int64(bitPattern: folder)])
            }
        }
    }
}
