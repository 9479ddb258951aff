import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Folder for this device's own files in a shared folder, which is not synchronized: marker, staging folder, history
/// and snapshots of databases.
///
/// Names in the staging folder: `part-…` is incomplete content; with its digest in the name, a transfer can resume it.
/// `new-INODE` is complete; with another inode it is the file for which the new one was exchanged. All other names are
/// parked entries.
struct ControlFolder: Sendable {
    static let name = OwnFiles.folderName
    static let newPrefix = "new-"
    static let partPrefix = "part-"
    static let markerName = "marker"
    /// File by which git and others that keep its rules pass over this folder.
    private static let ignoreName = ".gitignore"

    let storage: any Storage
    let folder: Descriptor
    let staging: Descriptor
    let history: Descriptor
    /// Snapshots of databases, by their digests.
    let databases: Descriptor
    /// Files of the program that may lie in the shared folder. They are neither synchronized nor changed by members.
    let own: OwnFiles

    /// Opens the folder, and creates missing parts.
    init(in root: Descriptor, _ storage: any Storage, without own: OwnFiles = .none) throws(SyncError) {
        self.storage = storage
        self.own = own
        do throws(SystemFailure) {
            folder = try Self.open(Self.name, in: root, storage)
            staging = try Self.open("staging", in: folder, storage)
            history = try Self.open("history", in: folder, storage)
            databases = try Self.open("databases", in: folder, storage)
        } catch { throw .folder(error, "make the folder “\(Self.name)”") }
        if (try? storage.status(of: Self.ignoreName, in: folder)) == nil {
            // A convenience: a full disk does not keep the folder from being opened.
            try? replace(Self.ignoreName, with: Array("*\n".utf8))
        }
    }

    private static func open(
        _ name: String, in folder: Descriptor, _ storage: any Storage
    ) throws(SystemFailure) -> Descriptor {
        do throws(SystemFailure) {
            return try storage.openFolder(name, in: folder)
        } catch {
            guard error.number == ENOENT else { throw error }
        }
        try storage.makeFolder(name, in: folder, mode: 0o700)
        try storage.sync(folder)
        return try storage.openFolder(name, in: folder)
    }

    /// True for the name of this folder, also on a file system that ignores case.
    static func isReserved(_ name: SyncName) -> Bool { OwnFiles.isReserved(name.text) }

    /// True for an entry that is a file of the program, or has the name of this folder: a folder in the shared one may
    /// be shared by itself.
    func leavesOut(_ name: SyncName, _ identity: FileIdentity) -> Bool {
        Self.isReserved(name) || own.contains(identity)
    }

    /// Names of a path in the shared folder, none of which leads out of it or to this folder.
    static func names(_ path: String) throws(SyncError) -> [String] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map { SyncName(String($0)) }
        guard names.allSatisfy(\.isComponent), let first = names.first, !isReserved(first) else {
            throw SyncError(
                .folder(SystemFailure(EINVAL)), "“\(DisplayText(path, limit: 200))” is no file of the folder.")
        }
        return names.map(\.text)
    }

    /// Name of a new, complete file.
    func ownName(_ inode: UInt64) -> String { Self.newPrefix + String(inode) }

    /// Name of incomplete content that no other transfer can resume.
    static func newPartName() -> String { partPrefix + String(UInt64.random(in: 0 ... .max), radix: 16) }

    /// Name of incomplete content that another transfer can resume.
    static func partName(_ digest: ContentDigest) -> String {
        partPrefix + Hexadecimal.text(digest.bytes)
    }

    /// True for a name of ``partName(_:)``.
    static func isLastingPart(_ name: String) -> Bool {
        name.hasPrefix(partPrefix) && name.utf8.count == partPrefix.utf8.count + 64
    }

    // MARK: Marker

    /// Reads the marker in a shared folder; nil if it is missing or invalid.
    static func marker(in root: Descriptor, _ storage: any Storage) throws(SyncError) -> Marker? {
        do throws(SystemFailure) {
            let folder = try storage.openFolder(name, in: root)
            let file = try storage.openFile(markerName, in: folder)
            return Marker(text: String(decoding: try storage.read(file, at: 0, count: 256), as: UTF8.self))
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.number) { return nil }
            throw .folder(error, "read the marker of the folder")
        }
    }

    /// Writes the marker, and flushes it to the disk.
    func write(_ marker: Marker) throws(SyncError) {
        let text = Array(marker.text.utf8)
        do throws(SystemFailure) {
            try withReserve { () throws(SystemFailure) in
                if try !overwrite(Self.markerName, with: text) { try replace(Self.markerName, with: text) }
            }
        } catch { throw .folder(error, "write the marker of the folder") }
    }

    /// Writes into a file of the same size, which lies in one sector of the disk: the disk stores all of it or nothing,
    /// with one flush instead of two.
    ///
    /// - Returns: false if there is no such file, or it has another name, too, such as in a backup.
    private func overwrite(_ name: String, with bytes: [UInt8]) throws(SystemFailure) -> Bool {
        guard let file = try? storage.reopenFile(name, in: folder),
            try storage.status(of: file).size == UInt64(bytes.count)
        else { return false }
        try storage.write(bytes, to: file, at: 0)
        try storage.sync(file)
        return true
    }

    func replace(_ name: String, with bytes: [UInt8]) throws(SystemFailure) {
        let new = name + ".new"
        try storage.removeIfPresent(new, in: folder)
        let file = try storage.makeFile(new, in: folder, mode: 0o600)
        try storage.write(bytes, to: file, at: 0)
        try storage.sync(file)
        try storage.move(new, in: folder, to: name, in: folder, .replacing)
        try storage.sync(folder)
    }
}
