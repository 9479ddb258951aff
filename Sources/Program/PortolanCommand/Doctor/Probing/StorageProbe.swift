import Glibc

/// Examines files and folders on the disk. May block.
enum StorageProbe {
    static func disk(of inbox: String, reserve: UInt64?) -> DiskFacts {
        var folder = inbox
        while access(folder, F_OK) != 0, folder != "/", let slash = folder.lastIndex(of: "/") {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else {
            return DiskFacts(folder: folder, freeBytes: 0, canWrite: false, reserve: 0)
        }
        let block = UInt64(space.f_frsize)
        let total = UInt64(space.f_blocks) * block
        return DiskFacts(
            folder: folder, freeBytes: UInt64(space.f_bavail) * block,
            freeFiles: space.f_files == 0 ? nil : UInt64(space.f_favail), canWrite: access(folder, W_OK) == 0,
            reserve: reserve ?? min(total / 100, 256 << 20))
    }

    static func state(_ paths: [String]) -> [StateFacts] {
        paths.map { path in
            var status = stat()
            guard stat(path, &status) == 0 else {
                let code = errno
                return StateFacts(
                    path: path, outcome: code == ENOENT ? .absent : .unreadable(String(cString: strerror(code))))
            }
            guard access(path, R_OK) == 0 else {
                return StateFacts(path: path, outcome: .unreadable(String(cString: strerror(errno))))
            }
            return StateFacts(
                path: path, outcome: .present(permissions: status.st_mode & 0o7777, isOwn: status.st_uid == geteuid()))
        }
    }
}
