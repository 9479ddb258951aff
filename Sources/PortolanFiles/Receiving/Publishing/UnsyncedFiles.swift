/// Files and folders that are not yet synced, while they are few enough to be synced one by one.
///
/// An fsync(2) for each of many files costs a disk's turn each; one syncfs(2) covers them all, but also all other
/// writes to that file system, which a single item should not wait for.
struct UnsyncedFiles: Sendable {
    static let limit = 16

    /// nil when they became too many.
    private(set) var files: [Descriptor]? = []

    /// Notes a symbolic link, which cannot be opened and so not be synced by itself.
    mutating func addLink() { files = nil }

    mutating func add(_ file: Descriptor) {
        guard var files else { return }
        self.files = nil
        guard files.count < Self.limit else { return }
        files.append(file)
        self.files = files
    }
}
