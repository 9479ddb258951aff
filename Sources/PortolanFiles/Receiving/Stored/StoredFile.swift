/// A file in the inbox that came from the same source, has the size of the file that is announced and another time.
final class StoredFile: Sendable {
    /// nil for an item that is one file.
    let folder: HeldFolder?
    let target: StoredTarget?
    let status: FileStatus

    init(folder: HeldFolder?, target: StoredTarget?, status: FileStatus) {
        self.folder = folder
        self.target = target
        self.status = status
    }
}
