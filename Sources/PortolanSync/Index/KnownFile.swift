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

    fileprivate init(_ row: Row) throws {
        guard let kind = NodeKind(rawValue: row["kind"]) else { throw DamagedBlob() }
        self.kind = kind
        inode = row.unsigned("inode")
        mode = row["mode"]
        size = row.unsigned("size")
        modified = try FileTime(seconds: row["modified"], nanoseconds: row["modified_part"])
        changed = try FileTime(seconds: row["changed"], nanoseconds: row["changed_part"])
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

    var handle: Handle { Handle(stamp.inode, generation: generation) }
}

extension KnownFile {
    fileprivate init(_ row: Row) throws {
        if let bytes = row["digest"] as Data? {
            guard let digest = ContentDigest(bytes) else { throw DamagedBlob() }
            form = Form(digest, attributes: row.unsigned("attributes"))
        }
        stamp = try FileStamp(row)
        generation = row.unsigned("generation")
        isRacy = row["racy"]
    }
}

/// Place of a file: the inode of its folder, and its name.
struct FilePlace: Hashable, Sendable {
    var folder: UInt64
    var name: Name
}

extension StoredIndex {
    /// Files that are known in a folder.
    func files(in folder: UInt64) -> [Name: KnownFile] {
        transaction.attempt([:]) {
            let rows = try transaction.rows("SELECT * FROM file WHERE folder = ?", [Int64(bitPattern: folder)])
            var files: [Name: KnownFile] = [:]
            files.reserveCapacity(rows.count)
            for row in rows {
                files[Name(String(decoding: row["name"] as Data, as: UTF8.self))] = try KnownFile(row)
            }
            return files
        }
    }

    func file(at place: FilePlace) -> KnownFile? {
        transaction.attempt(nil) {
            try transaction.row(
                "SELECT * FROM file WHERE folder = ? AND name = ?",
                [Int64(bitPattern: place.folder), Data(place.name.text.utf8)]
            ).map { try KnownFile($0) }
        }
    }

    /// Inodes of folders in which files are known.
    var knownFolders: Set<UInt64> {
        transaction.attempt([]) {
            Set(try transaction.rows("SELECT DISTINCT folder FROM file").map { $0.unsigned("folder") })
        }
    }

    func remember(_ file: KnownFile, at place: FilePlace) {
        let stamp = file.stamp
        transaction.attempt(()) {
            try transaction.execute(
                "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    Int64(bitPattern: place.folder), Data(place.name.text.utf8), Int64(stamp.kind.rawValue),
                    Int64(bitPattern: stamp.inode), Int64(bitPattern: file.generation), Int64(stamp.mode),
                    Int64(bitPattern: stamp.size), stamp.modified.seconds, Int64(stamp.modified.nanoseconds),
                    stamp.changed.seconds, Int64(stamp.changed.nanoseconds), file.isRacy,
                    file.form.map { Data($0.digest.bytes) }, Int64(bitPattern: file.form?.attributes ?? 0),
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
