/// A file in the inbox that came from the same source and is compared with the file that is announced: one of the same
/// size and another time, or of another name.
struct StoredFile: Sendable {
    /// nil for an item that is one file.
    let folder: HeldFolder?
    let target: StoredTarget?
    let status: FileStatus
    /// Name in the folder, for a file that the sender has renamed since; nil for one at the announced place.
    var otherName: FileName?
}
