import Glibc
import PortolanFiles
import PortolanValues
import UniformTypeIdentifiers

/// Results of conversions, kept by what they were made from: one file each, in a folder for its owner alone.
///
/// Several processes may use one folder. A result appears by a rename, whole or not at all. What somebody else has put there, or a
/// link, is never served. A result's modification time says when it was last wanted.
package struct ConversionCache: Sendable {
    /// How much is kept, and how long.
    package struct Limits: Sendable, Hashable {
        package var bytes: UInt64
        package var age: Duration

        package init(bytes: UInt64, age: Duration) {
            self.bytes = bytes
            self.age = age
        }

        /// 1 GiB, for 30 days after it was last wanted.
        package static let usual = Limits(bytes: 1 << 30, age: .seconds(30 * 86_400))
    }

    let path: String
    let limits: Limits

    private static let prefix = "made-"

    /// Opens the folder, made where it is missing.
    init(_ folder: CacheFolder, limits: Limits) throws(CacheFolder.Failure) {
        try folder.prepare(folder.path)
        guard let resolved = realpath(folder.path, nil) else {
            throw CacheFolder.Failure("Could not find \(DisplayText(folder.path)): \(SystemFailure.last.text).")
        }
        defer { free(resolved) }
        path = String(cString: resolved)
        self.limits = limits
    }

    /// The file that is kept under `key`, marked as wanted now, or nil.
    func find(_ key: CacheKey) -> ConvertedFile? {
        let file = "\(path)/\(name(of: key))"
        let number = retrying { open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard number >= 0 else { return nil }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0, status.st_nlink == 1, status.st_size > 0
        else { return nil }
        futimens(number, nil)
        return ConvertedFile(path: file, size: UInt64(status.st_size), type: key.type, wasKept: true)
    }

    /// Takes a finished file over, and lets older ones go where there are too many.
    func insert(
        _ file: Descriptor, named name: String, in folder: WorkFolder, as key: CacheKey
    ) throws(SystemFailure) -> ConvertedFile {
        let kept = self.name(of: key)
        let target = "\(path)/\(kept)"
        guard fchmod(file.number, 0o600) == 0, futimens(file.number, nil) == 0 else { throw .last }
        // A name that outlives a power cut must not lead to a file that does not.
        guard retrying({ fsync(file.number) }) == 0 else { throw .last }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last }
        guard renameat(folder.descriptor.number, name, AT_FDCWD, target) == 0 else { throw .last }
        evict(sparing: kept)
        return ConvertedFile(path: target, size: UInt64(status.st_size), type: key.type, wasKept: false)
    }

    /// Removes what has not been wanted for long, and then what has not been wanted for longest, until the rest fits.
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

    /// What is ours in the folder.
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
            entries.append(Entry(name: name, size: UInt64(clamping: status.st_size), wanted: status.st_mtim.tv_sec))
        }
        return entries
    }

    private func name(of key: CacheKey) -> String {
        Self.prefix + Hexadecimal.text(key.digest) + key.type.fileNameEnding
    }
}

/// What a result is kept by.
struct CacheKey: Hashable, Sendable {
    /// Of the content, the command and the names it is given: what a result follows from.
    let digest: [UInt8]
    let type: UTType
}

/// A result of a conversion: a file that is kept for as long as it is wanted now and then, and may go after that.
package struct ConvertedFile: Sendable, Hashable {
    package let path: String
    /// In bytes.
    package let size: UInt64
    package let type: UTType
    /// Whether it was there already and nothing was run.
    package let wasKept: Bool
}
