/// Files and folders to be synced one by one, while they are few enough for that.
///
/// An fsync(2) waits for the disk once for each file; one syncfs(2) covers all files, but also waits for all other
/// writes to that file system, which a small item should not do.
struct UnsyncedFiles: Sendable {
    static let limit = 16

    /// nil when they became too many.
    private(set) var files: [Descriptor]? = []

    /// Notes a symbolic link, which cannot be opened, so that only syncfs(2) syncs it.
    mutating func addLink() { files = nil }

    mutating func add(_ file: Descriptor) {
        guard var files else { return }
        self.files = nil
        guard files.count < Self.limit else { return }
        files.append(file)
        self.files = files
    }
}
