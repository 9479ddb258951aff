import Synchronization

/// A folder for one transfer that only this user can read. ``remove()`` deletes it, at the latest when the object is
/// released.
///
/// All folders lie in one folder of the user (`portolan-transfer-<user id>` in the temporary directory). Each is locked
/// while its process lives, so that a later process can tell, and remove, the folders of a killed one.
package final class TemporaryFolder: Sendable {
    /// Parent of the folders of the current task, in place of the temporary directory.
    @TaskLocal package static var base: URL?

    package let url: URL
    private let parent: String
    /// The open folder, which holds the lock.
    private let descriptor: CInt
    private let isThere = Atomic(true)

    /// Paths of all existing folders of this process, to tell its own temporary copies from other files.
    private static let live = Mutex<Set<String>>([])

    /// - Parameter source: a file or folder to be copied into this one, which is then on the same file system if
    ///   possible.
    /// - Throws: ``TransferError`` if no folder can be created in the temporary directory.
    package init(for source: URL? = nil) throws {
        let base = Self.base ?? Self.place(for: source, among: [FileManager.default.temporaryDirectory, Self.cache])
        (parent, url, descriptor) = try Self.make(in: base)
        _ = Self.live.withLock { [url] in $0.insert(url.path) }
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes the folder and all that is in it; does nothing the second time. Entries that cannot be removed are left
    /// to a later process, and to the system's cleaning of the temporary directory.
    package func remove() {
        guard isThere.exchange(false, ordering: .sequentiallyConsistent) else { return }
        removeTree(url.path)
        _ = Self.live.withLock { [url] in $0.remove(url.path) }
        // `rmdir` succeeds when the last folder is removed.
        rmdir(parent)
    }

    // MARK: Contents

    /// Writes a file. Blocks the thread.
    func write(_ data: Data, named name: String) throws -> URL {
        try data.written(to: url.appendingPathComponent(name, isDirectory: false))
    }

    /// Writes a file on a thread for blocking work.
    func write(_ data: Data, named name: String) async throws -> URL {
        try await DiskWork.run { [self] _ in try write(data, named: name) }
    }

    /// Copies a file or folder; makes a hard link to a temporary copy, if possible. Blocks the thread.
    func copy(
        _ original: URL, named name: String, tally: CopyTally? = .current, stop: DiskWork.Stop = DiskWork.Stop()
    ) throws -> URL {
        let original = try TransferableFile(original)
        let copy = url.appendingPathComponent(name, isDirectory: original.isFolder)
        try FileCopy(
            source: original.path, destination: copy.path, mayLink: Self.holds(original.url), tally: tally, stop: stop
        ).make()
        return copy
    }

    /// Copies a file or folder on a thread for blocking work.
    func copy(_ original: URL, named name: String) async throws -> URL {
        let tally = CopyTally.current
        return try await DiskWork.run { [self] stop in
            try copy(original, named: name, tally: tally, stop: stop)
        }
    }

    /// True if a file lies in a temporary folder of this process.
    static func holds(_ file: URL) -> Bool {
        let folders = live.withLock { $0 }
        return folders.contains { file.path.hasPrefix($0 + "/") || file.path == $0 }
    }

    // MARK: Places

    /// The user's cache folder, which lies on the file system of the user's files when `/tmp` is in memory.
    private static var cache: URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        let set = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return set.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? home.appendingPathComponent(".cache", isDirectory: true)
    }

    /// First place on the source's file system; the first of all if there is none.
    static func place(for source: URL?, among places: [URL]) -> URL {
        guard let source, let device = try? TransferableFile(source).device else { return places[0] }
        return places.first { (try? TransferableFile($0))?.device == device && access($0.path, W_OK) == 0 } ?? places[0]
    }

    /// Makes a folder and locks it.
    private static func make(in base: URL) throws -> (parent: String, url: URL, descriptor: CInt) {
        // Another process may have removed the parent with its last folder; a retry makes it again.
        for _ in 0..<100 {
            guard let parent = try parent(in: base) else { continue }
            let url = URL(filePath: parent, directoryHint: .isDirectory)
                .appendingPathComponent(UUID().uuidString, isDirectory: true)
            guard mkdir(url.path, 0o700) == 0 else {
                guard errno == ENOENT else { throw TransferError.fileSystem(url.path, "made", errno) }
                continue
            }
            let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw TransferError.fileSystem(url.path, "opened", errno) }
            // File systems without locks are not swept either.
            flock(descriptor, LOCK_EX | LOCK_NB)
            return (parent, url, descriptor)
        }
        throw TransferError.fileSystem(base.path, "used for temporary files", EAGAIN)
    }

    /// Opens or makes the user's own folder; nil if it was removed meanwhile. If the name belongs to another user, or
    /// the folder can be read by one, a new folder gets another name.
    private static func parent(in base: URL) throws -> String? {
        let path = base.appendingPathComponent("portolan-transfer-\(geteuid())", isDirectory: true).path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw TransferError.fileSystem(path, "made", errno)
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        if isPrivate(status) {
            sweepOnce(path)
            return path
        }
        var template = Array((path + "-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw TransferError.fileSystem(path, "made", errno) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// True for a folder, not a link, that only this user can use.
    static func isPrivate(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }
}

extension Data {
    /// Writes a file that does not exist yet, and returns its URL. Blocks the thread.
    func written(to file: URL) throws -> URL {
        do {
            try write(to: file, options: .withoutOverwriting)
            return file
        } catch {
            throw TransferError.writing(file, error)
        }
    }
}
