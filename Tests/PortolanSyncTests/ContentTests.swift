import Foundation
import PortolanSyncModel
import Synchronization
import Testing

@testable import PortolanSync

/// Transfer of content to a device: concurrently, in parts, and resumed.
@Suite struct ContentTests {
    /// Content that another device gives part by part, as a test wants it.
    private final class Source: ContentSource {
        let partBytes = 64 << 10
        let partsAtOnce = 4
        private let body: @Sendable (_ offset: UInt64, _ count: Int) async throws -> [UInt8]
        private let asked = Mutex<[UInt64]>([])

        init(_ body: @escaping @Sendable (_ offset: UInt64, _ count: Int) async throws -> [UInt8]) {
            self.body = body
        }

        convenience init(_ bytes: [UInt8], until end: Int = .max) {
            self.init { offset, count in
                guard Int(offset) < end else { throw SyncError.noContent }
                return Array(bytes.dropFirst(Int(offset)).prefix(count))
            }
        }

        /// Offsets of the parts that were asked for, in bytes.
        var offsets: [UInt64] { asked.withLock { $0 } }

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            asked.withLock { $0.append(offset) }
            return try await body(offset, count)
        }
    }

    private struct Provider: ContentProvider {
        var first: Source
        var other: Source?

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { first }
        func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)? { other }
    }

    private static let large = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3 | 1) }

    /// Makes a large file on the first device, of which the second knows.
    private func withLargeFile(_ bytes: [UInt8] = large) async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try Data(bytes).write(to: URL(fileURLWithPath: folders(0, "large")))
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        return folders
    }

    private func staged(_ folders: SyncFolders) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folders(1, "\(ControlFolder.name)/staging"))
    }

    private func partBytes(_ folders: SyncFolders) throws -> Int? {
        let names = try staged(folders)
        #expect(names.count == 1 && names[0].hasPrefix("part-"))
        let path = folders(1, "\(ControlFolder.name)/staging/\(names.first ?? "")")
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }

    // MARK: Side by side

    @Test("contents of many files are asked for side by side")
    func sideBySide() async throws {
        /// Counts the questions that wait for an answer at the same time.
        final class Counting: ContentProvider {
            let other: FolderReplica
            private let counts = Mutex((now: 0, most: 0))
            var most: Int { counts.withLock(\.most) }

            init(_ other: FolderReplica) { self.other = other }

            func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
                counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { counts.withLock { $0.now -= 1 } }
                for _ in 0..<1000 where most < 16 { await Task.yield() }
                return try await other.content(digest)
            }
        }
        let folders = try await SyncFolders(2)
        for number in 0..<1200 { try folders.write(0, "file \(number)", "text \(number)") }
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        let provider = Counting(folders.replicas[0])
        let report = try await folders.replicas[1].synchronize(from: provider)
        #expect(report.fetched == 1200 && report.waiting.isEmpty)
        #expect(provider.most == 16)
        #expect(try folders.listing(1) == (try folders.listing(0)))
        #expect(try staged(folders).isEmpty)
    }

    @Test("content that several files have is fetched once")
    func copies() async throws {
        let folders = try await SyncFolders(2)
        for name in ["a", "b", "c"] { try folders.write(0, name, "same") }
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        #expect(report.fetched == 1 && report.copied == 2)
        #expect(try folders.common() == ["a=same", "b=same", "c=same"])
    }

    @Test("steps are cut into batches by number and by size, in their order")
    func batches() {
        let sizes: [UInt64] = [1, 40 << 20, 20 << 20, 12 << 20, 1, .max, 2]
        #expect(FolderReplica.batches(ofSizes: sizes) == [0..<1, 1..<2, 2..<4, 4..<5, 5..<6, 6..<7])
        let many = FolderReplica.batches(ofSizes: Array(repeating: 1, count: 1025))
        #expect(many == [0..<512, 512..<1024, 1024..<1025])
        #expect(FolderReplica.batches(ofSizes: []).isEmpty)
    }

    // MARK: Large files

    @Test("a transfer that was cut goes on where it ended, also after a restart", arguments: [false, true])
    func goesOn(restarts: Bool) async throws {
        let folders = try await withLargeFile()
        let cut = try await folders.replicas[1].synchronize(
            from: Provider(first: Source(Self.large, until: 600_000)))
        #expect(cut.steps == 0 && cut.waiting.count == 1)
        let there = try #require(try partBytes(folders))
        #expect(there > 0 && there < 600_000 + (64 << 10))
        if restarts { try await folders.restart(1) }
        let source = Source(Self.large)
        let report = try await folders.replicas[1].synchronize(from: Provider(first: source))
        #expect(report.steps == 1 && report.waiting.isEmpty)
        #expect(source.offsets.min() == UInt64(there))
        #expect(folders.text(1, "large") == folders.text(0, "large"))
        #expect(try staged(folders).isEmpty)
    }

    @Test("what came of a file that is damaged or too old is not gone on with")
    func damagedPart() async throws {
        let folders = try await withLargeFile()
        try await folders.replicas[1].synchronize(from: Provider(first: Source(Self.large, until: 600_000)))
        let names = try staged(folders)
        let path = folders(1, "\(ControlFolder.name)/staging/\(names[0])")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data(repeating: 7, count: 100))
        try file.close()
        let sources = (Source(Self.large), Source(Self.large))
        try await folders.replicas[1].synchronize(from: Provider(first: sources.0, other: sources.1))
        #expect(sources.0.offsets.min() ?? 0 > 0 && sources.1.offsets.min() == 0)
        #expect(folders.text(1, "large") == folders.text(0, "large"))

        let others = try await withLargeFile()
        try await others.replicas[1].synchronize(from: Provider(first: Source(Self.large, until: 600_000)))
        let old = others(1, "\(ControlFolder.name)/staging/\(try staged(others)[0])")
        let past = time(nil) - 8 * 86_400
        var times = [timeval(tv_sec: past, tv_usec: 0), timeval(tv_sec: past, tv_usec: 0)]
        #expect(utimes(old, &times) == 0)
        let source = Source(Self.large)
        try await others.replicas[1].synchronize(from: Provider(first: source))
        #expect(source.offsets.min() == 0 && others.text(1, "large") == others.text(0, "large"))
    }

    @Test("what came of a file that nobody wants any more is removed")
    func unwantedPart() async throws {
        let folders = try await withLargeFile()
        try await folders.replicas[1].synchronize(from: Provider(first: Source(Self.large, until: 600_000)))
        #expect(try staged(folders).count == 1)
        try folders.remove(0, "large")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        #expect(try staged(folders).isEmpty && folders.listing(1).isEmpty)
    }

    @Test("a file that is changed while it is read is asked for once more, from the start")
    func changedMeanwhile() async throws {
        let folders = try await withLargeFile()
        var changed = Self.large
        changed[900_000] ^= 8
        let (first, other) = (Source(changed), Source(Self.large))
        let report = try await folders.replicas[1].synchronize(from: Provider(first: first, other: other))
        #expect(report.steps == 1 && other.offsets.min() == 0)
        #expect(folders.text(1, "large") == folders.text(0, "large"))

        let others = try await withLargeFile()
        let refused = try await others.replicas[1].synchronize(from: Provider(first: first, other: first))
        #expect(refused.steps == 0 && refused.waiting.count == 1)
        #expect(try staged(others).isEmpty && others.listing(1).isEmpty)
    }

    @Test("a part that is shorter than it may be is not the content")
    func shortPart() async throws {
        let folders = try await withLargeFile()
        let short = Source { offset, count in Array(Self.large.dropFirst(Int(offset)).prefix(min(count, 1000))) }
        let report = try await folders.replicas[1].synchronize(from: Provider(first: short, other: short))
        #expect(report.steps == 0 && report.waiting.count == 1)
        #expect(try staged(folders).isEmpty)
    }

    @Test("zeros take no space")
    func holes() async throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let folders = try await withLargeFile(zeros + [1, 2, 3] + zeros)
        try await folders.synchronize(1)
        #expect(folders.text(1, "large") == folders.text(0, "large"))
        var status = stat()
        #expect(stat(folders(1, "large"), &status) == 0)
        #expect(status.st_size == (2 << 20) + 3 && status.st_blocks * 512 < 1 << 18)
    }

    // MARK: Announcements

    @Test("many changes are told in several announcements, and each one counts by itself")
    func severalAnnouncements() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        for number in 0..<10 { try folders.write(0, "x/\(number)", "\(number)") }
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        let size = AnnouncementSize(records: 3, bytes: 1 << 20)
        var heard: PortolanSyncModel.ChangeCursor?
        var counts: [Int] = []
        while heard?.sequence != (try await folders.replicas[0].position()?.sequence) {
            let news = try await folders.replicas[0].announcement(since: heard, size: size)
            counts.append(news.records.count)
            heard = try await folders.replicas[1].receive(news).acknowledged
            try await folders.synchronize(1)
        }
        #expect(counts == [3, 3, 3, 2])
        try await folders.settle()
        #expect(try folders.common().count == 11)
        let bytes = AnnouncementSize(records: 100, bytes: 1)
        #expect(try await folders.replicas[0].announcement(since: nil, size: bytes).records.count == 1)
    }

    @Test("deletions of files that were never here do not make an announcement long without end")
    func manyDeletions() async throws {
        let folders = try await SyncFolders(1)
        try await folders.synchronize(0)
        let author = ReplicaID(device: SyncFolders.device(1), epoch: 9)
        func record(_ number: UInt64, isDeleted: Bool) -> NodeRecord {
            var record = NodeRecord(id: NodeID(Dot(author, number)), kind: .folder)
            record.move(Dot(author, number), to: NodePlace(.root, SyncName("\(number)")))
            if isDeleted { record.delete(Dot(author, number + 1), seen: []) }
            return record
        }
        let records =
            [record(1, isDeleted: false)] + (1...40).map { record(2 * $0, isDeleted: true) } + [
                record(101, isDeleted: false)
            ]
        let replica = folders.replicas[0]
        // A member from which nothing was received yet: no deletion is forgotten.
        replica.setMembers([SyncFolders.device(1)])
        _ = try await replica.receive(
            Announcement(records: records, cursor: PortolanSyncModel.ChangeCursor(author, 102)))
        let size = AnnouncementSize(records: 5, bytes: 1 << 20)
        let first = try await replica.announcement(since: nil, size: size)
        #expect(first.records.count == 15)
        #expect(first.records.first == records[0])
        let second = try await replica.announcement(since: first.cursor, size: size)
        #expect(second.records == [records[41]])
        let position = try #require(try await replica.position())
        #expect(second.cursor.replica == position.replica && second.cursor.sequence == position.sequence)
    }
}
