import Glibc

/// By what a file is told from what it was: as long as its stamp is the same, so is what is in it.
struct FileStamp: Equatable {
    /// Nothing that changes later than this many nanoseconds after a stamp was taken can have that stamp: many times the
    /// grain of the clock that the kernel writes into files.
    private static let grain: Int64 = 100_000_000

    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64
    /// Moves with the owner and the mode as well.
    private let changed: Int64
    /// Whether the stamp says for certain what is in the file. Just after a change it does not: the next one may come within
    /// the same tick of the kernel's clock and leave the same stamp.
    let isSettled: Bool

    /// - Parameters:
    ///   - before: the time before the file was looked at.
    ///   - after: the time after that; the file's own may be later still where the clock was set back.
    init(_ status: stat, before: Int64, after: Int64) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        isSettled = before &- changed > Self.grain || changed &- after > Self.grain
    }

    static func == (one: FileStamp, other: FileStamp) -> Bool {
        one.device == other.device && one.inode == other.inode && one.size == other.size
            && one.modified == other.modified && one.changed == other.changed
    }

    /// The stamp of what is at a path, which is not followed if it is a link; nil if there is nothing.
    static func of(_ path: String) throws(StoreError) -> FileStamp? {
        try taken(at: path) { lstat(path, &$0) }
    }

    /// - Parameter look: as `fstat` and the like.
    fileprivate static func taken(
        at path: String, _ look: (inout stat) -> Int32
    ) throws(StoreError) -> FileStamp? {
        let before = now
        var status = stat()
        guard look(&status) == 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(.system(action: "look at", code: errno), path: path)
        }
        return FileStamp(status, before: before, after: now)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension PrivateDirectory {
    /// The stamp of a file, `nil` if there is none; of the directory itself without a name.
    func stamp(of name: String? = nil) throws(StoreError) -> FileStamp? {
        try FileStamp.taken(at: name.map { self.path(of: $0) } ?? path) { status in
            name.map { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? fstat(descriptor, &status)
        }
    }
}

/// By what a directory is told from another one, and from itself with another owner or mode.
struct DirectoryMark: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let owner: UInt32
    private let mode: UInt32

    /// - Returns: nil if there is none, or it cannot be looked at.
    init?(path: String) {
        var status = Glibc.stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        owner = status.st_uid
        mode = status.st_mode
    }
}
