import Glibc
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Names that a peer chose so that they fall into one place of a hash table, as long as it knows the hash.
@Suite(.aside) struct CollisionTests {
    let temporary = TemporaryFolder.inMemory()

    /// Hashes without a key, byte by byte.
    enum PublicHash: CaseIterable {
        case fnv1, fnv1a, times31, times33

        func next(_ state: UInt64, _ byte: UInt8) -> UInt64 {
            switch self {
            case .fnv1: state &* 0x100_0000_01B3 ^ UInt64(byte)
            case .fnv1a: (state ^ UInt64(byte)) &* 0x100_0000_01B3
            case .times31: state &* 31 &+ UInt64(byte)
            case .times33: state &* 33 &+ UInt64(byte)
            }
        }

        func hash(_ bytes: some Sequence<UInt8>, from state: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
            bytes.reduce(state, next)
        }
    }

    /// More bits of the hash than a table for these names uses.
    private static let mask: UInt64 = 0xFF_FFFF

    /// 2^`stages` names of one length whose hashes end in the same bits. In each stage two blocks lead to one state.
    static func colliding(_ hash: PublicHash, stages: Int) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 0x5EED_0C01)
        var state = hash.hash([])
        var names: [[UInt8]] = [[]]
        for _ in 0..<stages {
            var seen: [UInt64: [UInt8]] = [:]
            while true {
                let block = (0..<6).map { _ in
                    UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &generator)
                }
                let end = hash.hash(block, from: state) & mask
                guard let other = seen.updateValue(block, forKey: end), other != block else { continue }
                names = names.flatMap { [$0 + other, $0 + block] }
                state = end
                break
            }
        }
        return names
    }

    @Test(arguments: PublicHash.allCases)
    func collidingNamesDoNotCluster(_ hash: PublicHash) throws {
        let names = Self.colliding(hash, stages: 14)
        try #require(Set(names.map { hash.hash($0) & Self.mask }).count == 1)
        var seen = SeenNames()
        #expect(names.count { name in name.withUnsafeBytes { seen.insert($0) } } == names.count)
        #expect(names.count { name in name.withUnsafeBytes { seen.insert($0) } } == 0)
        // The longest search; with a hash that a peer knows it looks at all names.
        var (run, longest) = (0, 0)
        for place in seen.places.joined() {
            run = place == 0 ? 0 : run + 1
            longest = max(longest, run)
        }
        #expect((1...names.count / 4).contains(longest))
    }

    @Test(arguments: PublicHash.allCases)
    func folderOfCollidingNamesArrivesAndIsUpdated(_ hash: PublicHash) throws {
        let names = Self.colliding(hash, stages: 9).map { String(decoding: $0, as: UTF8.self) }
        let entries =
            [Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
            + names.map { Shipment.Entry(parent: 0, name: $0, kind: .file([1])) }
        let inbox = try temporary.inbox()
        for _ in 0..<2 {
            var shipment = Shipment(entries)
            let root = try name("tree")
            let asking = try inbox.known(.test(1), called: root, isFolder: true) != .nothing
            let partial = try inbox.receive(shipment.about(), called: root, asking: asking)
            try shipment.send(to: partial)
            #expect(try partial.publish(as: root).entries == UInt64(entries.count))
            #expect(FilesTestSupport.names(in: inbox.path + "/tree") == names.sorted())
        }
    }

    @Test func peerChosenBytesAreHashedWithAKey() throws {
        for hash in PublicHash.allCases {
            let names = Self.colliding(hash, stages: 12)
            #expect(Set(try names.map { try FileName($0).hashValue }).count == names.count)
            #expect(Set(try names.map { try LinkTarget($0).hashValue }).count == names.count)
            #expect(Set(names.map { FileAttribute(name: $0, value: []).hashValue }).count == names.count)
            #expect(Set(names.map { FileAttribute(name: [0x61], value: $0).hashValue }).count == names.count)
        }
    }

    @Test func hashKeyDiffersInEachProcess() throws {
        let hashes = try (0..<2).map { number in
            let output = temporary("output \(number)")
            let child = try ChildProcess(task: "hash a name", folder: temporary.path, output: output)
            #expect(child.wait() == 0)
            let lines = String(decoding: content(of: output) ?? [], as: UTF8.self).split(separator: "\n")
            return try #require(lines.first { $0.hasPrefix("hash ") })
        }
        #expect(hashes[0] != hashes[1])
    }
}
