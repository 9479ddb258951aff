import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Devices that do not take the changes of others, or do not announce their own, on real disks.
@Suite struct WaysTests {
    /// Two devices with the same files; then the first one is set to `ways`.
    private func withFiles(_ ways: SyncWays) async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "b", "2")
        try folders.write(0, "c", "3")
        try await folders.settle()
        folders.replicas[0].setWays(ways)
        return folders
    }

    // MARK: Receive-only

    @Test("a receive-only device cannot change the others, and a change made on it stays there and is listed")
    func receiveOnly() async throws {
        let folders = try await withFiles(SyncWays(.receiveOnly))
        let before = try folders.listing(1)
        let latest = try await folders.replicas[0].position()
        try folders.write(0, "b", "mine")
        try folders.write(0, "new", "mine too")
        try folders.makeFolder(0, "y")
        try folders.write(0, "y/z", "below")
        folders.move(0, "c", to: "moved")
        try await folders.settle()
        #expect(try folders.listing(1) == before)
        #expect(try await folders.replicas[0].position() == latest, "no record has changed")
        #expect(
            try folders.listing(0) == [
                "b=mine", "c=3", "moved=3", "new=mine too", "x/", "x/a=1", "y/", "y/z=below",
            ], "what was moved away comes back beside it")
        let report = try await folders.synchronize(0)
        #expect(Set(report.untold) == ["b", "moved", "new", "y"])
        #expect(report.waiting == [.inTheWay(SyncName("b"))])
    }

    @Test("a receive-only device deletes nothing elsewhere: a file that is deleted on it comes back")
    func receiveOnlyDeletion() async throws {
        let folders = try await withFiles(SyncWays(.receiveOnly))
        let before = try folders.common()
        try folders.remove(0, "x")
        try folders.remove(0, "b")
        try await folders.settle()
        #expect(try folders.common() == before)
    }

    @Test("a receive-only device gets the others' changes; a file of the same content is theirs again")
    func receiveOnlyTakes() async throws {
        let folders = try await withFiles(SyncWays(.receiveOnly))
        try folders.write(0, "b", "same")
        try await folders.settle()
        try folders.write(1, "b", "same")
        try folders.write(1, "x/a", "theirs")
        folders.move(1, "c", to: "x/c")
        try await folders.settle()
        #expect(try folders.common() == ["b=same", "x/", "x/a=theirs", "x/c=3"])
        let report = try await folders.synchronize(0)
        #expect(report.untold.isEmpty && report.waiting.isEmpty)
    }

    @Test("others go on with a file that differs on a receive-only device; once it is away, theirs comes")
    func receiveOnlyDiffers() async throws {
        let folders = try await withFiles(SyncWays(.receiveOnly))
        try folders.write(0, "b", "mine")
        try await folders.settle()
        try folders.write(1, "b", "theirs")
        try await folders.settle()
        #expect(folders.text(0, "b") == "mine" && folders.text(1, "b") == "theirs")
        let history = try #require(try await folders.history(0))
        try await history.putAway("b")
        try await folders.settle()
        #expect(folders.text(0, "b") == "theirs")
        let kept = try #require(try await history.records(of: "b").first)
        #expect(folders.text(0, "\(ControlFolder.name)/history/\(kept.file)") == "mine")
    }

    @Test("changes made on a device while it was receive-only are told once it is not, also after a restart")
    func turning() async throws {
        let folders = try await withFiles(SyncWays(.receiveOnly))
        try folders.write(0, "new", "mine")
        try await folders.settle()
        #expect(folders.text(1, "new") == nil)
        // A new process begins with both ways.
        try await folders.restart(0)
        try await folders.settle()
        #expect(try folders.common() == ["b=2", "c=3", "new=mine", "x/", "x/a=1"])
    }

    // MARK: Send-only

    @Test("the others' changes are not made on a send-only device, and its own go to them")
    func sendOnly() async throws {
        let folders = try await withFiles(SyncWays(.sendOnly))
        try folders.write(1, "b", "theirs")
        try folders.remove(1, "c")
        folders.move(1, "x/a", to: "a")
        try folders.write(1, "new", "theirs")
        try folders.write(0, "mine", "4")
        try await folders.settle()
        #expect(try folders.listing(0) == ["b=2", "c=3", "mine=4", "x/", "x/a=1"])
        #expect(try folders.listing(1) == ["a=1", "b=theirs", "mine=4", "new=theirs", "x/"])
        #expect(try await folders.synchronize(0).withheld == 4)
        #expect(try await folders.replicas[0].history().isEmpty)
        folders.replicas[0].setWays(SyncWays())
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=theirs", "mine=4", "new=theirs", "x/"])
    }

    @Test("both edit, and one of them is send-only: it keeps its own, and the others have both")
    func sendOnlyConflict() async throws {
        let folders = try await withFiles(SyncWays(.sendOnly))
        try folders.write(0, "b", "mine")
        try folders.write(1, "b", "theirs")
        try await folders.settle()
        #expect(try folders.listing(0) == ["b=mine", "c=3", "x/", "x/a=1"])
        let texts = try folders.listing(1).compactMap { $0.split(separator: "=").dropFirst().first }
        #expect(Set(texts) == ["mine", "theirs", "3", "1"])
    }

    // MARK: Deletions

    @Test("a device that keeps deletions keeps the files that others delete, and makes their other changes")
    func keep() async throws {
        let folders = try await withFiles(SyncWays(keepsDeleted: true))
        try folders.remove(1, "x")
        try folders.remove(1, "b")
        try folders.write(1, "c", "theirs")
        try await folders.settle()
        #expect(try folders.listing(0) == ["b=2", "c=theirs", "x/", "x/a=1"])
        #expect(try folders.listing(1) == ["c=theirs"])
        let report = try await folders.synchronize(0)
        #expect(report.withheld > 0 && report.waiting.isEmpty && report.heldFromOthers.isEmpty)
        // An edit brings it back everywhere.
        try folders.write(0, "b", "edited")
        try await folders.settle()
        #expect(folders.text(1, "b") == "edited")
        folders.replicas[0].setWays(SyncWays())
        try await folders.settle()
        #expect(try folders.common() == ["b=edited", "c=theirs"])
    }

    @Test("a device that keeps the others' deleted files still deletes elsewhere the files that are deleted on it")
    func keepTells() async throws {
        let folders = try await withFiles(SyncWays(keepsDeleted: true))
        try folders.remove(0, "b")
        try await folders.settle()
        #expect(try folders.common() == ["c=3", "x/", "x/a=1"])
    }

    // MARK: A full disk

    @Test("a full disk pauses, and goes on when there is room")
    func full() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [0: disk])
        try folders.write(0, "old", "1")
        try await folders.settle()
        for number in 0..<3 { try folders.write(1, "new \(number)", "text \(number)") }
        try folders.write(1, "old", "later")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        disk.fill(true)
        let report = try await folders.synchronize(0)
        #expect(report.waiting == [.diskFull])
        #expect(try folders.listing(0) == ["old=1"])
        disk.fill(false)
        try await folders.settle()
        #expect(try folders.common() == ["new 0=text 0", "new 1=text 1", "new 2=text 2", "old=later"])
    }
}

extension SyncFolders {
    /// History of a device, as a command opens it beside the process that synchronizes the folder.
    func history(_ number: Int) async throws -> FolderHistory? {
        let passed = passed
        return try await FolderHistory.open(
            folder: "\(path)/\(number)", index: "\(path)/\(number).sqlite", now: { passed.now(0) })
    }
}
