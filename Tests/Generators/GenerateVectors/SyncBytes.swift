import Crypto
import PortolanProtocol

/// Messages about folders, put together by hand.
enum SyncBytes {
    static let folder = Array(fixedBytes(0xC0).prefix(16))
    /// Folder of which the other side knows nothing.
    static let unknown = Array(fixedBytes(0xD0).prefix(16))
    /// Replica of all changes.
    static let replica = Proto.field(2, Proto.field(1, fixedBytes(0x30)) + Proto.fixed(2, 7))
    /// Capability of a side that keeps folders alike.
    static let syncs = Capabilities.syncs.rawValue

    static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { value == 0 ? [] : Proto.field(field, value) }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Place in the changes of epoch 7, with a seal or none.
    ///
    /// - Parameter fields: numbers of the fields of the epoch, the sequence and the seal.
    static func position(
        _ sequence: UInt64, _ fields: (epoch: UInt64, sequence: UInt64, seal: UInt64), epoch: UInt64 = 7,
        seal: [UInt8]? = nil
    ) -> [UInt8] {
        Proto.fixed(fields.epoch, epoch) + number(fields.sequence, sequence)
            + (seal.map { Proto.field(fields.seal, $0) } ?? [])
    }

    // MARK: Messages

    /// - Parameter taken: fields 5 to 7.
    static func folders(_ all: [(id: [UInt8], sequence: UInt64)], taken: [UInt8] = []) -> [UInt8] {
        Proto.field(
            64,
            all.flatMap { folder in
                let latest = position(folder.sequence, (3, 4, 7))
                return Proto.field(1, Proto.field(1, folder.id) + Proto.field(2, "Notes") + latest + taken)
            })
    }

    /// - Parameters:
    ///   - position: fields 3, 4 and 6, or none.
    ///   - contents: 1 for own ones, 2 for all.
    static func since(
        _ question: UInt64, of folder: [UInt8] = folder, position: (sequence: UInt64, epoch: UInt64)? = nil,
        contents: UInt64 = 0, seal: [UInt8]? = nil
    ) -> [UInt8] {
        let place = position.map { self.position($0.sequence, (3, 4, 6), epoch: $0.epoch) } ?? []
        let end = number(5, contents) + (seal.map { Proto.field(6, $0) } ?? [])
        return Proto.field(65, number(1, question) + Proto.field(2, folder) + place + end)
    }

    /// Part of the changes.
    ///
    /// - Parameters:
    ///   - last: the position after them, in the last part.
    ///   - seals: fields 8 and 9.
    static func changes(
        _ question: UInt64, _ records: [[UInt8]] = [], last: UInt64? = nil, contents: [[UInt8]] = [],
        seals: [UInt8] = []
    ) -> [UInt8] {
        let end = last.map { Proto.field(4, 1) + position($0, (5, 6, 8)) } ?? []
        return Proto.field(
            66,
            number(1, question) + (records.isEmpty ? [] : replica) + records.flatMap { Proto.field(3, $0) } + end
                + contents.flatMap { Proto.field(7, $0) } + seals)
    }

    /// Asks for one content.
    static func want(
        _ request: UInt64, _ digest: [UInt8] = fixedBytes(0x20), size: UInt64 = 3, of folder: [UInt8] = folder
    ) -> [UInt8] {
        let content = Proto.field(1, digest) + number(2, size)
        return Proto.field(68, number(1, request) + Proto.field(2, folder) + Proto.field(3, content))
    }

    /// The offer of the contents for a SyncWant.
    static func contents(for request: UInt64, id: UInt64 = 1, size: UInt64 = 3) -> [UInt8] {
        let channel = Proto.field(3, 2) + Proto.field(4, size) + Proto.field(6, 1) + Proto.field(8, folder)
        let form = Proto.field(1, Proto.field(1, "public.folder")) + channel
        return Say.offer([Proto.field(2, form)], id: id, request: request)
    }

    static func refusal(_ question: UInt64) -> [UInt8] { Proto.field(70, number(1, question)) }

    static func heard(
        _ sequence: UInt64, of folder: [UInt8] = folder, epoch: UInt64 = 7, seal: [UInt8]? = nil
    ) -> [UInt8] {
        Proto.field(67, Proto.field(1, folder) + position(sequence, (2, 3, 4), epoch: epoch, seal: seal))
    }

    // MARK: Records

    private static func dot(_ counter: UInt64) -> [UInt8] { Proto.field(2, counter) }

    /// Record of a node that one change made.
    ///
    /// - Parameters:
    ///   - kind: 1 for a folder, 2 for a file.
    ///   - parent: change that made its folder; 0 for the root.
    ///   - permissions: of a folder; nil for none.
    static func record(
        _ change: UInt64, _ name: [UInt8], kind: UInt64 = 1, in parent: UInt64 = 0, version: [UInt8] = [],
        permissions: UInt64? = nil
    ) -> [UInt8] {
        let above = parent == 0 ? [] : Proto.field(2, dot(parent))
        let place = Proto.field(3, Proto.field(1, dot(change)) + above + Proto.field(3, name))
        let versions = version.isEmpty ? [] : Proto.field(4, Proto.field(1, dot(change)) + version)
        return Proto.field(1, dot(change)) + Proto.field(2, kind) + place + versions + Proto.field(5, dot(change))
            + Proto.field(6, dot(change))
            + (permissions.map { Proto.field(7, Proto.field(1, dot(change)) + Proto.field(2, $0)) } ?? [])
    }

    /// Record of a file with this content.
    ///
    /// - Parameter size: that the record says; nil for the true one.
    static func file(_ change: UInt64, _ name: String, _ content: [UInt8], size: UInt64? = nil) -> [UInt8] {
        let version = Proto.field(2, sha256(content)) + Proto.field(3, 0o644)
        return record(
            change, Array(name.utf8), kind: 2,
            version: version + Proto.field(4, size ?? UInt64(content.count)) + Proto.field(6, "ada"))
    }
}
