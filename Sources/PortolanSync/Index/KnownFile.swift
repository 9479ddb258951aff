import Foundation
import GRDB
import PortolanFiles
import PortolanSyncModel

/// What the system says of a file by which a change of its content is noticed.
struct FileStamp: Hashable, Sendable {
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
        // The size and the times of a folder say nothing about it that a scan does not read.
        size = kind == .folder ? 0 : status.size
        modified = status.modified
        changed = status.changed
    }

    /// - Parameter row: see ``KnownFile/columns``.
    fileprivate init(_ row: Row) throws {
        guard let kind = NodeKind(rawValue: row[1]) else { throw DamagedBlob() }
        self.kind = kind
        inode = row.unsigned(2)
        mode = row[4]
        size = row.unsigned(5)
        modified = try FileTime(seconds: row[6], nanoseconds: row[7])
        changed = try FileTime(seconds: row[8], nanoseconds: row[9])
    }

    /// Whether a change that came at once might have left the times as they are.
    ///
    /// - Parameter now: when the content was read.
    func isRacy(at now: FileTime) -> Bool {
        let start = now.seconds - Self.racySeconds
        return changed.seconds >= start || (modified.seconds >= start && modified.seconds <= now.seconds)
    }

    /// Time for which a file that has just been changed counts as one that may be changed again unseen.
    static let racySeconds: Int64 = 2

    /// The same file with the same content, which may have been renamed: that changes its time of change.
    func isSameContent(as other: FileStamp) -> Bool {
        var other = other
        other.changed = changed
        return self == other
    }
}

/// A file as the last scan, or the step that made it, left it.
struct KnownFile: Hashable, Sendable {
    var stamp: FileStamp
    var generation: UInt64
    /// Its content has to be read again, although the system says the same of it.
    var isRacy: Bool
    /// Nil for a folder.
    var form: Form?
    /// Extended attributes that the file system shows, if they are not those of the form: it did not take these as they were to be.
    var shown: [ExtendedAttribute]?
    /// It has extended attributes that do not travel.
    var lacksAttributes = false

    var handle: Handle { Handle(stamp.inode, generation: generation) }

    /// Extended attributes that the disk has.
    var onDisk: [ExtendedAttribute] { shown ?? form?.extended ?? [] }

    /// The same file with the extended attributes that it is to have, if the disk still shows those that were left of them.
    ///
    /// - Parameter known: it, or what had its name, as it was known before.
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
        extended, shown, lacks
        """

    fileprivate init(_ row: Row) throws {
        let extended = try row.attributes(13) ?? []
        form = try row.digest(11).map { Form($0, attributes: row.unsigned(12), extended: extended) }
        shown = try row.attributes(14)
        lacksAttributes = row[15]
        stamp = try FileStamp(row)
        generation = row.unsigned(3)
        isRacy = row[10]
    }
}

/// Place of a file: the inode of its folder, and its name.
struct FilePlace: Hashable, Sendable {
    var folder: UInt64
    var name: Name
}

extension StoredIndex {
    /// Files that are known in a folder, in the order of their names' bytes.
    func files(in folder: UInt64) -> [(name: Name, file: KnownFile)] {
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

    /// Whether there are files of which the file system shows other extended attributes than they are to have.
    var hasShownAttributes: Bool {
        transaction.attempt(false) {
            try transaction.first("SELECT 1 FROM file WHERE shown IS NOT NULL LIMIT 1") { _ in true } ?? false
        }
    }

    /// Such a file, wherever it was.
    func fileWithShownAttributes(_ handle: Handle) -> KnownFile? {
        transaction.attempt(nil) {
            try transaction.first(
                """
                SELECT \(KnownFile.columns) FROM file WHERE shown IS NOT NULL AND inode = ? AND generation = ? LIMIT 1
                """, [Int64(bitPattern: handle.number), Int64(bitPattern: handle.generation)], KnownFile.init)
        }
    }

    /// Inodes of folders in which files are known.
    var knownFolders: Set<UInt64> {
        transaction.attempt([]) {
            Set(try transaction.all("SELECT DISTINCT folder FROM file") { $0.unsigned(0) })
        }
    }

    func remember(_ file: KnownFile, at place: FilePlace) {
        let stamp = file.stamp
        transaction.attempt(()) {
            try transaction.execute(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    Int64(bitPattern: place.folder), Data(place.name.text.utf8), Int64(stamp.kind.rawValue),
                    Int64(bitPattern: stamp.inode), Int64(bitPattern: file.generation), Int64(stamp.mode),
                    Int64(bitPattern: stamp.size), stamp.modified.seconds, Int64(stamp.modified.nanoseconds),
                    stamp.changed.seconds, Int64(stamp.changed.nanoseconds), file.isRacy,
                    file.form.map { Data($0.digest.bytes) }, Int64(bitPattern: file.form?.attributes ?? 0),
                    file.form?.extended.blob, file.shown?.wholeBlob, file.lacksAttributes,
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
            try transaction.execute("DELETE FROM file WHERE folder = ?", [Int64(bitPattern: folder)])
        }
    }
}
