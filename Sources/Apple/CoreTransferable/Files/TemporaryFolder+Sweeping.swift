import Synchronization

extension TemporaryFolder {
    /// Age in seconds from which an unlocked folder is stale; younger ones may be about to be locked.
    private static let staleAge = 3600
    /// Largest number of folders that one process removes.
    private static let mostRemoved = 64

    private static let swept = Mutex<Set<String>>([])

    /// Removes the folders of killed processes, in the background, once for each place that this process uses.
    static func sweepOnce(_ parent: String) {
        guard swept.withLock({ $0.insert(parent).inserted }) else { return }
        DiskWork.later { sweep(parent) }
    }

    /// Removes the folders in `parent` that are older than an hour and that no process has locked.
    ///
    /// Removes nothing if `parent` is not private to this user, because its entries may belong to another one.
    static func sweep(_ parent: String) {
        var status = stat()
        guard lstat(parent, &status) == 0, isPrivate(status), let folder = opendir(parent) else { return }
        defer { closedir(folder) }
        var removed = 0
        while removed < mostRemoved, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            guard name != ".", name != "..", isStale(name, dirfd(folder)) else { continue }
            let descriptor = openat(dirfd(folder), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
            removeTree("\(parent)/\(name)")
            removed += 1
        }
    }

    private static func isStale(_ name: String, _ parent: CInt) -> Bool {
        var status = stat()
        guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return isPrivate(status) && status.st_mtim.tv_sec + staleAge < time(nil)
    }
}

/// Removes a file, or a folder with its contents; follows no link. Entries that cannot be removed stay.
func removeTree(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
    // A second round for a folder to which entries were added.
    for _ in 0..<2 where rmdir(path) != 0 && errno != ENOENT {
        try? TreeWalk.each(path) { entry in
            switch entry.kind {
            case .entering: if entry.status.st_mode & 0o700 != 0o700 { chmod(entry.path, 0o700) }
            case .leaving: rmdir(entry.path)
            default: unlink(entry.path)
            }
        }
    }
}
