import Foundation
import PortolanFiles
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Changes of a member that make much work, and the end of long work.
@Suite struct LongWorkTests {
    private static let member = ReplicaID(device: SyncFolders.device(1), epoch: 5)

    /// Contents by digest.
    private struct Contents: ContentProvider {
        var all: [ContentDigest: [UInt8]] = [:]

        struct Source: ContentSource {
            let bytes: [UInt8]

            func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
                Array(bytes.dropFirst(Int(offset)).prefix(count))
            }
        }

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { all[digest].map(Source.init) }

        mutating func version(_ text: String) -> FileVersion {
            let bytes = Array(text.utf8)
            let digest = FileLook.digest(bytes)
            all[digest] = bytes
            return FileVersion(
                form: ContentForm(digest, attributes: 0o644), size: UInt64(bytes.count), author: "B")
        }
    }

    private func announcement(_ records: [NodeRecord], _ sequence: Int) -> Announcement {
        Announcement(records: records, cursor: ChangeCursor(Self.member, UInt64(sequence)))
    }

    /// New nodes of one name, with different contents.
    private func files(_ count: Int, _ name: SyncName, _ contents: inout Contents) -> [NodeRecord] {
        (1...count).map { number in
            let dot = Dot(Self.member, UInt64(number))
            var record = NodeRecord(id: NodeID(dot), kind: .file)
            record.move(dot, to: NodePlace(.root, name))
            record.write(dot, contents.version("first \(number)"), replacing: [])
            return record
        }
    }

    // Work that grows with the square or cube of the number would not end.
    @Test("thousands of files of one name are placed, changed and deleted")
    func oneName() async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        let count = 2000
        let name = SyncName("name.txt")
        var contents = Contents()
        var records = files(count, name, &contents)
        _ = try await replica.receive(announcement(records, count))
        try await replica.synchronize(from: contents)
        // Some conflict names are equal: of these one is there.
        let shown = Set(
            records.dropFirst().compactMap { record in
                record.contents.first.map { name.conflict(of: $0.value, write: $0.dot) }
            })
        #expect(try folders.listing(0).count == shown.count + 1)
        #expect(folders.text(0, "name.txt") == "first 1")

        for place in records.indices {
            let dot = Dot(Self.member, UInt64(count + place + 1))
            let before = records[place].contents.map(\.dot)
            records[place].write(dot, contents.version("second \(place + 1)"), replacing: before)
        }
        _ = try await replica.receive(announcement(records, 2 * count))
        try await replica.synchronize(from: contents)
        #expect(folders.text(0, "name.txt") == "second 1")
        #expect(try folders.listing(0).allSatisfy { $0.contains("=second ") })

        for place in records.indices {
            let dot = Dot(Self.member, UInt64(2 * count + place + 1))
            records[place].delete(dot, seen: records[place].contents.map(\.dot))
        }
        _ = try await replica.receive(announcement(records, 3 * count))
        try await replica.synchronize(from: contents)
        #expect(try folders.listing(0).isEmpty)
    }

    @Test("many folders of one name are one, with the contents of all")
    func oneFolder() async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        var records: [NodeRecord] = []
        func folder(_ name: String, in parent: NodeID) -> NodeID {
            let dot = Dot(Self.member, UInt64(records.count + 1))
            var record = NodeRecord(id: NodeID(dot), kind: .folder)
            record.move(dot, to: NodePlace(parent, SyncName(name)))
            records.append(record)
            return record.id
        }
        for number in 0..<40 {
            let outer = folder("x", in: .root)
            for inner in 0..<3 { _ = folder("\(number) \(inner)", in: outer) }
            _ = folder("same", in: outer)
        }
        _ = try await replica.receive(announcement(records, records.count))
        try await replica.synchronize(from: Contents())
        let names = (0..<40).flatMap { number in (0..<3).map { "x/\(number) \($0)/" } }
        #expect(try folders.listing(0) == (names + ["x/", "x/same/"]).sorted())
    }

    @Test("a scan, a merge and a series of steps end when they are cancelled, and go on later")
    func cancelled() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(1, storage: [0: disk])
        let replica = folders.replicas[0]
        let looks = Mutex(0)
        for number in 0..<200 { try folders.write(0, "own \(number)", "x") }
        disk.beforeLook { _ in
            let count = looks.withLock { looks in
                looks += 1
                return looks
            }
            if count == 20 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: (any Error).self) {
            try await Task { try await replica.synchronize(from: Contents()) }.value
        }
        #expect(looks.withLock { $0 } < 40)
        disk.beforeLook(nil)
        try await replica.synchronize(from: Contents())
        #expect(try await replica.announcement(since: nil).records.count == 200)

        var contents = Contents()
        let records = (1...100).map { number in
            let dot = Dot(Self.member, UInt64(number))
            var record = NodeRecord(id: NodeID(dot), kind: .file)
            record.move(dot, to: NodePlace(.root, SyncName("theirs \(number)")))
            record.write(dot, contents.version("\(number)"), replacing: [])
            return record
        }
        let (news, provider) = (announcement(records, 100), contents)
        await #expect(throws: (any Error).self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await replica.receive(news)
            }.value
        }
        #expect(try await replica.heard(of: Self.member.device) == nil)
        _ = try await replica.receive(news)
        let moves = Mutex(0)
        disk.beforeMove { name, _ in
            guard name.hasPrefix("theirs ") else { return }
            let count = moves.withLock { moves in
                moves += 1
                return moves
            }
            if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: (any Error).self) {
            try await Task { try await replica.synchronize(from: provider) }.value
        }
        #expect(moves.withLock { $0 } == 5)
        disk.beforeMove(nil)
        try await replica.synchronize(from: provider)
        #expect(try folders.listing(0).count == 300)
        try await folders.checkAll()
    }
}
