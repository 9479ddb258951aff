import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// Item of a sender, and the sender: it asks for the needed content and sends that.
struct Shipment {
    enum Kind: Hashable {
        case file([UInt8])
        case folder
        case link(String)
        case hardLink(UInt32)

        /// Kind in the sender's announcement.
        var inTree: TreeEntry.Kind {
            get throws {
                switch self {
                case .file(let content): .file(size: UInt64(content.count))
                case .folder: .folder
                case .link(let target): .symbolicLink(try LinkTarget(Array(target.utf8)))
                case .hardLink(let target): .hardLink(to: target)
                }
            }
        }
    }

    struct Entry: Hashable {
        var parent: UInt32
        var name: String
        var kind: Kind
        var modified = someTime
        var permissions: UInt16 = 0o644
        var restriction: Restriction?
        /// Reason for which the sender cannot read the file after it has announced it.
        var failure: Loss.Reason?
    }

    /// The sender went away.
    struct Interrupted: Error {}

    var entries: [Entry]

    /// Number of calls that the sender makes before it disconnects.
    var patience = Int.max
    /// Microseconds between two calls.
    var pause: UInt32 = 0
    /// Larger files are sent in ranges, in any order.
    var largestWhole = 64 << 10
    var generator: SeededGenerator

    /// Bytes of content that were sent.
    private(set) var sent = 0

    init(_ entries: [Entry], seed: UInt64 = 1) {
        self.entries = entries
        generator = SeededGenerator(seed: seed)
    }

    private mutating func step() throws {
        guard patience > 0 else { throw Interrupted() }
        patience -= 1
        if pause > 0 { usleep(pause) }
    }

    /// Sends all of it, unless the sender disconnects before.
    mutating func send(to partial: PartialItem) throws {
        var later: [(UInt32, ContentNeed)] = []
        for index in entries.indices {
            let entry = entries[index]
            let isTarget = entries.contains { $0.kind == .hardLink(UInt32(index)) }
            try step()
            let need = try partial.add(
                TreeEntry(
                    index: UInt32(index), parent: entry.parent, name: FileName(entry.name), kind: entry.kind.inTree,
                    permissions: entry.permissions, modified: entry.modified, isLinkTarget: isTarget,
                    restriction: entry.restriction))
            guard need != .nothing else { continue }
            // The answer takes its time.
            if Bool.random(using: &generator) {
                try satisfy(need, UInt32(index), partial)
            } else {
                later.append((UInt32(index), need))
            }
        }
        for (index, need) in later.shuffled(using: &generator) { try satisfy(need, index, partial) }
    }

    private mutating func satisfy(_ need: ContentNeed, _ index: UInt32, _ partial: PartialItem) throws {
        guard case .file(let content) = entries[Int(index)].kind else { return }
        if let failure = entries[Int(index)].failure { return try partial.leaveOut(index, because: failure) }
        var ranges: [Range<Int>] = []
        let size = Int(BlockDigest.blockSize)
        switch need {
        case .nothing: return
        case .difference: preconditionFailure("No difference was allowed")
        case .content where content.count <= largestWhole:
            try step()
            sent += content.count
            return try content.withUnsafeBytes { try partial.content(index, $0) }
        case .content:
            ranges = stride(from: 0, to: content.count, by: size).map { $0..<min($0 + size, content.count) }
        case .compare(let blocks):
            var held: [Int: [UInt8]] = [:]
            for block in blocks.joined() {
                try step()
                if let digest = try partial.digest(index, block: block) { held[Int(block)] = digest }
            }
            for start in stride(from: 0, to: content.count, by: size) {
                let range = start..<min(start + size, content.count)
                let digest = content[range].withUnsafeBytes { BlockDigest.of($0) }
                if held[start / size] != digest { ranges.append(range) }
            }
        }
        ranges.shuffle(using: &generator)
        for range in ranges {
            try step()
            sent += range.count
            try content[range].withUnsafeBytes { try partial.write(index, at: UInt64(range.lowerBound), $0) }
        }
        try step()
        try partial.finish(index, size: UInt64(content.count))
    }

    /// Returns the expected lines of ``snapshot(of:below:)`` for the item when it has arrived.
    func expected(as root: String) -> [String] {
        let own = TemporaryFolder.inMemory()
        guard let inbox = try? own.inbox(), let partial = try? inbox.newPartial() else { return [] }
        var copy = Shipment(entries)
        guard (try? copy.send(to: partial)) != nil, (try? partial.publish(as: FileName(root))) != nil else { return [] }
        return snapshot(of: inbox.path)
    }
}

extension Shipment {
    /// Bytes that do not repeat.
    static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    /// A folder with every kind of entry and property.
    static func tree(seed: UInt64 = 1) -> Shipment {
        Shipment(
            [
                Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
                Entry(parent: 0, name: "large", kind: .file(noise(1_000_001, 1))),
                Entry(parent: 0, name: "sub", kind: .folder, permissions: 0o750),
                Entry(parent: 2, name: "small", kind: .file(noise(5000, 2)), permissions: 0o600),
                Entry(parent: 2, name: "linked", kind: .file(noise(20_000, 3))),
                Entry(parent: 2, name: "deep", kind: .folder, permissions: 0o700),
                Entry(parent: 5, name: "middle", kind: .file(noise(600_000, 4)), permissions: 0o640),
                Entry(parent: 5, name: "empty", kind: .file([])),
                Entry(parent: 5, name: "other name", kind: .hardLink(4)),
                Entry(parent: 2, name: "after", kind: .file(noise(100, 5)), permissions: 0o444),
                Entry(parent: 0, name: "link", kind: .link("sub/small")),
                Entry(parent: 0, name: "empty folder", kind: .folder, permissions: 0o755),
                Entry(parent: 0, name: "last", kind: .file(noise(300_000, 6))),
            ], seed: seed)
    }

    /// A folder that its owner may only read.
    static func readOnlyTree() -> Shipment {
        Shipment([
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o555),
            Entry(parent: 0, name: "sub", kind: .folder, permissions: 0o555),
            Entry(parent: 1, name: "small", kind: .file(noise(5000, 1)), permissions: 0o444),
            Entry(parent: 1, name: "deep", kind: .folder, permissions: 0o555),
            Entry(parent: 3, name: "large", kind: .file(noise(600_000, 2)), permissions: 0o400),
            Entry(parent: 3, name: "other name", kind: .hardLink(2)),
            Entry(parent: 0, name: "empty", kind: .file([]), permissions: 0o444),
        ])
    }

    /// Bytes of all files.
    var size: Int {
        entries.reduce(0) { sum, entry in
            if case .file(let content) = entry.kind { return sum + content.count }
            return sum
        }
    }

    func about(_ name: String = "tree", of byte: UInt8 = 1) throws -> PartialAbout {
        PartialAbout(
            identity: .test(byte), peerName: "sender", peerFingerprint: "fingerprint", title: "title",
            name: try FileName(name), typeIdentifier: "public.data", size: nil, isFolder: entries[0].kind == .folder,
            created: someTime)
    }
}

extension ItemIdentity {
    static func test(_ byte: UInt8) -> ItemIdentity {
        guard let identity = ItemIdentity(bytes: [UInt8](repeating: byte, count: length)) else {
            fatalError("32 bytes are an identity")
        }
        return identity
    }
}
