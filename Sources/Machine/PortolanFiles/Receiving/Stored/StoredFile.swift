/// File in the inbox from the same source that is compared with the announced one: it has the same size and another
/// time, or another name.
struct StoredFile: Sendable {
    /// nil for an item that is one file.
    let folder: HeldFolder?
    let target: StoredTarget?
    let status: FileStatus
    /// Name in the folder, for a file that the sender has renamed since; nil for a file with the announced name.
    var otherName: FileName?
}
