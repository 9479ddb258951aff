import Foundation
import PortolanFiles
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Contents that are at hand, and announcements.
@Suite struct ContentTests {
    @Test("contents of many files are staged side by side")
    func sideBySide() async throws {
        /// Counts the contents that are opened at the same time.
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
        #expect(try folders.staged().isEmpty)
    }

    @Test("content that several files have is staged once, and copied")
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

    @Test("contents that are here are offered under their digests, links among them, and others are not")
    func sources() async throws {
        let folders = try await SyncFolders(1)
        try folders.write(0, "a", "12345")
        try FileManager.default.createSymbolicLink(atPath: folders(0, "link"), withDestinationPath: "a")
        try await folders.synchronize(0)
        let contents = ["12345", "a", "other"].map { text in
            (digest: FileLook.digest(Array(text.utf8)), size: UInt64(text.utf8.count))
        }
        let sources = try await folders.replicas[0].sources(of: contents)
        #expect(sources.map(\.name.text) == contents.prefix(2).map { ArrivingContents.name(of: $0.digest) })
        #expect(sources.map(\.size) == [5, 1])
        #expect(try folders.staged(0).isEmpty)
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
        var heard: PortolanSyncPlan.ChangeCursor?
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
            Announcement(records: records, cursor: PortolanSyncPlan.ChangeCursor(author, 102)))
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
