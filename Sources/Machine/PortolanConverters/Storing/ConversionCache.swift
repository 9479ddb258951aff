import PortolanFiles
import PortolanValues
import UniformTypeIdentifiers

/// Cache of results under the digests of their sources: one file each, in a private folder.
///
/// Several processes may use one folder. A result appears complete, by a rename. Files of other users, and links, are
/// not used. A result's time of access is the time of its last use.
package struct ConversionCache: Sendable {
    /// Limits on size and age.
    package struct Limits: Sendable, Hashable {
        package var bytes: UInt64
        package var age: Duration

        package init(bytes: UInt64, age: Duration) {
            self.bytes = bytes
            self.age = age
        }

        /// 1 GiB, and 30 days after the last use.
        package static let usual = Limits(bytes: 1 << 30, age: .seconds(30 * 86_400))
    }

    let path: String
    let limits: Limits

    private static let prefix = "made-"
    /// Seconds in which a further use is not noted: it would look like a change to who is sending the file.
    private static let useInterval = 3600

    /// Opens the folder, and creates it if it is missing.
    init(_ folder: CacheFolder, limits: Limits) throws(CacheFolder.Failure) {
        try folder.prepare(folder.path)
        guard let resolved = realpath(folder.path, nil) else {
            throw CacheFolder.Failure("Could not find \(DisplayText(folder.path)): \(SystemFailure.last.text).")
        }
        defer { free(resolved) }
        path = String(cString: resolved)
        self.limits = limits
    }

    /// Returns the file under `key`, and updates its time of use; nil if there is none.
    ///
    /// Its modification time stays: by it a receiver recognises what it has.
    func find(_ key: CacheKey) -> ConvertedFile? {
        let file = "\(path)/\(name(of: key))"
        let number = retrying { open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard number >= 0 else { return nil }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0, status.st_nlink == 1, status.st_size > 0
        else { return nil }
        if status.st_atim.tv_sec < time(nil) - Self.useInterval { noteUse(number) }
        return ConvertedFile(path: file, size: UInt64(status.st_size), type: key.type, wasKept: true)
    }

    /// Adds a finished file, and evicts older ones beyond the limits.
    func insert(
        _ file: Descriptor, named name: String, in folder: WorkFolder, as key: CacheKey
    ) throws(SystemFailure) -> ConvertedFile {
        let kept = self.name(of: key)
        let target = "\(path)/\(kept)"
        guard fchmod(file.number, key.mode) == 0, futimens(file.number, nil) == 0 else { throw .last }
        // The content is flushed first: after a power cut the name must not lead to incomplete content.
        guard retrying({ fsync(file.number) }) == 0 else { throw .last }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last }
        guard renameat(folder.descriptor.number, name, AT_FDCWD, target) == 0 else { throw .last }
        evict(sparing: kept)
        return ConvertedFile(path: target, size: UInt64(status.st_size), type: key.type, wasKept: false)
    }

    /// Removes results that are too old, then the least recently used ones until the rest fits.
    func evict(sparing spared: String? = nil) {
        var kept = entries()
        kept.sort { $0.wanted < $1.wanted }
        var total = kept.reduce(0) { $0 + $1.size }
        let oldest = time(nil) - Int(limits.age.components.seconds)
        for entry in kept where entry.name != spared && (total > limits.bytes || entry.wanted < oldest) {
            unlink("\(path)/\(entry.name)")
            total -= entry.size
        }
    }

    private struct Entry {
        let name: String
        let size: UInt64
        let wanted: Int
    }

    /// Results in the folder.
    private func entries() -> [Entry] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = entry.withName { String(cString: $0) }
            var status = stat()
            guard name.hasPrefix(Self.prefix), fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                continue
            }
            entries.append(Entry(name: name, size: UInt64(clamping: status.st_size), wanted: status.st_atim.tv_sec))
        }
        return entries
    }

    private func noteUse(_ file: Int32) {
        // UTIME_NOW and UTIME_OMIT, which are not imported: now, and unchanged.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        futimens(file, times)
    }

    private func name(of key: CacheKey) -> String {
        Self.prefix + Hexadecimal.text(key.digest) + key.type.fileNameEnding
    }
}

/// Key of a result.
struct CacheKey: Hashable, Sendable {
    /// Digest of the source, its mode, the command and the names of its files, which determine the result.
    let digest: [UInt8]
    let type: UTType
    /// Permission bits of the result.
    let mode: mode_t
}

/// Result of a conversion: a file that the cache may evict after a time without use.
package struct ConvertedFile: Sendable, Hashable {
    package let path: String
    /// Size, in bytes.
    package let size: UInt64
    package let type: UTType
    /// True if the result was cached and no program ran.
    package let wasKept: Bool
}
