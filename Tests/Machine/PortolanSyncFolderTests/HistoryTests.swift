import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Restored versions and resolved conflicts while the folder is synchronized.
@Suite struct HistoryTests {
    private func withConflict() async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a.txt", "1")
        try folders.write(0, "other", "0")
        try await folders.settle()
        try folders.write(0, "a.txt", "by A")
        try folders.write(1, "a.txt", "by B!")
        try await folders.settle()
        return folders
    }

    private func conflicts(_ folders: SyncFolders, _ device: Int) throws -> [String] {
        try folders.listing(device).compactMap { $0.split(separator: "=").first.map(String.init) }
            .filter { SyncName($0).withoutConflict != nil }
    }

    @Test(
        "a conflict is settled on all devices, by either version and either name",
        arguments: [KeptVersion.mine, .theirs], [true, false])
    func resolve(kept: KeptVersion, namesCopy: Bool) async throws {
        for device in 0..<2 {
            let folders = try await withConflict()
            let copy = try #require(try conflicts(folders, device).first)
            let history = try #require(try await folders.history(device))
            let author = ["A", "B"][device]
            let paths = try await history.resolve(namesCopy ? copy : "a.txt", keeping: kept, author: author)
            #expect(paths == ["a.txt"])
            try await folders.settle()
            let texts = kept == .mine ? ["by A", "by B!"] : ["by B!", "by A"]
            #expect(try folders.common() == ["a.txt=\(texts[device])", "other=0"])
            let lost = texts[1 - device]
            let old = try await history.records().compactMap {
                folders.text(device, "\(ControlFolder.name)/history/\($0.file)")
            }
            #expect(old.contains(lost), "what goes is in the history")
        }
    }

    @Test("a person's own file with the name of a second version is none, and stays")
    func namesake() async throws {
        let folders = try await withConflict()
        let own = "a (conflict of x, 2026-01-01, abcd).txt"
        try folders.write(0, own, "own")
        try await folders.settle()
        let history = try #require(try await folders.history(0))
        let copies = try await history.conflicts()
        #expect(copies.count == 1 && copies.first?.name == SyncName("a.txt") && copies.first?.path != own)
        await #expect(throws: SyncError.self) { try await history.resolve(own, keeping: .theirs, author: "A") }
        #expect(try await history.resolve("a.txt", keeping: .mine, author: "A") == ["a.txt"])
        try await folders.settle()
        #expect(try folders.common() == ["a *.txt=own", "a.txt=by A", "other=0"])
        #expect(folders.text(0, own) == "own")
        #expect(try await history.conflicts().isEmpty)
    }

    @Test("both versions stay, under names of their own")
    func resolveBoth() async throws {
        let folders = try await withConflict()
        let history = try #require(try await folders.history(1))
        try folders.write(1, "a (2).txt", "taken")
        #expect(try await history.resolve("a.txt", keeping: .both, author: "B") == ["a (3).txt"])
        try await folders.settle()
        let files = try folders.common()
        #expect(
            files.count == 4 && files.contains("a (2).txt=taken") && files.contains { $0.hasPrefix("a (3).txt=by") })
        #expect(try conflicts(folders, 0).isEmpty && conflicts(folders, 1).isEmpty)
    }

    @Test(
        "second versions stay such over new epochs, on all devices, and can be settled there",
        arguments: [[0], [1], [0, 1]], [true, false])
    func resolveAfterEpochs(beginners: [Int], scansFirst: Bool) async throws {
        let folders = try await SyncFolders(2)
        for name in ["a", "sub"] {
            try folders.makeFolder(0, "x")
            try folders.write(0, "x/\(name)", "1")
        }
        try await folders.settle()
        for device in 0..<2 {
            try folders.write(device, "x/a", "by \(device)")
            try folders.remove(device, "x/sub")
        }
        try folders.makeFolder(0, "x/sub")
        try folders.write(1, "x/sub", "a file")
        try await folders.settle()
        let before = try folders.common()
        let listed = try await folders.replicas[0].conflicts(limit: 10)
        #expect(listed.count == 2, "\(before)")
        // A second epoch, before any scan of the first one.
        for device in beginners + beginners {
            _ = try await folders.replicas[device].exclusively { try $0.beginEpoch() }
            try await folders.restart(device)
            if scansFirst { try await folders.synchronize(device) }
        }
        // A device that has not scanned yet may hear the others first.
        for device in beginners { try await folders.pull(device, from: 1 - device) }
        try await folders.settle()
        #expect(try folders.common() == before)
        try await folders.checkAll()
        for device in 0..<2 {
            let history = try #require(try await folders.history(device))
            let copies = try await history.conflicts()
            #expect(copies.map(\.name) == [SyncName("a"), SyncName("sub")], "\(copies)")
            #expect(copies.map(\.path) == (try await folders.replicas[device].conflicts(limit: 10)))
            let other = try #require(try await folders.history(1 - device))
            #expect(try await other.conflicts() == copies)
        }
        let history = try #require(try await folders.history(1))
        let copy = try #require(try await history.conflicts().first?.path)
        #expect(try await history.resolve(copy, keeping: .both, author: "B") == ["x/a (2)"])
        try await folders.settle()
        let texts = try folders.common().filter { $0.hasPrefix("x/a") }
        #expect(texts.count == 2 && texts.allSatisfy { !$0.contains("*") }, "\(texts)")
        #expect(try await folders.replicas[0].conflicts(limit: 10).count == 1)
        try await folders.checkAll()
    }

    @Test("a second version that a person changes, or that no epoch knew, is a file of its own after an epoch")
    func changedBeforeEpoch() async throws {
        let folders = try await withConflict()
        let copy = try #require(try conflicts(folders, 0).first)
        _ = try await folders.replicas[0].exclusively { try $0.beginEpoch() }
        try folders.write(0, copy, "by a person")
        try await folders.settle()
        #expect(folders.text(1, copy) == "by a person" && folders.text(0, copy) == "by a person")
        let history = try #require(try await folders.history(0))
        #expect(try await !history.conflicts().contains { $0.path == copy })
        try await folders.checkAll()
    }

    @Test("a file without a conflict, and a path that leads out of the folder, are refused")
    func resolvingWithoutAConflictFails() async throws {
        let folders = try await withConflict()
        let history = try #require(try await folders.history(0))
        for path in ["other", "none", "", "../0.sqlite", "\(ControlFolder.name)/marker"] {
            await #expect(throws: SyncError.self) { try await history.resolve(path, keeping: .mine, author: "A") }
            await #expect(throws: SyncError.self) { try await history.putAway(path + "/..") }
        }
        #expect(try folders.listing(0).count == 3)
    }

    @Test("a version comes back in its place on all devices, and the file there goes to the history")
    func restore() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "first")
        try await folders.settle()
        try folders.write(1, "a", "second")
        try await folders.settle()
        let history = try #require(try await folders.history(0))
        let record = try #require(try await history.records(of: "a").first)
        try await history.restore(record)
        try await folders.settle()
        #expect(try folders.common() == ["a=first"])
        let other = try #require(try await history.records(of: "a").first)
        #expect(other.id != record.id && folders.text(0, "\(ControlFolder.name)/history/\(other.file)") == "second")
        // The version is exchanged back.
        try await history.restore(other)
        try await folders.settle()
        #expect(try folders.common() == ["a=second"])
    }

    @Test("the version of a time is found also after it was put back and replaced again")
    func versionOfATime() async throws {
        let folders = try await SyncFolders(2)
        try folders.stopClock()
        let start = folders.passed.now(0).seconds
        for text in ["1", "2", "3"] {
            try folders.write(1, "a", text)
            try await folders.settle()
            folders.pass(100)
        }
        // Both versions before the present one are in the history.
        let first = try #require(try await folders.history(0)?.versions(at: "a", time: start).first)
        for _ in 0..<2 {
            let history = try #require(try await folders.history(0))
            let found = try await history.versions(at: "a", time: start)
            #expect(found.count == 1 && found.first?.size == first.size)
            try await history.restore(try #require(found.first))
            #expect(folders.text(0, "a") == "1")
            #expect(try await folders.history(0)?.versions(at: "a", time: start) == [])
            try await folders.settle()
            folders.pass(100)
            let undoing = try #require(try await folders.history(0))
            for record in try await undoing.lastChange() { try await undoing.restore(record) }
            #expect(folders.text(0, "a") == "3")
            try await folders.settle()
            folders.pass(100)
        }
    }

    @Test("a file that others deleted comes back with its folder")
    func restoreDeleted() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x/y")
        try folders.write(0, "x/y/a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        try folders.remove(1, "x")
        try await folders.settle()
        #expect(try folders.common() == ["b=2"])
        let history = try #require(try await folders.history(0))
        let change = try await history.lastChange()
        #expect(change.map(\.path) == ["x/y/a"] && change[0].change != 0)
        for record in change { try await history.restore(record) }
        try await folders.settle()
        #expect(try folders.common() == ["b=2", "x/", "x/y/", "x/y/a=1"])
        #expect(try await history.records(at: "x").isEmpty)
    }

    @Test("a version is not put over a folder")
    func restoreOverFolder() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        try folders.remove(1, "a")
        try folders.makeFolder(1, "a")
        try await folders.settle()
        let history = try #require(try await folders.history(0))
        let record = try #require(try await history.records(of: "a").first)
        await #expect(throws: SyncError.self) { try await history.restore(record) }
        #expect(try folders.common() == ["a/"])
        #expect(try await history.records(of: "a").count == 1)
    }

    @Test("the last change has of each path the version before it, and no earlier change")
    func lastChange() async throws {
        let folders = try await SyncFolders(1)
        try await folders.synchronize(0)
        try await folders.replicas[0].exclusively { replica in
            try replica.index.transact { index in
                for (change, path, file) in [
                    (7, "a", "1"), (8, "a", "2"), (8, "a", "3"), (8, "b", "4"), (9, "", "5"),
                ] as [(Int64, String, String)] {
                    index.add(
                        HistoryRecord(
                            at: 100, path: path, kind: .file, file: file, size: 1, reason: .replaced, change: change))
                }
            }
        }
        let history = try #require(try await folders.history(0))
        #expect(try await history.lastChange().map(\.file) == ["2", "4"])
    }

    @Test("a folder that was never kept alike has no history")
    func none() async throws {
        #expect(try await FolderHistory.open(folder: "/nowhere", index: "/nowhere.sqlite") == nil)
    }

    @Test("the author of a second version is read from its name")
    func author() {
        let content = FileVersion(
            form: ContentForm(ContentDigest(1)), modified: ModificationTime(1_000_000_000), author: "x, 2001-01-01, y")
        let dot = Dot(ReplicaID(device: DeviceID(1), epoch: 1), 1)
        let name = SyncName("a.txt").conflict(of: content, write: dot)
        #expect(name.conflictAuthor == "x, 2001-01-01, y" && name.withoutConflict == SyncName("a.txt"))
        #expect(SyncName("a.txt").conflictAuthor == nil && SyncName("a (conflict of ).txt").conflictAuthor == nil)
        #expect(
            SyncName("a.txt").numbered(2) == SyncName("a (2).txt") && SyncName("a").numbered(3) == SyncName("a (3)"))
    }
}
