import CPortolanLinux
import Glibc
import PortolanValues

/// Durable copies of files and folders, which share their blocks with the source if the file system supports it.
///
/// Modification times, permissions, attributes of users and large holes are kept, because they are sent; the audience
/// of a received file is one of these attributes. A link at the root is followed, one inside a folder is copied as a
/// link. Folders are entered as deep as by a sending.
package struct TreeCopy: Sendable {
    private let parent: Descriptor
    private let space: SpaceWatch
    private let stop: StopRequest
    private let marksSpecialFiles: Bool
    private let own: OwnFiles
    private let storage = KernelStorage()

    /// - Parameters:
    ///   - folder: path of the existing folder for the copies.
    ///   - reserve: bytes that stay free on its file system; nil for the usual ones.
    ///   - marksSpecialFiles: true to replace each pipe, socket and device inside a folder by an empty pipe, so that a
    ///     sending of the copy names its omissions, as a sending of the folder does. Otherwise each is an error.
    ///   - own: files that are not copied. Inside a folder, a link to each has its place, by which a sending names it.
    package init(
        into folder: String, reserve: UInt64? = nil, stop: StopRequest, marksSpecialFiles: Bool = false,
        without own: OwnFiles = .none
    ) throws(FileError) {
        let parent = try Self.storing(folder) { () throws(SystemFailure) in
            try KernelStorage().openFolder(path: folder)
        }
        self.init(
            in: parent, reserve: reserve ?? parent.usualReserve(), stop: stop, marksSpecialFiles: marksSpecialFiles,
            without: own)
    }

    /// - Parameter parent: open folder for the copies.
    init(
        in parent: Descriptor, reserve: UInt64, stop: StopRequest, marksSpecialFiles: Bool = false,
        without own: OwnFiles = .none
    ) {
        self.parent = parent
        space = SpaceWatch(parent, reserve: reserve)
        self.stop = stop
        self.marksSpecialFiles = marksSpecialFiles
        self.own = own
    }

    /// Makes a copy, durable with its name. Blocks.
    ///
    /// - Parameters:
    ///   - source: absolute path.
    ///   - name: name of the copy, which must be free.
    /// - Throws: ``FileError``; ``FileError/Kind/sourceChanged`` for a file that was written to meanwhile. The caller
    ///   removes the incomplete copy.
    package func make(of source: String, named name: String) throws(FileError) {
        try make(of: SourceTree.open(source, Self.shown(source), by: storage).0, at: source, named: name)
    }

    /// - Parameter root: open file or folder at `source`.
    func make(of root: Descriptor, at source: String, named name: String) throws(FileError) {
        guard !own.hold(root) else { throw .own(Self.shown(source)) }
        try copy(root, as: name, in: parent, depth: 0, source)
        try Self.storing(source) { () throws(SystemFailure) in try storage.sync(parent) }
    }

    /// Copies an open file or folder.
    ///
    /// - Parameters:
    ///   - depth: number of folders above it, up to the root.
    ///   - path: its path, for errors.
    private func copy(
        _ from: Descriptor, as name: UnsafePointer<CChar>, in folder: Descriptor, depth: Int, _ path: String
    ) throws(FileError) {
        guard !stop.isRequested else { throw .stopped }
        let status = try Self.reading(path) { () throws(SystemFailure) in try from.status() }
        // Another entry may have its name since it was looked at.
        guard status.isOrdinary, depth == 0 || !own.contains(status.identity) else { throw Self.changed(path) }
        let isFolder = status.kind == .folder
        let copy = try Self.storing(path) { () throws(SystemFailure) in
            if !isFolder {
                let flags = O_RDWR | O_CREAT | O_EXCL
                return try Beneath.open(name, in: folder, flags, mode: 0o600, features: storage.features)
            }
            guard mkdirat(folder.number, name, 0o700) == 0 else { throw .last }
            return try storage.openFolder(name, in: folder)
        }
        if !isFolder {
            try copyContent(from, status, to: copy, path)
        } else if depth < TreeEntry.maximumFolders {
            let names = try Self.reading(path) { () throws(SystemFailure) in try DirectoryListing(of: from) }
            for index in 0..<names.count {
                try names.withName(index) { name throws(FileError) in
                    try copyEntry(name, of: from, to: copy, depth: depth + 1, "\(path)/\(String(cString: name))")
                }
            }
        }
        try Self.storing(path) { () throws(SystemFailure) in
            try copyAttributes(from, to: copy)
            // A folder without write permission for its owner could not be removed later.
            try storage.setPermissions(status.mode & 0o777 | (isFolder ? 0o700 : 0), of: copy)
            try storage.setModified(status.modified, of: copy)
            try storage.sync(copy)
        }
    }

    private func copyEntry(
        _ name: UnsafePointer<CChar>, of from: Descriptor, to folder: Descriptor, depth: Int, _ path: String
    ) throws(FileError) {
        let status = try Self.reading(path) { () throws(SystemFailure) in try from.status(of: name) }
        let result: Int32
        switch status.kind {
        case _ where status.isOrdinary && own.contains(status, named: String(cString: name).utf8):
            result = symlinkat(path, folder.number, name)
        case .file, .folder:
            let entry = try Self.reading(path) { () throws(SystemFailure) in
                try status.kind == .file ? storage.openFile(name, in: from) : storage.openFolder(name, in: from)
            }
            return try copy(entry, as: name, in: folder, depth: depth, path)
        case .symbolicLink:
            let target = try Self.reading(path) { () throws(SystemFailure) in try from.linkTarget(of: name) }
            let made = symlinkat(target.map { CChar(bitPattern: $0) } + [0], folder.number, name)
            result =
                made == 0 ? status.modified.withTimes { utimensat(folder.number, name, $0, AT_SYMLINK_NOFOLLOW) } : made
        case _ where marksSpecialFiles: result = mkfifoat(folder.number, name, 0o600)
        case .pipe, .socket, .device:
            throw FileError(
                .notFileOrFolder,
                "“\(Self.shown(path))” is no file, folder or link, so that no copy of it can be kept.")
        }
        guard result == 0 else { throw .storing(Self.shown(path), .last) }
    }

    private func copyContent(
        _ from: Descriptor, _ status: FileStatus, to copy: Descriptor, _ path: String
    ) throws(FileError) {
        let content = ContentCopy(storage: storage, space: space, interruption: stop)
        var failure: SystemFailure?
        do throws(SystemFailure) {
            try content.copy(from, ofSize: status.size, to: copy)
        } catch {
            failure = error
        }
        guard failure != .interrupted else { throw .stopped }
        let now = try Self.reading(path) { () throws(SystemFailure) in try from.status() }
        guard now.size == status.size, now.modified == status.modified else { throw Self.changed(path) }
        if let failure { throw .storing(Self.shown(path), failure) }
    }

    /// Copies the attributes of users. The audience of a file is one of them, so that one that cannot be copied is an
    /// error.
    private func copyAttributes(_ from: Descriptor, to copy: Descriptor) throws(SystemFailure) {
        let names: [UInt8]
        do throws(SystemFailure) {
            names = try SourceAttributes.fitting { (names) throws(SystemFailure) in
                try storage.listAttributes(of: from, into: names)
            }
        } catch {
            guard error.number == ENOTSUP else { throw error }
            return
        }
        for name in names.split(separator: 0) where name.starts(with: FileAttribute.namespace.utf8) {
            let name = name.map { CChar(bitPattern: $0) } + [0]
            let value = try SourceAttributes.fitting { (value) throws(SystemFailure) in
                try storage.readAttribute(name, of: from, into: value)
            }
            guard portolan_set_attribute(copy.number, name, value, UInt64(value.count)) == 0 else { throw .last }
        }
    }

    // MARK: - Errors

    private static func shown(_ path: String) -> DisplayText { DisplayText(path, limit: 1024) }

    private static func changed(_ path: String) -> FileError {
        FileError(.sourceChanged, "“\(shown(path))” was changed while it was copied; try again.")
    }

    private static func reading<Result>(
        _ path: String, _ call: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        try FileError.whileReading(shown(path), call)
    }

    private static func storing<Result>(
        _ path: String, _ call: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        try FileError.whileStoring(shown(path), call)
    }
}
