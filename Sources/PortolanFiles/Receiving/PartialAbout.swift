import Foundation
import Glibc
import PortolanTrust

/// What is written down about a partial, for whoever goes on with it and for whoever asks what it is.
package struct PartialAbout: Hashable, Sendable, Codable {
    /// The format of this record; one with another number is not read.
    package static let currentVersion = 1

    package let version: Int
    package let identity: ItemIdentity
    /// The sender, as it was called and by its key's fingerprint.
    package let peerName: String
    package let peerFingerprint: String
    package let title: String
    /// What the item is to be called.
    package let name: String
    package let typeIdentifier: String
    /// Bytes, where they were announced.
    package let size: UInt64?
    /// The size that was accepted, in bytes, holes counted; nil where none was offered.
    package let acceptedSize: UInt64?
    package let isFolder: Bool
    /// When the first transfer of it began: seconds since 1970.
    package let created: Int64

    package init(
        identity: ItemIdentity, peerName: String, peerFingerprint: String, title: String, name: FileName,
        typeIdentifier: String, size: UInt64?, acceptedSize: UInt64? = nil, isFolder: Bool, created: FileTime = .now
    ) {
        version = Self.currentVersion
        self.identity = identity
        self.peerName = peerName
        self.peerFingerprint = peerFingerprint
        self.title = title
        self.name = name.text
        self.typeIdentifier = typeIdentifier
        self.size = size
        self.acceptedSize = acceptedSize
        self.isFolder = isFolder
        self.created = created.seconds
    }
}

extension PartialAbout: PartialRecord {
    static let fileName = "about"
    static let maximumBytes = 64 << 10

    /// - Returns: nil where there is none that this version understands.
    static func read(from folder: Descriptor, features: KernelFeatures) -> PartialAbout? {
        switch load(from: folder, features: features) {
        case .record(let about): about
        case .none, .unusable: nil
        }
    }
}

/// How far a partial came: what of its unfinished files is on the disk.
///
/// Complete files need no record: their size and time say that they are complete. All of it is only a claim, and is compared
/// with what the sender has before it is believed.
struct PartialProgress: Hashable, Sendable, Codable {
    static let currentVersion = 1

    struct File: Hashable, Sendable, Codable {
        /// Below the item; empty for an item that is one file.
        let path: String
        /// As announced; nil where the sender did not know.
        let size: UInt64?
        let seconds: Int64
        let nanoseconds: UInt32
        /// Start and end of each, in order. Not believed: the file itself tells where it has data.
        let ranges: [[UInt64]]
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

/// A record kept beside a partial item: JSON with a version, replaced as a whole.
protocol PartialRecord: Codable, Sendable {
    static var fileName: String { get }
    static var currentVersion: Int { get }
    /// A larger file is none of ours.
    static var maximumBytes: Int { get }
    var version: Int { get }
}

enum LoadedRecord<Record: Sendable>: Sendable {
    case record(Record)
    case none
    /// Damaged, of another version, somebody else's or no file.
    case unusable
}

extension PartialRecord {
    static func load(from folder: Descriptor, features: KernelFeatures) -> LoadedRecord<Self> {
        let file: Descriptor
        do throws(SystemFailure) {
            file = try Beneath.open(fileName, in: folder, O_RDONLY | O_NONBLOCK, features: features)
        } catch {
            return error.number == ENOENT ? .none : .unusable
        }
        guard let status = try? file.status(), status.kind == .file, status.owner == geteuid(),
            status.size <= UInt64(maximumBytes)
        else { return .unusable }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { buffer in
            retrying { pread(file.number, buffer.baseAddress, buffer.count, 0) }
        }
        guard count == bytes.count, let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            record.version == currentVersion
        else { return .unusable }
        return .record(record)
    }

    /// Replaces the record: written beside it, synced, and renamed over it.
    func save(in folder: Descriptor, by storage: any Storage, durably: Bool) throws(SystemFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(self) else { preconditionFailure("a record is plain data") }
        let other = Self.fileName + "-next"
        try storage.removeIfPresent(other, in: folder)
        let file = try storage.makeFile(other, in: folder, mode: 0o600)
        let bytes = Array(text)
        try bytes.withUnsafeBufferPointer { bytes throws(SystemFailure) in
            try storage.write(UnsafeRawBufferPointer(bytes), to: file, at: 0)
        }
        if durably { try storage.sync(file) }
        try storage.move(other, in: folder, to: Self.fileName, in: folder, .replacing)
    }
}
