/// Progress of a partial: ranges of its unfinished files that are on the disk.
///
/// Complete files need no record: their size and time say that they are complete. All of it is only a claim, and is
/// compared with the sender's content before it is believed.
struct PartialProgress: Hashable, Sendable, Codable {
    static let currentVersion = 1

    struct File: Hashable, Sendable, Codable {
        /// Below the item; empty for an item that is one file.
        let path: String
        /// Announced size; nil if the sender did not know it.
        let size: UInt64?
        let seconds: Int64
        let nanoseconds: UInt32
        /// Bytes that came of a file that began as a copy of another version; nil for any other file, of which all that
        /// is there came.
        let came: UInt64?
    }

    let version: Int
    /// Bytes received in all.
    let bytes: UInt64
    let files: [File]
}

extension PartialProgress: PartialRecord {
    static let fileName = "progress"
    static let maximumBytes = 64 << 20

    /// - Returns: an empty one where none was written; nil where there is one that this version does not understand.
    static func read(from folder: Descriptor, features: KernelFeatures) -> PartialProgress? {
        switch load(from: folder, features: features) {
        case .record(let progress): progress
        case .none: PartialProgress(version: currentVersion, bytes: 0, files: [])
        case .unusable: nil
        }
    }
}
