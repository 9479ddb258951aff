import CPortolanLinux
import Synchronization

/// A copy of a file or a folder, made by the cheapest call that the file systems support.
///
/// Modification times and permissions are kept, but not set-user-ID and set-group-ID, and folders stay writable for
/// their owner. A link inside a folder is copied as a link; one that was named itself is followed.
struct FileCopy: Sendable {
    let source: String
    /// Path of the copy; must not exist.
    let destination: String
    /// True if the copy may be a hard link to the source. Only for a source without another owner: a write to one name
    /// changes both.
    var mayLink = false
    var tally = CopyTally.current
    /// Called after each piece of a file that is copied byte by byte, with how much of it is copied, in bytes.
    var onCopy: (@Sendable (_ done: Int, _ total: Int) -> Void)?
    let stop: DiskWork.Stop

    /// - Throws: ``TransferError``, or `CancellationError` when it is stopped. The incomplete copy is removed.
    func make() throws {
        var madeFolder: (dev_t, ino_t)?
        do {
            try TreeWalk.each(source) { entry in
                try stop.check()
                let path = path(for: entry)
                switch entry.kind {
                case .entering:
                    if let madeFolder, madeFolder == (entry.status.st_dev, entry.status.st_ino) {
                        throw TransferError.fileSystem(source, "copied into itself", EINVAL)
                    }
                    try check(mkdir(path, 0o700), path)
                    madeFolder = try madeFolder ?? identity(path)
                case .leaving:
                    try check(chmod(path, entry.status.st_mode & 0o777 | 0o700), path)
                    try check(utimensat(AT_FDCWD, path, entry.times, 0), path)
                case .file: try copyFile(entry, to: path)
                case .link: try check(symlink(linkTarget(entry.path), path), path)
                case .special: throw TransferError.specialFile(entry.text)
                }
            }
        } catch {
            if madeFolder != nil { removeTree(destination) }
            throw error
        }
    }

    /// The destination itself for the root, the place below it for everything else.
    private func path(for entry: TreeWalk.Entry) -> [CChar] {
        let below = UnsafeBufferPointer(start: entry.relativePath, count: strlen(entry.relativePath) + 1)
        let slash = below.count > 1 ? [CChar(bitPattern: UInt8(ascii: "/"))] : []
        return destination.utf8CString.dropLast() + slash + below
    }

    private func identity(_ path: [CChar]) throws -> (dev_t, ino_t) {
        var status = stat()
        try check(lstat(path, &status), path)
        return (status.st_dev, status.st_ino)
    }

    private func copyFile(_ entry: TreeWalk.Entry, to path: [CChar]) throws {
        if mayLink, link(entry.path, path) == 0 { return }
        let from = open(entry.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard from >= 0 else { throw TransferError.fileSystem(entry.text, "read", errno) }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError.specialFile(entry.text)
        }
        let to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try check(to, path)
        defer { close(to) }
        do {
            if portolan_clone_file(from, to) != 0 { try copyBytes(from, to, entry) }
            try check(fchmod(to, status.st_mode & 0o777), path)
            try check(futimens(to, entry.times), path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Copies inside the kernel, in pieces between which it can be stopped.
    private func copyBytes(_ from: CInt, _ to: CInt, _ entry: TreeWalk.Entry) throws {
        let piece = 16 << 20
        // `copy_file_range` fails across file systems, and on some file systems; `sendfile` is the fallback.
        var ranges = true
        var done = 0
        while true {
            try stop.check()
            var count = ranges ? Int(portolan_copy_range(from, to, UInt64(piece))) : sendfile(to, from, nil, piece)
            if ranges, count < 0, [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) {
                ranges = false
                count = sendfile(to, from, nil, piece)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw TransferError.fileSystem(entry.text, "copied", errno) }
            guard count > 0 else { return }
            tally?.copied(count)
            done += count
            onCopy?(done, Int(entry.status.st_size))
        }
    }

    private func check(_ result: CInt, _ path: [CChar]) throws {
        guard result < 0 else { return }
        let number = errno
        let text = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw TransferError.fileSystem(text, "written", number)
    }
}

extension TreeWalk.Entry {
    /// Times of the last read and the last change.
    fileprivate var times: [timespec] { [status.st_atim, status.st_mtim] }
}

/// Counters for the cost of copying; tests use them to prove that content is copied at most once.
package final class CopyTally: Sendable {
    /// Counters for the copies of the current task.
    @TaskLocal package static var current: CopyTally?

    private let bytes = Atomic(0)

    package init() {}

    /// Bytes that were copied one by one.
    package var copiedBytes: Int { bytes.load(ordering: .relaxed) }

    fileprivate func copied(_ count: Int) { bytes.add(count, ordering: .relaxed) }
}
