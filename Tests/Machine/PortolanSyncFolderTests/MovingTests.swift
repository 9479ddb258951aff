import Foundation
import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Scans during which files move: nothing that exists counts as deleted.
@Suite struct MovingTests {
    /// Runs `body` with one device, whose changes are made while its folder is scanned.
    private func moving(_ body: (SyncFolders, FolderReplica, WatchedStorage) async throws -> Void) async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(1, storage: [0: disk])
        try await body(folders, folders.replicas[0], disk)
    }

    private func deletions(_ replica: FolderReplica) throws -> Int {
        try replica.index.transact { $0.tombstones.count }
    }

    /// Makes a change once, just before the status of `name` is read.
    private func once(_ disk: WatchedStorage, before name: String, _ change: @escaping @Sendable () -> Void) {
        let isDone = Mutex(false)
        disk.beforeLook { found in
            guard found == name,
                isDone.withLock({ done in
                    done
                        ? false
                        : {
                            done = true; return true
                        }()
                })
            else { return }
            change()
        }
    }

    @Test("a file that is renamed after its name was read is not deleted")
    func betweenListAndStatus() async throws {
        try await moving { folders, replica, disk in
            for name in ["a", "b", "c"] { try folders.write(0, name, name) }
            try await folders.synchronize(0)
            let (from, to) = (folders(0, "b"), folders(0, "0"))
            once(disk, before: "b") { _ = rename(from, to) }
            try await folders.synchronize(0)
            #expect(try deletions(replica) == 0)
            try folders.checkIndex(0)
        }
    }

    @Test(
        "a file that moves into a folder that was read already is not deleted, nor one that moves into a later one new")
    func betweenFolders() async throws {
        for (from, to) in [("z/f", "a/f"), ("a/f", "z/f")] {
            try await moving { folders, replica, disk in
                for folder in ["a", "m", "z"] { try folders.makeFolder(0, folder) }
                try folders.write(0, from, "text")
                try await folders.synchronize(0)
                let sequence = try await replica.position()?.sequence
                let (old, new) = (folders(0, from), folders(0, to))
                once(disk, before: "m") { _ = rename(old, new) }
                try await folders.synchronize(0)
                #expect(try deletions(replica) == 0)
                #expect(try replica.index.transact { $0.entryCount } == 4)
                try folders.checkIndex(0)
                #expect(try await replica.position()?.sequence == sequence.map { $0 + 1 }, "one rename")
            }
        }
    }

    @Test("while a file moves in each look it counts as unchanged, and when it is gone for good it is deleted")
    func always() async throws {
        try await moving { folders, replica, disk in
            for name in ["a", "f", "z"] { try folders.write(0, name, name) }
            try await folders.synchronize(0)
            let (name, other) = (folders(0, "f"), folders(0, "A"))
            // The entry has another name whenever that of the folder's listing is looked at.
            disk.beforeLook { found in
                if found == "f" { _ = rename(name, other) }
                if found == "z" { _ = rename(other, name) }
            }
            let report = try await folders.synchronize(0)
            disk.beforeLook(nil)
            #expect(try deletions(replica) == 0 && report.looksAgain)
            try folders.remove(0, "f")
            try await folders.synchronize(0)
            #expect(try deletions(replica) == 1)
            try folders.checkIndex(0)
        }
    }

    @Test("an entry that is missing in looks of more than two seconds is gone, in spite of moves")
    func patience() throws {
        func at(_ seconds: Int64) throws -> FileTime { try FileTime(seconds: seconds, nanoseconds: 0) }
        let (one, other) = (FileHandleID(1), FileHandleID(2))
        var missing = MissingFiles()
        missing.note([one], at: try at(10))
        missing.note([one, other], at: try at(11))
        #expect(missing.gone(at: try at(12)).isEmpty)
        #expect(missing.gone(at: try at(13)) == [one])
        missing.note([other], at: try at(13))
        #expect(missing.gone(at: try at(14)) == [other], "the first was found")
        missing.note([other], at: try at(5))
        #expect(missing.gone(at: try at(7)).isEmpty, "the clock was set back")
    }

    @Test("a known file that gets a name which no item may have stays with the others, and is listed with its path")
    func impossibleName() async throws {
        let folders = try await SyncFolders(2)
        let replica = folders.replicas[0]
        try folders.makeFolder(0, "k")
        try folders.write(0, "k/f", "text")
        try await folders.settle()
        #expect(rename(folders(0, "k/f"), folders(0, "k/a\nb")) == 0)
        for changes in [FolderChanges([["k"]]), .whole] {
            let report = try await replica.synchronize(from: replica, changes: changes)
            #expect(report.skipped.map(\.reason) == [.name] && report.skipped[0].path.text.hasPrefix("k/"))
        }
        #expect(try deletions(replica) == 0)
        try await folders.settle()
        #expect(folders.text(1, "k/f") == "text")
        #expect(rename(folders(0, "k/a\nb"), folders(0, "k/g")) == 0)
        #expect(try await folders.synchronize(0).skipped.isEmpty)
        try await folders.settle()
        #expect(try folders.common() == ["k/", "k/g=text"])
    }

    @Test("a partial scan replaces the list of skipped entries in its folders, and keeps the rest")
    func skipped() async throws {
        let folders = try await SyncFolders(1)
        let replica = folders.replicas[0]
        for folder in ["a", "b"] {
            try folders.makeFolder(0, folder)
            #expect(mkfifo(folders(0, "\(folder)/pipe"), 0o600) == 0)
        }
        #expect(try await Set(folders.synchronize(0).skipped.map(\.path.text)) == ["a/pipe", "b/pipe"])
        #expect(unlink(folders(0, "a/pipe")) == 0)
        let report = try await replica.synchronize(from: replica, changes: FolderChanges([["a"]]))
        #expect(report.skipped.map(\.path.text) == ["b/pipe"])
        folders.move(0, "b", to: "c")
        let moved = try await replica.synchronize(from: replica, changes: FolderChanges([[], ["c"]]))
        #expect(moved.skipped.map(\.path.text) == ["c/pipe"])
    }
}
