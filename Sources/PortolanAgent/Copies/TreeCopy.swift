import CPortolanLinux
import Glibc
import PortolanFiles
import Synchronization

/// A durable copy of a file or a folder, which shares its blocks with the source if the file system supports it.
///
/// Times, permissions, attributes of users and holes are kept, because they are sent; the audience of a received file
/// is one of these attributes. A link at the root is followed, one inside a folder is copied as a link. A pipe, a
/// socket or a device has no content to copy: as the root it is an error, and inside a folder, too, unless
/// ``marksSpecialFiles``.
struct TreeCopy: Sendable {
    /// Absolute path.
    let source: String
    /// Absolute path of the copy, which must not exist; its folder must.
    let destination: String
    /// Reserve on the file system of the copy, in bytes.
    let reserve: UInt64
    let stop: CopyStop
    /// True to replace each pipe, socket and device inside a folder by an empty pipe, so that a sending of the copy
    /// names its omissions, as a sending of the folder does.
    var marksSpecialFiles = false
    /// Files that are not copied. Inside a folder, a link to each has its place, by which a sending names it.
    var own = OwnFiles.none

    /// Makes the copy, durable except for its name in its folder. Blocks.
    ///
    /// - Throws: ``CopyError``. The caller removes the incomplete copy.
    func make() throws(CopyError) {
        guard !own.hold(source) else { throw .own(path: source) }
        let root = strdup(source)
        defer { free(root) }
        guard let tree = portolan_tree_open(root) else { throw .last("read", source) }
        defer { portolan_tree_close(tree) }
        while true {
            guard !stop.isRaised else { throw .stopped }
            var path: UnsafePointer<CChar>?
            var status = stat()
            let step = portolan_tree_next(tree, &path, &status)
            if step == PORTOLAN_TREE_END { return }
            guard let path, step != PORTOLAN_TREE_FAILED else {
                throw .last("read", path.map { String(cString: $0) } ?? source)
            }
            let place = PlaceOfCopy(path: path, root: source, destination: destination)
            let identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            if !place.isRoot, step != PORTOLAN_TREE_LINK, own.contains(identity) {
                if step == PORTOLAN_TREE_ENTERING { portolan_tree_skip(tree) }
                if step != PORTOLAN_TREE_LEAVING { try place.makeLinkToSource() }
                continue
            }
            switch step {
            case PORTOLAN_TREE_ENTERING: try place.makeFolder()
            case PORTOLAN_TREE_LEAVING: try place.finishFolder(status)
            case PORTOLAN_TREE_FILE: try copyFile(place)
            case PORTOLAN_TREE_LINK: try place.makeLink(status)
            case PORTOLAN_TREE_SPECIAL where marksSpecialFiles && !place.isRoot: try place.makeMark()
            default: throw .special(path: place.text)
            }
        }
    }

    private func copyFile(_ place: PlaceOfCopy) throws(CopyError) {
        let from = open(place.source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard from >= 0 else { throw .last("read", place.text) }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0 else { throw .last("read", place.text) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .special(path: place.text) }
        let to = open(place.copy, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw .last("make a copy of", place.text) }
        defer { close(to) }
        if portolan_clone_file(from, to) != 0 {
            try copyBytes(from, to, size: UInt64(clamping: status.st_size), place)
        }
        try place.copyAttributes(from, to)
        var after = stat()
        guard fstat(from, &after) == 0, after.st_size == status.st_size, after.st_mtim == status.st_mtim else {
            throw .changed(path: place.text)
        }
        guard fchmod(to, status.st_mode & 0o777) == 0, futimens(to, [status.st_atim, status.st_mtim]) == 0,
            fsync(to) == 0
        else { throw .last("keep a copy of", place.text) }
    }

    /// Bytes that are copied between two checks of the free space.
    private static let piece = 16 << 20

    /// Copies the parts of a file that are not holes.
    private func copyBytes(_ from: Int32, _ to: Int32, size: UInt64, _ place: PlaceOfCopy) throws(CopyError) {
        var offset: Int64 = 0
        while true {
            let begin = portolan_find_data(from, offset)
            // Only holes follow the last byte.
            if begin < 0, errno == ENXIO { break }
            // False for a file system without holes.
            let knowsHoles = begin >= 0
            let end = knowsHoles ? portolan_find_hole(from, begin) : Int64(clamping: size)
            offset = max(begin, 0)
            guard end >= 0, lseek(from, off_t(offset), SEEK_SET) >= 0, lseek(to, off_t(offset), SEEK_SET) >= 0 else {
                throw .last("read", place.text)
            }
            while offset < end {
                let count = try copyPiece(from, to, min(Int(end - offset), Self.piece), place)
                guard count > 0 else { throw .changed(path: place.text) }
                offset += Int64(count)
            }
            guard knowsHoles else { break }
        }
        guard ftruncate(to, off_t(clamping: size)) == 0 else { throw .last("keep a copy of", place.text) }
    }

    private func copyPiece(_ from: Int32, _ to: Int32, _ count: Int, _ place: PlaceOfCopy) throws(CopyError) -> Int {
        guard !stop.isRaised else { throw .stopped }
        var system = statvfs()
        let needed = UInt64(count)
        if fstatvfs(to, &system) == 0, UInt64(system.f_bavail) * UInt64(system.f_frsize) < needed + reserve {
            throw .noSpace(path: place.text, bytes: needed)
        }
        while true {
            var copied = Int(portolan_copy_range(from, to, needed))
            // `copy_file_range` fails across file systems, and on some file systems; `sendfile` is the fallback.
            if copied < 0, [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(errno) {
                copied = sendfile(to, from, nil, count)
            }
            if copied >= 0 { return copied }
            guard errno == EINTR else { throw .last("copy", place.text) }
        }
    }
}

/// Stop flag of a copy, set from any thread.
final class CopyStop: Sendable {
    private let flag = Mutex(false)

    var isRaised: Bool { flag.withLock(\.self) }

    func raise() { flag.withLock { $0 = true } }
}

extension timespec {
    fileprivate static func == (one: timespec, other: timespec) -> Bool {
        one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec
    }
}
