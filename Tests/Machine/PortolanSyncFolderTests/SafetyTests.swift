import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Situations that must not lead to a loss, on real disks.
@Suite struct SafetyTests {
    private func withFiles(_ settings: SyncSettings = .unguarded, _ storage: [Int: any Storage] = [:]) async throws
        -> SyncFolders
    {
        let folders = try await SyncFolders(2, settings: settings, storage: storage)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        return folders
    }

    private static let files = ["b=2", "x/", "x/a=1"]

    // MARK: The folder

    @Test("a folder that is gone or emptied halts, and nothing is deleted elsewhere")
    func emptied() async throws {
        let folders = try await withFiles()
        #expect(rename("\(folders.path)/0", "\(folders.path)/away") == 0)
        await #expect { try await folders.synchronize(0) } throws: { ($0 as? SyncError)?.kind == .halted(.rootMissing) }
        try folders.makeFolder(0, "")
        await #expect { try await folders.synchronize(0) } throws: { ($0 as? SyncError)?.kind == .halted(.rootEmptied) }
        // A person put the marker there: the index does not contain it.
        try folders.makeFolder(0, ControlFolder.name)
        try folders.write(0, "\(ControlFolder.name)/marker", "portolan-sync 1\nepoch 1\ngeneration 0\n")
        await #expect { try await folders.synchronize(0) } throws: { ($0 as? SyncError)?.kind == .halted(.rootEmptied) }
        await #expect(throws: SyncError.self) { try await folders.replicas[0].announcement(since: nil) }
        #expect(try folders.listing(1) == Self.files)
        try FileManager.default.removeItem(atPath: folders(0))
        #expect(rename("\(folders.path)/away", "\(folders.path)/0") == 0)
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("a file system that is mounted in the folder is not entered, and the files under it do not count as deleted")
    func mounted() async throws {
        let disk = WatchedStorage()
        let folders = try await withFiles(.unguarded, [0: disk])
        disk.mount(on: folders(0, "x"))
        #expect(try await folders.synchronize(0).skipped.map(\.reason) == [.mount])
        try await folders.settle()
        #expect(try folders.listing(1) == Self.files)
        disk.mount(on: nil)
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("after a person has agreed to an empty folder, the files come back")
    func startingOver() async throws {
        let folders = try await withFiles()
        try FileManager.default.removeItem(atPath: folders(0))
        try folders.makeFolder(0, "")
        try await folders.replicas[0].startOver()
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("a folder whose files a person has deleted, but not the marker, is deleted elsewhere")
    func emptiedByPerson() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "x")
        try folders.remove(0, "b")
        try await folders.settle()
        #expect(try folders.common().isEmpty)
        try await folders.checkAll()
    }

    // MARK: The index

    private func copyIndex(_ folders: SyncFolders, from: String, to: String) throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(folders.path)/\(to)\(ending)")
            guard FileManager.default.fileExists(atPath: "\(folders.path)/\(from)\(ending)") else { continue }
            try FileManager.default.copyItem(
                atPath: "\(folders.path)/\(from)\(ending)", toPath: "\(folders.path)/\(to)\(ending)")
        }
    }

    @Test("an index restored from an older copy deletes nothing")
    func restored() async throws {
        let folders = try await withFiles()
        try await folders.replicas[0].close()
        try copyIndex(folders, from: "0.sqlite", to: "copy.sqlite")
        let later = try await SyncFolders.open(folders.path, 0)
        try folders.write(0, "c", "3")
        try await later.synchronize(from: folders.replicas[1])
        let news = try await later.announcement(since: try await folders.replicas[1].heard(of: SyncFolders.device(0)))
        _ = try await folders.replicas[1].receive(news)
        try await folders.synchronize(1, from: later)
        #expect(try folders.listing(1) == Self.files[..<1] + ["c=3"] + Self.files[1...])
        try await later.close()
        try copyIndex(folders, from: "copy.sqlite", to: "0.sqlite")
        // The files were not restored with the index, and some are missing: that is no deletion.
        let restored = try await SyncFolders.open(folders.path, 0)
        try folders.remove(0, "c")
        let report = try await restored.synchronize(from: folders.replicas[1])
        #expect(report.newEpoch == .databaseOld)
        let all = try await folders.replicas[1].announcement(since: nil)
        _ = try await restored.receive(all)
        try await restored.synchronize(from: folders.replicas[1])
        _ = try await folders.replicas[1].receive(try await restored.announcement(since: nil))
        try await folders.synchronize(1, from: restored)
        #expect(try folders.common() == ["b=2", "c=3", "x/", "x/a=1"])
    }

    @Test("an index that is lost begins anew and deletes nothing")
    func lost() async throws {
        let folders = try await withFiles()
        try await folders.replicas[0].close()
        try copyIndex(folders, from: "none", to: "0.sqlite")
        try folders.remove(0, "b")
        let new = try await SyncFolders.open(folders.path, 0)
        let report = try await new.synchronize(from: folders.replicas[1])
        #expect(report.newEpoch == .databaseMissing)
        _ = try await new.receive(try await folders.replicas[1].announcement(since: nil))
        try await new.synchronize(from: folders.replicas[1])
        #expect(try folders.common() == Self.files)
    }

    // MARK: Steps

    @Test("a file that a person writes between the last look and the exchange is put back")
    func lateWrite() async throws {
        let disk = WatchedStorage()
        let folders = try await withFiles(.unguarded, [0: disk])
        try folders.write(1, "b", "theirs")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        let path = folders(0, "b")
        disk.beforeMove { name, manner in
            guard name == "b", manner == .exchanging else { return }
            disk.beforeMove(nil)
            try? Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        }
        try await folders.settle()
        let files = try folders.common()
        #expect(Set(files.map { $0.split(separator: "=").last }) == ["mine", "theirs", "x/", "1"])
        try await folders.checkAll()
    }

    @Test("a file that a person writes before its deletion is put back")
    func lateWriteBeforeDeletion() async throws {
        let disk = WatchedStorage()
        let folders = try await withFiles(.unguarded, [0: disk])
        try folders.remove(1, "b")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        let path = folders(0, "b")
        disk.beforeMove { name, _ in
            guard name.hasPrefix("old-") else { return }
            disk.beforeMove(nil)
            try? Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        }
        try await folders.settle()
        #expect(try folders.common() == ["b=mine", "x/", "x/a=1"])
        try await folders.checkAll()
    }

    @Test("a file that a person makes in the place of a new one stays, and both are there")
    func lateFile() async throws {
        let disk = WatchedStorage()
        let folders = try await withFiles(.unguarded, [0: disk])
        try folders.write(1, "c", "theirs")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        let path = folders(0, "c")
        disk.beforeMove { name, _ in
            guard name == "c" else { return }
            disk.beforeMove(nil)
            try? Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        }
        try await folders.settle()
        let files = try folders.common()
        #expect(
            files.count == 5
                && Set(files.compactMap { $0.split(separator: "=").last }).isSuperset(of: ["mine", "theirs"]))
        try await folders.checkAll()
    }

    @Test("a file that a crash left in the staging folder comes back into sight")
    func leftover() async throws {
        let folders = try await withFiles()
        try folders.write(0, "\(ControlFolder.name)/staging/old-1", "unseen")
        try folders.write(0, "\(ControlFolder.name)/staging/part-1", "half")
        try await folders.settle()
        let files = try folders.common()
        #expect(files.count == 4 && files.contains { $0.hasPrefix("recovered ") && $0.hasSuffix("=unseen") })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folders(0, "\(ControlFolder.name)/staging")).isEmpty)
        try await folders.checkAll()
    }

    @Test("an old version that a crash left in the staging folder goes to the history")
    func leftoverOfStep() async throws {
        let folders = try await withFiles()
        folders.move(0, "b", to: "\(ControlFolder.name)/staging/new-1")
        try folders.write(0, "b", "new")
        try await folders.settle()
        #expect(try folders.common() == ["b=new", "x/", "x/a=1"])
        let found = try await folders.replicas[0].history()
        #expect(found.count == 1 && found[0].reason == .found && found[0].size == 1)
        try await folders.checkAll()
    }

    @Test("a file that came into the history before the process ended is listed there")
    func leftoverInHistory() async throws {
        let folders = try await SyncFolders(1)
        try await folders.synchronize(0)
        try folders.write(0, "\(ControlFolder.name)/history/1f", "old")
        try await folders.replicas[0].close()
        let again = try await SyncFolders.open(folders.path, 0)
        for _ in 0..<2 { try await again.synchronize(from: again) }
        let records = try await again.history()
        #expect(records.map(\.file) == ["1f"] && records.map(\.size) == [3] && records.map(\.reason) == [.found])
    }

    @Test("content other than announced is not published")
    func wrongContent() async throws {
        struct Liar: ContentProvider, ContentSource {
            func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { self }
            func read(at offset: UInt64, count: Int) async throws -> [UInt8] { offset == 0 ? [1] : [] }
        }
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.replicas[1].synchronize(from: Liar())
        #expect(report.steps == 0 && report.waiting.count == 1 && !report.isSettled)
        #expect(try folders.listing(1).isEmpty)
    }

    @Test("names that no file gets here wait, and nothing is deleted elsewhere")
    func hostileNames() async throws {
        let folders = try await SyncFolders(1)
        let author = ReplicaID(device: SyncFolders.device(1), epoch: 9)
        let names = ["a\nb", ControlFolder.name, ControlFolder.name.uppercased(), "\u{202E}x"]
        let records = names.enumerated().map { number, name in
            let dot = Dot(author, UInt64(number + 1))
            var record = NodeRecord(id: NodeID(dot), kind: .folder)
            record.move(dot, to: NodePlace(.root, SyncName(name)))
            return record
        }
        try await folders.synchronize(0)
        _ = try await folders.replicas[0].receive(
            Announcement(records: records, cursor: PortolanSyncPlan.ChangeCursor(author, 4)))
        let report = try await folders.synchronize(0)
        #expect(report.waiting == Set(names.map { .name(SyncName($0)) }))
        #expect(try folders.listing(0).isEmpty)
    }

    @Test("links that lead out of the folder are not made")
    func hostileLinks() async throws {
        let folders = try await SyncFolders(2)
        #expect(symlink("/etc/passwd", folders(0, "absolute")) == 0)
        #expect(symlink("../up", folders(0, "up")) == 0)
        try await folders.settle()
        #expect(try folders.listing(1).isEmpty)
        #expect(try folders.listing(0) == ["absolute->/etc/passwd", "up->../up"])
        try await folders.checkAll()
    }

    // MARK: Guards

    private func withManyFiles() async throws -> SyncFolders {
        let folders = try await withFiles(SyncSettings())
        for number in 0..<10 { try folders.write(0, "x/\(number)", "1") }
        try await folders.settle()
        return folders
    }

    @Test("a large deletion is held where it was made, and where it comes to, and other changes go on")
    func guards() async throws {
        let folders = try await withManyFiles()
        try folders.remove(0, "x")
        try folders.write(0, "b", "edited")
        try folders.write(0, "c", "3")
        let held = try #require(try await folders.synchronize(0).heldHere.first)
        #expect(held.count == 12)
        try await folders.settle()
        #expect(folders.text(1, "b") == "edited" && folders.text(1, "c") == "3")
        #expect(folders.text(1, "x/a") == "1")
        folders.replicas[0].confirm(held)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let other = try #require(try await folders.synchronize(1).heldFromOthers.first)
        #expect(folders.text(1, "x/a") == "1" && other == held)
        folders.replicas[1].confirm(other)
        try await folders.settle()
        #expect(try folders.common() == ["b=edited", "c=3"])
        try await folders.checkAll()
        #expect(folders.replicas.allSatisfy { $0.confirmed.isEmpty }, "an agreement is about one deletion")
    }

    @Test("a file in the place of a folder whose deletion is held keeps its name, and is told when that is decided")
    func inThePlaceOfAHeldFolder() async throws {
        for isConfirmed in [true, false] {
            let folders = try await withManyFiles()
            try folders.remove(0, "x")
            try folders.write(0, "x", "new")
            let report = try await folders.synchronize(0)
            let held = try #require(report.heldHere.first)
            #expect(report.untold == ["x"])
            try await folders.settle()
            #expect(folders.text(0, "x") == "new" && folders.text(1, "x/a") == "1")
            if isConfirmed {
                folders.replicas[0].confirm(held)
                try await folders.settle()
                #expect(try folders.listing(0) == ["b=2", "x=new"])
                folders.replicas[1].confirm(try #require(try await folders.synchronize(1).heldFromOthers.first))
                try await folders.settle()
                #expect(try folders.common() == ["b=2", "x=new"])
            } else {
                try await folders.replicas[0].reject(held)
                try await folders.settle()
                let files = try folders.common()
                #expect(files.contains("x *=new") && files.contains("x/a=1") && files.count == 14)
            }
        }
    }

    @Test("a large deletion that is rejected is undone")
    func rejected() async throws {
        let folders = try await withManyFiles()
        let files = try folders.common()
        try folders.remove(0, "x")
        let held = try #require(try await folders.synchronize(0).heldHere.first)
        try await folders.replicas[0].reject(held)
        try await folders.settle()
        #expect(try folders.common() == files)
        try await folders.checkAll()
    }
}

extension SyncFolders {
    /// A provider with the content of one other replica.
    @discardableResult
    func synchronize(_ number: Int, from other: FolderReplica) async throws -> SyncReport {
        try await replicas[number].synchronize(from: other)
    }
}
