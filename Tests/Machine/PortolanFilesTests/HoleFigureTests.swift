import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Figures of an item that is sent again: holes were not sent.
@Suite(.aside) struct HoleFigureTests {
    private let temporary = TemporaryFolder.inMemory()
    private let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
    private let block = UInt64(BlockDigest.blockSize)

    /// Announces a file of eight blocks, of which all but the first are a hole.
    private func announce(
        _ index: UInt32, _ name: String = "item", modified: FileTime = someTime, to partial: PartialItem
    ) throws -> ContentNeed {
        try partial.add(
            TreeEntry(
                index: index, parent: 0, name: FileName(name), kind: .file(size: 8 * block), permissions: 0o644,
                modified: modified))
    }

    private func write(_ index: UInt32, seed: UInt64, to partial: PartialItem) throws {
        try Shipment.noise(Int(block), seed).withUnsafeBytes { try partial.write(index, at: 0, $0) }
    }

    private func finish(_ index: UInt32, _ partial: PartialItem) throws {
        try partial.hole(index, at: block, length: 7 * block)
        try partial.finish(index, size: 8 * block)
    }

    @Test func figuresOfAnUpdatedFolderCountOnlyContent() throws {
        let inbox = try temporary.inbox()
        let about = try Shipment([Shipment.Entry(parent: 0, name: "tree", kind: .folder)]).about()
        func begin() throws -> PartialItem {
            let partial = try inbox.receive(about, called: name("tree"), asking: true)
            try partial.add(0, "tree", .folder, permissions: 0o755)
            return partial
        }
        let first = try begin()
        #expect(try announce(1, "old", to: first) == .content)
        try write(1, seed: 1, to: first)
        try finish(1, first)
        let stored = try first.publish(as: name("tree"))
        #expect(stored.bytes == 8 * block && stored.keptBytes == 0)

        let second = try begin()
        guard case .compare = try announce(1, "old", modified: later, to: second) else {
            return print("skipped: the file system of \(inbox.path) keeps no attributes")
        }
        #expect(try announce(2, "new", modified: later, to: second) == .content)
        for index in [1, 2] as [UInt32] {
            try write(index, seed: 2, to: second)
            try finish(index, second)
        }
        let again = try second.publish(as: name("tree"))
        #expect(again.updated && again.bytes == 16 * block)
        #expect(again.bytes - again.keptBytes == 2 * block)
    }

    @Test func figuresOfAResumedFileCountOnlyContent() throws {
        let inbox = try temporary.inbox()
        let about = try Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file([]))]).about("file")
        let first = try inbox.receive(about, called: name("file"), asking: true)
        #expect(try announce(0, to: first) == .content)
        try write(0, seed: 1, to: first)
        first.suspend()
        let second = try inbox.receive(about, called: name("file"), asking: true)
        #expect(try announce(0, to: second) == .compare(blocks: [0..<1]))
        #expect(try second.digest(0, block: 0) != nil)
        try finish(0, second)
        let stored = try second.publish(as: name("file"))
        #expect(stored.bytes == 8 * block && stored.keptBytes == 8 * block)
        let file = try #require(status(of: inbox.path + "/file"))
        #expect(file.size == 8 * block && file.allocated <= 2 * block)
    }
}
