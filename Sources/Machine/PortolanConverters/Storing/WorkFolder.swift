import Glibc
import PortolanFiles

/// Folder in which one converter runs: `.work-<random>` inside the folder for results.
///
/// This place allows a result to be stored by one rename. The folder is private (0700), and the process that works in
/// it holds an flock(2) on it: the kernel drops the lock when that process dies, and a later process removes the
/// folder.
struct WorkFolder: Sendable {
    static let prefix = ".work-"
    /// Age in seconds below which a folder may belong to a process that has not yet locked it.
    static let minimumAgeToAbandon = 60

    let path: String
    let descriptor: Descriptor
    /// Name of the input file, which does not count as written by the program.
    private let given: String

    /// - Parameter given: name of a file that does not count as written.
    init(in parent: String, given: String) throws(SystemFailure) {
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .last }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let number = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard number >= 0 else {
            let failure = SystemFailure.last
            rmdir(path)
            throw failure
        }
        self.path = path
        descriptor = Descriptor(owning: number)
        self.given = given
        _ = flock(number, LOCK_EX | LOCK_NB)
    }

    /// Opens a file in the folder, for this process; never follows a link.
    func file(_ name: String, _ flags: Int32) throws(SystemFailure) -> Descriptor {
        let number = retrying { openat(descriptor.number, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }

    /// Removes the folder with its contents.
    func remove() {
        // A killed process may still finish its present call, and so create another file.
        for attempt in 0..<100 {
            Removal.empty(descriptor)
            if rmdir(path) == 0 || errno == ENOENT { return }
            usleep(UInt32(attempt) * 1000)
        }
    }

    /// Removes the folders of dead processes in `parent`.
    static func removeAbandoned(in parent: String, olderThan age: Int = minimumAgeToAbandon) {
        guard let stream = opendir(parent) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = entry.withName { String(cString: $0) }
            guard name.hasPrefix(prefix) else { continue }
            let number = retrying {
                openat(dirfd(stream), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            guard number >= 0 else { continue }
            let folder = Descriptor(owning: number)
            var status = stat()
            guard fstat(number, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_ctim.tv_sec >= age, flock(number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            Removal.empty(folder)
            unlinkat(dirfd(stream), name, AT_REMOVEDIR)
        }
    }
}

// MARK: - Size

extension WorkFolder {
    /// Largest number of entries; converters need far fewer.
    private static let maximumEntries = 4000
    private static let maximumDepth = 32

    /// True if the files take more than `limit` bytes, or cannot be counted.
    func holdsMore(than limit: UInt64) -> Bool {
        var count = Count(left: limit, entries: Self.maximumEntries)
        return !fits(descriptor.number, ".", depth: 0, &count)
    }

    private struct Count {
        var left: UInt64
        var entries: Int
    }

    private func fits(_ parent: Int32, _ name: UnsafePointer<CChar>, depth: Int, _ count: inout Count) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        let number = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        // A vanished entry is no error; an unreadable one is.
        guard number >= 0 else { return errno == ENOENT || errno == ENOTDIR || errno == ELOOP }
        guard let stream = fdopendir(number) else {
            close(number)
            return false
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let fits = entry.withName { name in
                let shown = String(cString: name)
                if shown == "." || shown == ".." || (depth == 0 && shown == given) { return true }
                return entryFits(number, name, depth: depth, &count)
            }
            if !fits { return false }
        }
        return true
    }

    private func entryFits(
        _ parent: Int32, _ name: UnsafePointer<CChar>, depth: Int, _ count: inout Count
    ) -> Bool {
        count.entries -= 1
        guard count.entries > 0 else { return false }
        var status = stat()
        guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
        if status.st_mode & S_IFMT == S_IFDIR { return fits(parent, name, depth: depth + 1, &count) }
        // A sparse file takes less than its size, and a small file takes a whole block, so the smaller number counts.
        let bytes = min(UInt64(clamping: status.st_size), UInt64(clamping: status.st_blocks) * 512)
        guard bytes <= count.left else { return false }
        count.left -= bytes
        return true
    }
}

extension UnsafeMutablePointer<dirent> {
    /// Passes the name of a directory entry, which need not be UTF-8.
    func withName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // The record is only as long as its name, so the field is read in place and up to the NUL.
        withUnsafePointer(to: &pointee.d_name) {
            body(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
    }
}
