import Foundation
import Glibc
import PortolanSyncPlan
import PortolanValues
import Testing

@testable import PortolanSyncFolder

/// Files that a person keeps alike no more on one device.
@Suite struct ForgettingTests {
    private func withFiles() async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        try folders.makeFolder(0, "a/private")
        for name in ["a/diary", "a/open", "a/private/x", "a/private/y", "top"] { try folders.write(0, name, name) }
        try await folders.settle()
        #expect(try folders.listing(1) == folders.listing(0))
        return folders
    }

    private func checkBoth(_ folders: SyncFolders) async throws {
        for replica in folders.replicas { #expect(try await replica.check().findings.isEmpty) }
    }

    @Test("a forgotten file stays here and goes on the other device; later edits here go nowhere, also after a restart")
    func file() async throws {
        let folders = try await withFiles()
        try await folders.replicas[0].forget("a/diary")
        // The process ends before it has told anybody.
        try await folders.restart(0)
        try await folders.settle()
        #expect(folders.text(0, "a/diary") == "a/diary" && folders.text(1, "a/diary") == nil)
        let digest = FileLook.digest(Array("a/diary".utf8))
        #expect(try await folders.replicas[0].content(digest) == nil)
        try await checkBoth(folders)
        try folders.write(0, "a/diary", "more")
        try await folders.settle()
        // An editor replaces the file.
        try Data("new".utf8).write(to: URL(fileURLWithPath: folders(0, "a/diary")), options: .atomic)
        try folders.write(0, "a/beside", "1")
        try await folders.restart(0)
        let reports = try await folders.settle()
        #expect(
            try folders.listing(1, below: "a").map { $0.components(separatedBy: "=")[0] }.contains("a/diary") == false)
        #expect(folders.text(1, "a/beside") == "1" && folders.text(0, "a/diary") == "new")
        #expect(reports.contains { $0.skipped.contains { $0.path.text == "a/diary" && $0.reason == .forgotten } })
        try await checkBoth(folders)
    }

    @Test("a forgotten folder goes with all that is in it, and another name of it is kept alike again")
    func folder() async throws {
        let folders = try await withFiles()
        try await folders.replicas[0].forget("a/private")
        try await folders.replicas[0].forget("a/private")
        try await folders.settle()
        #expect(folders.text(0, "a/private/x") == "a/private/x")
        #expect(try folders.listing(1, below: "a") == ["a/diary=a/diary", "a/open=a/open"])
        try folders.write(0, "a/private/z", "new")
        folders.move(1, "a", to: "b")
        try await folders.settle()
        try await folders.restart(0)
        try folders.write(0, "b/private/x", "edited")
        try await folders.settle()
        #expect(folders.text(0, "b/private/x") == "edited")
        #expect(try folders.listing(1, below: "b") == ["b/diary=a/diary", "b/open=a/open"])
        try await checkBoth(folders)
        folders.move(0, "b/private", to: "b/public")
        try await folders.settle()
        #expect(folders.text(1, "b/public/z") == "new" && folders.text(1, "b/public/x") == "edited")
        try await checkBoth(folders)
    }

    @Test("a forgotten path stays so in a restored folder with other inodes")
    func restored() async throws {
        let folders = try await withFiles()
        try await folders.replicas[0].forget("a/diary")
        try await folders.settle()
        try FileManager.default.copyItem(atPath: folders(0, "a"), toPath: folders(0, "new"))
        try folders.remove(0, "a")
        folders.move(0, "new", to: "a")
        try await folders.settle()
        try await folders.restart(0)
        try await folders.settle()
        #expect(folders.text(0, "a/diary") == "a/diary" && folders.text(1, "a/diary") == nil)
        #expect(folders.text(1, "a/open") == "a/open")
        try await checkBoth(folders)
    }

    @Test("a thousand forgotten files are not held here, and are held on the other device")
    func many() async throws {
        let folders = try await SyncFolders(2, settings: SyncSettings())
        try folders.stopClock()
        try folders.makeFolder(0, "many")
        for number in 0..<1000 { try folders.write(0, "many/\(number)", "\(number)") }
        try await folders.settle()
        try await folders.replicas[0].forget("many")
        let reports = try await folders.settle()
        #expect(reports.allSatisfy { $0.heldHere.isEmpty })
        #expect(try await folders.synchronize(1).heldFromOthers.map(\.count) == [1001])
        #expect(try folders.listing(0) == folders.listing(1))
        let held = try await folders.synchronize(1).heldFromOthers
        for one in held { folders.replicas[1].confirm(one) }
        try await folders.settle()
        #expect(try folders.listing(1) == [] && folders.text(0, "many/7") == "7")
        try await checkBoth(folders)
    }

    @Test("a file that another device writes meanwhile is not lost, and does not replace a forgotten one here")
    func edited() async throws {
        let folders = try await withFiles()
        try folders.write(1, "a/diary", "theirs")
        try await folders.synchronize(1)
        try await folders.replicas[0].forget("a/diary")
        try await folders.synchronize(0)
        try await folders.settle()
        #expect(folders.text(0, "a/diary") == "a/diary" && folders.text(1, "a/diary") == "theirs")
    }

    @Test(
        "a path is forgotten although a part of the folder cannot be read",
        .enabled(if: geteuid() != 0, "root reads all folders"))
    func incomplete() async throws {
        let folders = try await withFiles()
        #expect(chmod(folders(0, "a/private"), 0) == 0)
        defer { chmod(folders(0, "a/private"), 0o755) }
        try await folders.replicas[0].forget("top")
        try await folders.settle()
        #expect(folders.text(0, "top") == "top" && folders.text(1, "top") == nil)
        #expect(folders.text(1, "a/private/x") == "a/private/x")
    }

    @Test("forgetting is refused for a missing path, one that is no file of the folder, and on a receive-only device")
    func refused() async throws {
        let folders = try await withFiles()
        let paths = [
            "", "none", "none/x", "top/x", "..", "../1/top", "a//diary", ControlFolder.name,
            "\(ControlFolder.name)/rules",
        ]
        for path in paths {
            await #expect(throws: SyncError.self, "\(path)") { try await folders.replicas[0].forget(path) }
        }
        folders.replicas[0].setWays(SyncWays(.receiveOnly))
        await #expect(throws: SyncError.self) { try await folders.replicas[0].forget("top") }
        folders.replicas[0].setWays(SyncWays())
        try await folders.settle()
        #expect(try folders.listing(0) == folders.listing(1))
    }
}
