import Foundation
import Glibc

/// Record of a partial item, beside the item: JSON with a version, replaced as a whole.
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
    /// Record that is damaged, of another version or another user, or no file.
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
        // A record that is too large to be read is not written; the earlier one stays, so that less is resumed.
        guard text.count <= Self.maximumBytes else { return }
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
