import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files that grow while they are sent, and files with more content than the size that the system reports.
@Suite struct GrowingFileTests {
    let temporary = TemporaryFolder.inMemory()

    private func append(_ text: String, to name: String) throws {
        let file = Descriptor(owning: open(temporary(name), O_WRONLY | O_APPEND))
        try #require(write(file.number, text, text.utf8.count) == text.utf8.count)
    }

    private func opened(_ options: SourceOptions = SourceOptions()) throws -> SourceFile {
        try #require(try SourceTree(path: temporary("log"), options: options).next()).open()
    }

    @Test func growingFileIsReadToItsAnnouncedSize() throws {
        temporary.file("log", "0123456789")
        let file = try opened()
        try append("more", to: "log")
        let (content, hasGrown) = try file.contentAndGrowth()
        #expect(content == Array("0123456789".utf8) && hasGrown)
    }

    @Test func longerRewrittenFileIsNotTreatedAsGrown() throws {
        temporary.file("log", "0123456789")
        let file = try opened()
        var content = Array("0123456789".utf8)
        let other = Descriptor(owning: open(temporary("log"), O_WRONLY))
        #expect(pwrite(other.number, "X", 1, 3) == 1)
        try append("more", to: "log")
        #expect(kind { try content.withUnsafeBytes { _ = try file.confirmUnchanged($0) } } == .sourceChanged)
        content[3] = UInt8(ascii: "X")
        #expect(try content.withUnsafeBytes { try file.confirmUnchanged($0) })
    }

    @Test func piecesCountInAnyOrder() throws {
        var generator = SeededGenerator(seed: testSeed())
        // The bytes are those of ASCII text, so that a string has the same length.
        let bytes = Shipment.noise(100_000, 3).map { $0 & 0x7F }
        temporary.file("log", String(decoding: bytes, as: UTF8.self))
        for isRewritten in [false, true] {
            let file = try opened()
            var places = Set([0, bytes.count])
            for _ in 0..<40 { places.insert(Int.random(in: 0..<bytes.count, using: &generator)) }
            let pieces = zip(places.sorted(), places.sorted().dropFirst()).map { $0..<$1 }
            for piece in pieces.shuffled(using: &generator) {
                bytes[piece].withUnsafeBytes { file.count($0, at: UInt64(piece.lowerBound)) }
            }
            try append("more", to: "log")
            if isRewritten {
                let other = Descriptor(owning: open(temporary("log"), O_WRONLY))
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                #expect(pwrite(other.number, [bytes[place] ^ 1], 1, off_t(place)) == 1)
                #expect(kind { try file.confirmUnchanged() } == .sourceChanged, "at \(place), \(pieces)")
            } else {
                #expect(try file.confirmUnchanged(), "\(pieces)")
                #expect(truncate(temporary("log"), off_t(bytes.count)) == 0)
            }
        }
    }

    @Test func ofAVeryLargeFileTheEndsAreLookedAt() {
        let check = GrowthCheck(size: 1000, edge: 100)
        #expect(check.parts == [0..<100, 900..<1000])
        let bytes = Shipment.noise(1000, 4)
        func sum(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { check.sum(of: $0, at: 0) } }
        func changed(_ place: Int) -> [UInt8] {
            var bytes = bytes
            bytes[place] ^= 0x80
            return bytes
        }
        for place in [0, 7, 99, 900, 999] { #expect(sum(changed(place)) != sum(bytes), "\(place)") }
        for place in [100, 500, 899] { #expect(sum(changed(place)) == sum(bytes), "\(place)") }
    }

    @Test func noMoreIsSentThanWasOffered() throws {
        temporary.file("log", "0123456789")
        let sample = try #require(try SourceTree.sizes(ofFileAt: temporary("log"))?.sample)
        try append("more", to: "log")
        let tree = try SourceTree(path: temporary("log"), options: SourceOptions(sample: sample))
        #expect(tree.size == 10 && tree.contentSize == 10)
        let entry = try #require(try tree.next())
        #expect(entry.entry.kind == .file(size: 10) && entry.contentSize == 10)
        let (content, hasGrown) = try entry.open().contentAndGrowth()
        #expect(content == Array("0123456789".utf8) && hasGrown)
        tree.truncate(entry)
        #expect(tree.report.omissions == [Loss(path: "", reason: .grown)] && tree.report.missing == 1)
        // Another text that has the same length by chance.
        temporary.file("log", "abcdefghijklmnop")
        #expect(try SourceTree(path: temporary("log"), options: SourceOptions(sample: sample)).size == 16)
    }

    /// A file sent by itself and in a folder, opened at once and when its content is wanted.
    @Test func fileUnderConstantWritingCanBeRead() throws {
        temporary.folder("tree")
        let path = temporary.file("tree/log", "line\n")
        let writer = Writer(to: path)
        defer { writer.stop() }
        for _ in 0..<20 {
            let sample = try #require(try SourceTree.sizes(ofFileAt: path)?.sample)
            let alone = try SourceTree(path: path, options: SourceOptions(sample: sample))
            let entry = try #require(try alone.next())
            #expect(entry.entry.kind == .file(size: sample.size))
            #expect(try Self.isLog(entry.open().content()))
            for looking in [false, true] {
                let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(looking: looking))
                let entries = try WalkMethod.all(tree).entries
                #expect(entries.count == 2)
                #expect(try Self.isLog(entries[1].open().content()))
            }
        }
    }

    /// Appends to a file until it is stopped, on a thread of its own.
    private final class Writer: Sendable {
        private let isToStop = Atomic(false)
        private let hasEnded = DispatchSemaphore(value: 0)

        init(to path: String) {
            Thread.detachNewThread { [self] in
                let file = Descriptor(owning: open(path, O_WRONLY | O_APPEND))
                var size = 0
                // The loop is bounded in case the reader is slow.
                while !isToStop.load(ordering: .relaxed), size < 4 << 20 { size += write(file.number, "line\n", 5) }
                hasEnded.signal()
            }
        }

        func stop() {
            isToStop.store(true, ordering: .relaxed)
            hasEnded.wait()
        }
    }

    private static func isLog(_ content: [UInt8]) -> Bool {
        let line = Array("line\n".utf8)
        return content.indices.allSatisfy { content[$0] == line[$0 % line.count] }
    }

    // MARK: - More content than size

    @Test func contentBeyondTheSizeIsNoticed() throws {
        let file = try #require(try SourceTree(path: "/proc/self/status").next()).open()
        #expect(file.size == 0)
        #expect(kind { try file.confirmUnchanged() } == .unreadable)
        temporary.file("log", "")
        #expect(try opened().confirmUnchanged() == false)
    }
}
