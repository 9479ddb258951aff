import Foundation
import PortolanSyncModel
import Testing

@testable import PortolanSync

/// Folders on a disk without room.
@Suite struct FullDiskTests {
    /// Content of another device that ends before its end.
    private struct Cut: ContentSource {
        let content: any ContentSource
        let partBytes = 64 << 10
        let partsAtOnce = 4
        let end: UInt64

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            guard offset < end else { throw SyncError.noContent }
            return try await content.read(at: offset, count: count)
        }
    }

    private struct Provider: ContentProvider {
        let other: FolderReplica
        let end: UInt64

        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
            guard let content = try await other.content(digest) else { return nil }
            return Cut(content: content, end: end)
        }
    }

    private func parts(_ folders: SyncFolders) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folders(1, "\(ControlFolder.name)/staging"))
            .count { ControlFolder.isLastingPart($0) }
    }

    @Test("a deletion by others is heard and made on a disk without any room")
    func deletion() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [1: disk])
        try folders.write(0, "large", String(repeating: "x", count: 10_000))
        try folders.write(0, "other", "1")
        try await folders.settle()
        disk.leaveRoom(0)
        try folders.remove(0, "large")
        try await folders.settle()
        #expect(try folders.common() == ["other=1"])
        // There is a reserve again when there is room.
        disk.leaveRoom(nil)
        try folders.remove(0, "other")
        try await folders.settle()
        disk.leaveRoom(0)
        try folders.makeFolder(0, "later")
        try await folders.settle()
        #expect(try folders.common() == ["later/"])
    }

    @Test("contents that have come in part give way to the marker where there is no reserve")
    func marker() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [1: disk])
        try folders.write(0, "large", String(repeating: "x", count: 300_000))
        try folders.write(0, "other", "1")
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        try await folders.replicas[1].synchronize(from: Provider(other: folders.replicas[0], end: 200_000))
        #expect(try parts(folders) == 1)
        try FileManager.default.removeItem(atPath: folders(1, "\(ControlFolder.name)/reserve"))
        disk.leaveRoom(0)
        try folders.remove(0, "other")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        #expect(try parts(folders) == 0)
    }

    @Test("on a full disk one content that has come in part is kept, and it is completed first")
    func onePart() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [1: disk])
        for name in ["a", "b", "c"] { try folders.write(0, name, String(repeating: name, count: 300_000)) }
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        let report = try await folders.replicas[1].synchronize(
            from: Provider(other: folders.replicas[0], end: 200_000))
        #expect(report.steps == 0)
        #expect(try parts(folders) == 3)
        disk.fill(true)
        #expect(try await folders.synchronize(1).waiting == [.diskFull])
        #expect(try parts(folders) == 1)
        disk.fill(false)
        try await folders.settle()
        #expect(try folders.common().count == 3)
        #expect(try parts(folders) == 0)
    }
}
