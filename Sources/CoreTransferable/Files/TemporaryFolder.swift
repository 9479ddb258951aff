import Foundation
import Glibc
import Synchronization

/// A folder of its own for one transfer, which only this user can look into. It goes when it is removed, at the latest
/// when nobody holds it any more.
///
/// All lie in one folder of the user's (`portolan-transfer-<user id>` in the temporary directory). Each is locked while
/// its process lives, so that a later process can tell, and remove, what a killed one left behind.
package final class TemporaryFolder: Sendable {
    /// Where the folders of the current task are made, in place of the temporary directory.
    @TaskLocal package static var base: URL?

    package let url: URL
    private let parent: String
    /// The open folder, which holds the lock.
    private let descriptor: CInt
    private let isThere = Atomic(true)

    /// The paths of all that are there, to tell our own throw-away copies from other people's files.
    private static let live = Mutex<Set<String>>([])

    /// - Parameter source: a file or folder that will be copied into this one, which then lies on the same file system
    ///   if that can be.
    /// - Throws: ``TransferError`` where the temporary directory takes none.
    package init(for source: URL? = nil) throws {
        let base = Self.base ?? Self.place(for: source, among: [FileManager.default.temporaryDirectory, Self.cache])
        (parent, url, descriptor) = try Self.make(in: base)
        _ = Self.live.withLock { [url] in $0.insert(url.path) }
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes the folder and all that is in it; does nothing the second time. What cannot be removed is left to a later
    /// process, and to whatever cleans the temporary directory.
    package func remove() {
        guard isThere.exchange(false, ordering: .sequentiallyConsistent) else { return }
        removeTree(url.path)
        _ = Self.live.withLock { [url] in $0.remove(url.path) }
        // Succeeds for the last of them.
        rmdir(parent)
    }

    // MARK: What is put in

    /// Writes a file. It waits for the disk.
    func write(_ data: Data, named name: String) throws -> URL {
        let file = url.appendingPathComponent(name, isDirectory: false)
        do {
            try data.write(to: file, options: .withoutOverwriting)
            return file
        } catch {
            throw TransferError.writing(file, error)
        }
    }

    /// The same, on a thread that may wait.
    func write(_ data: Data, named name: String) async throws -> URL {
        try await DiskWork.run { [self] _ in try write(data, named: name) }
    }

    /// A copy of a file or folder; of what is a throw-away copy itself, another name for it where that is possible. It
    /// waits for the disk.
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

    /// The same, on a thread that may wait.
    func copy(_ original: URL, named name: String) async throws -> URL {
        let tally = CopyTally.current
        return try await DiskWork.run { [self] stop in
            try copy(original, named: name, tally: tally, stop: stop)
        }
    }

    /// Whether a file lies in a temporary folder of this process.
    static func holds(_ file: URL) -> Bool {
        let folders = live.withLock { $0 }
        return folders.contains { file.path.hasPrefix($0 + "/") || file.path == $0 }
    }

    // MARK: Where

    /// The user's folder for what can be made again, which lies where the user's files lie when `/tmp` is in memory.
    private static var cache: URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        let set = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return set.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? home.appendingPathComponent(".cache", isDirectory: true)
    }

    /// The first place that lies on the source's file system; the first of all if none does.
    static func place(for source: URL?, among places: [URL]) -> URL {
        guard let source, let device = try? TransferableFile(source).device else { return places[0] }
        return places.first { (try? TransferableFile($0))?.device == device && access($0.path, W_OK) == 0 } ?? places[0]
    }

    /// Makes a folder and locks it.
    private static func make(in base: URL) throws -> (parent: String, url: URL, descriptor: CInt) {
        // The last of the others may just have taken the parent away with it.
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
            // A file system that knows no locks has nothing swept either.
            flock(descriptor, LOCK_EX | LOCK_NB)
            return (parent, url, descriptor)
        }
        throw TransferError.fileSystem(base.path, "used for temporary files", EAGAIN)
    }

    /// The user's own folder; nil if it has gone meanwhile. Where somebody else has taken the name, or could look into
    /// it, a new folder under another name.
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

    /// Whether this is a folder, no link, that nobody but this user can use.
    static func isPrivate(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }
}
