import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Contents that come beside the rounds of work.
extension SyncFolders {
    /// Writes bytes that most devices would not get with changes.
    func write(_ number: Int, _ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: self(number, name)))
    }

    func bytes(_ number: Int, _ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self(number, name)).map { Array($0) }
    }

    /// Two devices, the second of which has heard of the files of the first and has nothing yet.
    static func heard(
        storage: [Int: any Storage] = [:], _ make: (SyncFolders) throws -> Void
    ) async throws -> SyncFolders {
        let folders = try await SyncFolders(2, storage: storage)
        try make(folders)
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        return folders
    }

    /// Lets a device hear of files by records with another size.
    func pull(_ number: Int, from other: Int, sayingSize size: UInt64) async throws {
        let news = try await replicas[other].announcement(since: nil)
        let records = news.records.map { record in
            var record = record
            for place in record.contents.indices { record.contents[place].value.size = size }
            return record
        }
        _ = try await replicas[number].receive(Announcement(records: records, cursor: news.cursor))
    }

    /// Lets a device do what it can without contents of others.
    @discardableResult
    func work(
        _ number: Int = 1, changes: FolderChanges = .whole, without missing: Set<ContentDigest> = []
    ) async throws -> SyncReport {
        try await replicas[number].synchronize(from: AwaitedContents(without: missing), changes: changes)
    }

    /// Lets a device do what it can, and opens the transfer of what it lacks then.
    func arrivals(_ number: Int = 1, changes: FolderChanges = .whole) async throws -> ArrivingContents {
        try await replicas[number].arrivals(for: work(number, changes: changes).wanted)
    }

    /// Begins a transfer of one content, and ends it before all has come.
    func bringPart(of content: [UInt8], until end: Int, to number: Int = 1) async throws {
        let arrivals = try await arrivals(number)
        #expect(try arrivals.add(content, as: 0) == .content)
        try arrivals.write(0, content, 0..<end)
    }

    /// Names in the staging folder of the second device.
    func staged(_ number: Int = 1) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(number, "\(ControlFolder.name)/staging"))
    }

    /// Path of the only part in the staging folder of the second device.
    func part(_ number: Int = 1) throws -> String {
        let names = try staged(number)
        let name = try #require(names.count == 1 ? names.first : nil)
        #expect(ControlFolder.isLastingPart(name))
        return self(number, "\(ControlFolder.name)/staging/\(name)")
    }
}

/// Contents that a member sends.
extension ArrivingContents {
    func add(_ content: [UInt8], as entry: UInt32) throws -> ContentNeed {
        try add(entry, named: Self.name(of: FileLook.digest(content)), size: UInt64(content.count))
    }

    func write(_ entry: UInt32, _ content: [UInt8], _ range: Range<Int>) throws {
        try content[range].withUnsafeBytes { try write(entry, at: UInt64(range.lowerBound), $0) }
    }

    /// Sends a small content at once.
    func send(_ entry: UInt32, small content: [UInt8]) throws {
        try content.withUnsafeBytes { try self.content(entry, $0) }
    }

    /// Sends all bytes of a content, in pieces.
    func send(_ entry: UInt32, _ content: [UInt8]) throws {
        for start in stride(from: 0, to: content.count, by: 100_000) {
            try write(entry, content, start..<min(start + 100_000, content.count))
        }
        try finish(entry)
    }
}
