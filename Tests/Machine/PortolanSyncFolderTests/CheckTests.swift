import Foundation
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// Damaged indexes, which are found by comparison with the disk, and repaired without a loss.
@Suite(.atOnce(4)) struct CheckTests {
    private static let files = ["b=2", "x/", "x/y/", "x/y/a=1"]

    private func withFiles(_ settings: SyncSettings = .unguarded) async throws -> SyncFolders {
        let folders = try await SyncFolders(2, settings: settings)
        try folders.makeFolder(0, "x/y")
        try folders.write(0, "x/y/a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        try await folders.checkAll()
        return folders
    }

    /// Repairs the index of the first device: it has these faults before, and none afterwards, and all devices have
    /// all files.
    @discardableResult
    private func repair(
        _ folders: SyncFolders, _ kinds: Set<SyncFinding.Kind>, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SyncRepair {
        let replica = folders.replicas[0]
        let found = try await replica.check()
        #expect(Set(found.findings.map(\.kind)) == kinds, sourceLocation: sourceLocation)
        let repair = try await replica.repair()
        #expect(Set(repair.found.findings) == Set(found.findings), sourceLocation: sourceLocation)
        #expect(repair.left.findings.isEmpty, sourceLocation: sourceLocation)
        try await folders.settle()
        #expect(try folders.common() == Self.files, sourceLocation: sourceLocation)
        try await folders.checkAll(sourceLocation: sourceLocation)
        return repair
    }

    /// Changes the index of the first device behind its back.
    private func damage(
        _ folders: SyncFolders, _ name: String,
        _ body: @escaping @Sendable (StoredIndex, AgreedEntry, FilePlace) throws -> Void
    ) async throws {
        try await folders.replicas[0].exclusively { replica in
            let root = try #require(replica.folder).handle.number
            try replica.index.transact { index in
                let id = try #require(index.entry(in: .root, named: SyncName(name)))
                try body(index, try #require(index.entry(id)), FilePlace(folder: root, name: SyncName(name)))
            }
        }
    }

    @Test("a folder that one scan has taken for two is one again, with all that others put into either")
    func phantom() async throws {
        let folders = try await withFiles()
        try await damage(folders, "x") { index, entry, _ in
            index.counter += 1
            let dot = Dot(index.replica, index.counter)
            var record = NodeRecord(id: NodeID(dot), kind: .folder)
            record.move(dot, to: NodePlace(.root, entry.name))
            index.store(record, isNews: true)
            index.mark([record.id])
            var second = AgreedEntry(
                id: index.newEntryID(), parent: .root, name: entry.name, kind: .folder, handle: entry.handle,
                form: nil, seen: [SeenVersions(record.id)])
            second.metadata = entry.metadata
            index.set(second)
        }
        // The other device hears of it before the repair.
        try await folders.pull(1, from: 0)
        try await folders.synchronize(1)
        let repair = try await repair(folders, [.double, .phantom])
        #expect(!repair.beganEpoch)
        #expect(repair.found.findings.allSatisfy { $0.path.text == "x" })
    }

    @Test("a file that is missing without a scan that noticed comes back")
    func missing() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "b")
        try await damage(folders, "b") { index, _, place in index.forget(place) }
        let repair = try await repair(folders, [.missing])
        #expect(!repair.beganEpoch)
    }

    @Test("wrong digests are those of the disk again, without a record")
    func content() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, entry, place in
            var wrong = entry
            wrong.form?.digest = ContentDigest(7)
            index.set(wrong)
            var file = try #require(index.file(at: place))
            file.form = wrong.form
            file.isRacy = false
            index.remember(file, at: place)
        }
        let before = try await folders.replicas[0].position()
        let repair = try await repair(folders, [.version, .content])
        #expect(!repair.beganEpoch)
        #expect(try await folders.replicas[0].position() == before)
    }

    @Test("wrong times and permissions of folders are those of the disk again, without a record")
    func metadata() async throws {
        let folders = try await withFiles()
        for name in ["b", "x"] {
            try await damage(folders, name) { index, entry, _ in
                var wrong = entry
                wrong.metadata = entry.kind == .folder ? .permissions(0o511) : .time(ModificationTime(7))
                wrong.shown = nil
                index.set(wrong)
            }
        }
        let before = try await folders.replicas[0].position()
        let repair = try await repair(folders, [.version, .metadata])
        #expect(!repair.beganEpoch && Set(repair.found.findings.map(\.path.text)) == ["b", "x"])
        #expect(try await folders.replicas[0].position() == before)
    }

    @Test("a file that a program has open and goes on writing is no finding")
    func written() async throws {
        // By the clock of this device, no file was changed just now.
        let folders = try await SyncFolders(1, clocks: [0: 100])
        try folders.write(0, "b", "2")
        try await folders.synchronize(0)
        let file = try #require(FileHandle(forWritingAtPath: folders(0, "b")))
        try file.write(contentsOf: Data("longer".utf8))
        // A time to come counts as the present: the file is not at rest yet.
        folders.setTime(0, "b", ModificationTime(FileTime.now.seconds + 3600))
        #expect(try await folders.replicas[0].check().isSilent)
        try file.close()
    }

    @Test("a known state that is not that of the file is read again")
    func known() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, _, place in
            var file = try #require(index.file(at: place))
            file.form?.digest = ContentDigest(7)
            file.isRacy = false
            index.remember(file, at: place)
        }
        let before = try await folders.replicas[0].position()
        try await repair(folders, [.known])
        #expect(try await folders.replicas[0].position() == before)
    }

    @Test("known states of files and folders that are gone do not remain")
    func gone() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, _, place in
            let file = try #require(index.file(at: place))
            index.remember(file, at: FilePlace(folder: place.folder, name: SyncName("gone")))
            index.remember(file, at: FilePlace(folder: place.folder + 1_000_000, name: SyncName("gone")))
        }
        try await folders.checkAll()
        #expect(try folders.replicas[0].index.read(\.knowsAllEntries))
    }

    @Test("a file that is there does not count as held")
    func held() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, entry, _ in
            var held = entry
            held.isHeld = true
            index.set(held)
        }
        #expect(try await !repair(folders, [.held]).beganEpoch)
    }

    @Test("a file without an entry is the one that the records have")
    func untracked() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, entry, _ in index.removeEntry(entry.id) }
        let before = try await folders.replicas[0].position()
        try await repair(folders, [.untracked, .unplaced])
        #expect(try await folders.replicas[0].position() == before)
    }

    @Test("an index without the record of a file begins anew, and the file stays")
    func unrecorded() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, entry, _ in for seen in entry.seen { index.drop(seen.node) } }
        #expect(try await repair(folders, [.unrecorded]).beganEpoch)
    }

    @Test("entries of no folder, false rings, and impossible positions are found")
    func rest() async throws {
        let folders = try await withFiles()
        try await damage(folders, "x") { index, entry, _ in
            var lost = AgreedEntry(
                id: index.newEntryID(), parent: EntryID(9999), name: SyncName("lost"), kind: .folder,
                handle: FileHandleID(.max), form: nil, seen: [])
            lost.metadata = entry.metadata
            index.set(lost)
            index.cycleBreakers.insert(entry.seen[0].node)
            index.acknowledge(
                PortolanSyncPlan.ChangeCursor(index.replica, index.sequence + 100), by: SyncFolders.device(1))
        }
        let found = try await folders.replicas[0].check().findings
        #expect(Set(found.map(\.kind)).isSuperset(of: [.lost, .ring, .position]))
        #expect(try await folders.replicas[0].repair().left.findings.isEmpty)
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("a node that waits without a reason is told, and waits no more after a repair")
    func unexplained() async throws {
        let folders = try await withFiles()
        // Files that changed just now would be looked at again, which is a reason to wait.
        try folders.stopClock()
        try folders.write(1, "x/y/c", "3")
        try await folders.synchronize(1)
        try await damage(folders, "x") { index, entry, _ in
            var lost = entry
            lost.parent = EntryID(9999)
            index.set(lost)
        }
        try await folders.pull(0, from: 1)
        let replica = folders.replicas[0]
        let others = SyncFolders.Others(replicas: [folders.replicas[1]])
        let waiting = try await replica.synchronize(from: others, changes: .none).waiting
        #expect(waiting.contains { if case .unexplained = $0 { true } else { false } }, "\(waiting)")
        #expect(try await replica.repair().left.isSilent)
        try await folders.settle()
        #expect(try folders.common() == Self.files + ["x/y/c=3"])
    }

    @Test("an index that cannot be read begins anew, and nothing is lost")
    func unreadable() async throws {
        let folders = try await withFiles()
        try await damage(folders, "b") { index, _, _ in
            _ = try index.transaction.nodes("UPDATE node SET record = x'09' RETURNING id")
        }
        await #expect { try await folders.replicas[0].check() } throws: { ($0 as? SyncError)?.kind == .index }
        let repair = try await folders.replicas[0].repair()
        #expect(repair.beganEpoch && repair.left.isSilent && repair.found.findings.map(\.kind) == [.index])
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("a folder that is left alone begins anew only if a person says so")
    func halted() async throws {
        let folders = try await withFiles()
        try FileManager.default.removeItem(atPath: folders(0))
        try folders.makeFolder(0, "")
        let replica = folders.replicas[0]
        await #expect { try await replica.check() } throws: { ($0 as? SyncError)?.kind == .halted(.rootEmptied) }
        await #expect { try await replica.repair() } throws: { ($0 as? SyncError)?.kind == .halted(.rootEmptied) }
        let repair = try await replica.repair(startsOver: true)
        #expect(repair.beganEpoch && repair.left.isSilent)
        try await folders.settle()
        #expect(try folders.common() == Self.files)
        try await folders.checkAll()
    }

    @Test("ignored, waiting and held entries are no finding")
    func silent() async throws {
        let folders = try await withFiles(SyncSettings())
        try folders.write(0, ".portolanignore", "*.o\n/build\n")
        try folders.write(0, "x/c.o", "object")
        try folders.makeFolder(0, "build/below")
        try folders.write(0, "build/below/d", "4")
        #expect(mkfifo(folders(0, "pipe"), 0o600) == 0)
        #expect(link(folders(0, "b"), folders(0, "b 2")) == 0)
        #expect(symlink("b", folders(0, "x/link")) == 0)
        try await folders.settle()
        try await folders.checkAll("after skipped files")
        // Content that nobody in reach has.
        try folders.write(1, "far", "5")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        #expect(try await folders.replicas[0].check().isSilent)
        try await folders.settle()
        for device in 0..<2 { try folders.write(device, "b", "by \(device)") }
        try await folders.settle()
        try await folders.checkAll("after a conflict")
        for number in 0..<20 { try folders.write(0, "x/\(number)", "\(number)") }
        try await folders.settle()
        try folders.remove(0, "x")
        try await folders.settle()
        try await folders.checkAll("with a held deletion")
        #expect(folders.text(1, "x/19") == "19")
    }
}
