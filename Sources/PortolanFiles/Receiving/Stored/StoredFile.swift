/// A file in the inbox that came from the same source, has the size of the file that is announced and another time.
struct StoredFile: Sendable {
    /// nil for an item that is one file.
    let folder: HeldFolder?
    let target: StoredTarget?
    let status: FileStatus
}
