/// Progress of a partial: ranges of its unfinished files that are on the disk.
///
/// Complete files need no record: their size and time show that they are complete. The record is only a claim, and the
/// content is compared with the sender's before use.
struct PartialProgress: Hashable, Sendable, Codable {
    static let currentVersion = 1

    struct File: Hashable, Sendable, Codable {
        /// Below the item; empty for an item that is one file.
        let path: String
        /// Announced size; nil if the sender did not know it.
        let size: UInt64?
        let seconds: Int64
        let nanoseconds: UInt32
        /// Received bytes of a file that began as a copy of another version; nil for any other file, whose present
        /// bytes were all received.
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

    /// - Returns: an empty record if none was written; nil if this version does not understand it.
    static func read(from folder: Descriptor, features: KernelFeatures) -> PartialProgress? {
        switch load(from: folder, features: features) {
        case .record(let progress): progress
        case .none: PartialProgress(version: currentVersion, bytes: 0, files: [])
        case .unusable: nil
        }
    }
}
