import Glibc

/// Status of a file: the fields that Portolan uses.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, folder, symbolicLink, pipe, socket, device }

    package let kind: Kind
    package let size: UInt64
    /// Bytes that are stored: fewer than the size where there are holes, and where the file system compresses.
    package let allocated: UInt64
    /// The twelve mode bits.
    package let mode: UInt16
    package let modified: FileTime
    /// Time of the last change of any kind; no process can set it back.
    package let changed: FileTime
    package let identity: FileIdentity
    package let links: UInt64
    package let owner: uid_t

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
        size = UInt64(clamping: status.st_size)
        allocated = UInt64(clamping: status.st_blocks) &* 512
        mode = UInt16(truncatingIfNeeded: status.st_mode & 0o7777)
        modified = FileTime(status.st_mtim)
        changed = FileTime(status.st_ctim)
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        links = UInt64(status.st_nlink)
        owner = status.st_uid
    }

    /// True if the file may have holes of reportable size.
    var mayHaveHoles: Bool { size >= DataSegments.smallestHole && allocated < size }

    /// Bytes that are not in holes, about: some file systems keep small files beside their blocks, and some compress.
    var contentSize: UInt64 { size < DataSegments.smallestHole ? size : min(size, allocated) }

    /// True for a file or a folder, the possible kinds of an item.
    var isOrdinary: Bool { kind == .file || kind == .folder }
}

/// Identity of a file, independent of its name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}
