import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Folders on a disk without room.
@Suite struct FullDiskTests {
    private func parts(_ folders: SyncFolders) throws -> Int {
        try folders.staged().count { ControlFolder.isLastingPart($0) }
    }

    private func text(_ name: String) -> [UInt8] { Array(String(repeating: name, count: 300_000).utf8) }

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
        let folders = try await SyncFolders.heard(storage: [1: disk]) {
            try $0.write(0, "large", text("x"))
            try $0.write(0, "other", "1")
        }
        try await folders.bringPart(of: text("x"), until: 200_000)
        #expect(try parts(folders) == 1)
        try FileManager.default.removeItem(atPath: folders(1, "\(ControlFolder.name)/reserve"))
        disk.leaveRoom(0)
        try folders.remove(0, "other")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        #expect(try parts(folders) == 0)
    }

    @Test("on a full disk one content that has come in part is kept")
    func onePart() async throws {
        let disk = WatchedStorage()
        let names = ["a", "b", "c"]
        let folders = try await SyncFolders.heard(storage: [1: disk]) { folders in
            for name in names { try folders.write(0, name, text(name)) }
        }
        for name in names { try await folders.bringPart(of: text(name), until: 200_000) }
        #expect(try await folders.work().steps == 0)
        #expect(try parts(folders) == 3)
        disk.fill(true)
        #expect(try await folders.synchronize(1).waiting == [.diskFull])
        #expect(try parts(folders) == 1)
        disk.fill(false)
        try await folders.settle()
        #expect(try folders.common().count == 3)
        #expect(try parts(folders) == 0)
    }

    @Test("a content for which the disk has no room is not wanted from others, who are told so")
    func noRoom() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "12345")
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0, sayingSize: 1 << 60)
        let report = try await folders.work()
        #expect(report.steps == 0 && report.waiting == [.diskFull] && report.wanted.isEmpty)
        #expect(report.places == [.diskFull: ["a"]])
        #expect(try await folders.replicas[1].lacks(report, limit: 16) { _ in [] }.map(\.reason) == [.diskFull])
    }

    @Test("a transfer fails where the disk becomes full, and a later one continues it")
    func becomesFull() async throws {
        let disk = WatchedStorage()
        let content = text("x")
        let folders = try await SyncFolders.heard(storage: [1: disk]) { try $0.write(0, "large", content) }
        let arrivals = try await folders.arrivals()
        #expect(try arrivals.add(content, as: 0) == .content)
        try arrivals.write(0, content, 0..<270_000)
        disk.fill(true)
        let failure = #expect(throws: FileError.self) { try arrivals.write(0, content, 270_000..<300_000) }
        #expect(failure?.kind == .noSpace)
        #expect(arrivals.missing.count == 1 && arrivals.wrong.isEmpty)
        disk.fill(false)
        arrivals.beginTransfer()
        #expect(try arrivals.add(content, as: 0) == .compare(blocks: [0..<1]))
        try arrivals.write(0, content, 262_144..<300_000)
        try arrivals.finish(0)
        try await folders.work()
        #expect(folders.bytes(1, "large") == content)
    }
}
