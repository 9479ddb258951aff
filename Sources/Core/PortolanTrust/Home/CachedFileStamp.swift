import Glibc

/// Identity and version of a file: with an equal stamp the content is equal.
struct CachedFileStamp: Equatable {
    /// Longest time, in nanoseconds, in which a later change can get an equal stamp: many times the tick of the clock
    /// that the kernel writes into files.
    private static let grain: Int64 = 100_000_000

    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64
    /// Time of the last status change, which includes changes of owner and mode.
    private let changed: Int64
    /// True if the stamp identifies the content with certainty. Just after a change it does not: another change within
    /// the same tick of the kernel's clock would leave the same stamp.
    let isSettled: Bool

    /// - Parameters:
    ///   - before: time before the file was read.
    ///   - after: time after that; the time of the file may be later still if the clock was set back.
    init(_ status: stat, before: Int64, after: Int64) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        isSettled = before &- changed > Self.grain || changed &- after > Self.grain
    }

    static func == (one: CachedFileStamp, other: CachedFileStamp) -> Bool {
        one.device == other.device && one.inode == other.inode && one.size == other.size
            && one.modified == other.modified && one.changed == other.changed
    }

    /// Reads the stamp of the item at a path without following a link; nil if there is none.
    static func of(_ path: String) throws(StoreError) -> CachedFileStamp? {
        try taken(at: path) { lstat(path, &$0) }
    }

    /// - Parameter look: `fstat` or a similar call.
    fileprivate static func taken(
        at path: String, _ look: (inout stat) -> Int32
    ) throws(StoreError) -> CachedFileStamp? {
        let before = now
        var status = stat()
        guard look(&status) == 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(.system(action: "look at", code: errno), path: path)
        }
        return CachedFileStamp(status, before: before, after: now)
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
    /// Reads the stamp of a file, `nil` if there is none; that of the directory itself without a name.
    func stamp(of name: String? = nil) throws(StoreError) -> CachedFileStamp? {
        try CachedFileStamp.taken(at: name.map { self.path(of: $0) } ?? path) { status in
            name.map { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } ?? fstat(descriptor, &status)
        }
    }
}

/// Identity of a directory, with its owner and mode.
struct DirectoryMark: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let owner: UInt32
    private let mode: UInt32

    /// - Returns: nil if there is none, or its status cannot be read.
    init?(path: String) {
        var status = Glibc.stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        owner = status.st_uid
        mode = status.st_mode
    }
}
