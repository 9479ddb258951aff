import Foundation
import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// SQLite databases in a folder: each is one content, and programs have it open.
@Suite(.enabled(if: DatabaseProgram.isThere, "there is no sqlite3")) struct DatabaseTests {
    private enum Mode: String, CaseIterable { case wal, delete }

    private func make(_ folders: SyncFolders, _ number: Int, _ name: String, _ mode: Mode) throws -> DatabaseProgram {
        let program = try DatabaseProgram(folders(number, name))
        #expect(try program.run("PRAGMA journal_mode = \(mode.rawValue);") == [mode.rawValue])
        try program.run("CREATE TABLE note (text TEXT);")
        try program.add("first")
        return program
    }

    /// Expects that the news of the first device wait on the second one until a program there closes a database.
    private func expectToWait(_ folders: SyncFolders) async throws {
        folders.pass(10)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        let isWaiting = report.waiting.contains { if case .databaseInUse = $0 { true } else { false } }
        #expect(isWaiting, "\(report.waiting)")
    }

    private func inode(_ folders: SyncFolders, _ number: Int, _ name: String) throws -> UInt64 {
        try KernelStorage().status(ofPath: folders(number, name)).identity.inode
    }

    private func names(_ folders: SyncFolders, _ number: Int) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folders(number)).filter { $0 != ControlFolder.name }
            .sorted()
    }

    /// Lets the pauses between the readings of a database pass, of which there are several.
    private func settle(_ folders: SyncFolders) async throws {
        for _ in 0..<3 {
            folders.pass(10)
            try await folders.settle()
        }
    }

    @Test(
        "a program that has a database open sees what another device writes, in the same file", arguments: Mode.allCases
    )
    private func live(mode: Mode) async throws {
        let folders = try await SyncFolders(2)
        let writer = try make(folders, 0, "ledger.db", mode)
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first"])
        let file = try inode(folders, 1, "ledger.db")
        for round in 1...3 {
            try writer.add("\(round)")
            try await settle(folders)
            #expect(try reader.notes() == ["first"] + (1...round).map(String.init))
        }
        try reader.add("back")
        try await settle(folders)
        #expect(try writer.notes().last == "back")
        #expect(try inode(folders, 1, "ledger.db") == file)
        for number in 0...1 { #expect(try !names(folders, number).contains { $0.contains("conflict") }) }
        // Two versions of one minute are one in the history.
        #expect(try await folders.replicas[1].history(of: "ledger.db").count == 1)
    }

    @Test("a checkpoint and the last close are no change of a database")
    func checkpoint() async throws {
        let folders = try await SyncFolders(2)
        let writer = try make(folders, 0, "ledger.db", .wal)
        try await settle(folders)
        let before = try await folders.replicas[0].heard(of: SyncFolders.device(0))
        let sequence = try folders.replicas[0].index.read(\.sequence)
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE);")
        try await settle(folders)
        try writer.close()
        try await settle(folders)
        #expect(try folders.replicas[0].index.read(\.sequence) == sequence)
        #expect(try await folders.replicas[0].heard(of: SyncFolders.device(0)) == before)
        #expect(try names(folders, 0) == ["ledger.db"])
    }

    @Test("databases that were written apart are two, each whole, and no rows are merged", arguments: Mode.allCases)
    private func conflict(mode: Mode) async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 0, "ledger.db", mode).close()
        try await settle(folders)
        for number in 0...1 {
            let writer = try DatabaseProgram(folders(number, "ledger.db"))
            try writer.add("by \(number)")
            try writer.close()
            try await folders.synchronize(number)
        }
        try await settle(folders)
        for number in 0...1 {
            let found = try names(folders, number)
            try #require(found.count == 2, "\(found)")
            let contents = try found.map { name in
                let queue = try DatabaseProgram(folders(number, name))
                defer { try? queue.close() }
                return try queue.notes()
            }
            #expect(Set(contents) == [["first", "by 0"], ["first", "by 1"]])
        }
        try await settle(folders)
        #expect(try names(folders, 0) == names(folders, 1))
    }

    @Test("the removal of a database waits until it is closed, and loses nothing that was written meanwhile")
    func removal() async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 0, "ledger.db", .wal).close()
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first"])
        try folders.remove(0, "ledger.db")
        try await expectToWait(folders)
        #expect(try reader.notes() == ["first"])
        try reader.close()
        try await settle(folders)
        #expect(try names(folders, 1).isEmpty)
    }

    @Test(
        "a member cannot put a log or a journal beside a database", arguments: ["ledger.db-wal", "ledger.db-journal"])
    func companion(name: String) async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 1, "ledger.db", .delete).close()
        try await folders.synchronize(1)
        // The name is an ordinary one where no database is.
        try folders.write(0, name, "pages of others")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        #expect(report.waiting.contains(.name(SyncName(name))), "\(report.waiting)")
        #expect(try names(folders, 1) == ["ledger.db"])
    }

    @Test("a database takes no place where a log of its name is")
    func leftLog() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(1, "ledger.db-wal", "a log without a database")
        try await folders.synchronize(1)
        try make(folders, 0, "ledger.db", .delete).close()
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        #expect(report.waiting.contains(.inTheWay(SyncName("ledger.db"))), "\(report.waiting)")
        #expect(folders.text(1, "ledger.db-wal") == "a log without a database")
        #expect(try names(folders, 1) == ["ledger.db-wal"])
    }

    @Test("a database that waits for the taking back of a transaction is not read")
    func hotJournal() async throws {
        let folders = try await SyncFolders(1)
        let writer = try make(folders, 0, "ledger.db", .delete)
        try await folders.synchronize(0)
        let sequence = try folders.replicas[0].index.read(\.sequence)
        try writer.close()
        let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try Data(journal).write(to: URL(fileURLWithPath: folders(0, "ledger.db-journal")))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folders(0, "ledger.db")))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folders(0, "ledger.db")))
        folders.pass(10)
        let report = try await folders.synchronize(0)
        #expect(report.skipped.contains { $0.reason == .database }, "\(report.skipped)")
        #expect(try folders.replicas[0].index.read(\.sequence) == sequence)
    }

    @Test("a database gets the size of pages and the mode of another device when its program has closed it")
    func pages() async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 0, "ledger.db", .wal).close()
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first"])
        let writer = try DatabaseProgram(folders(0, "ledger.db"))
        try writer.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;")
        try writer.add("second")
        try await expectToWait(folders)
        #expect(try reader.notes() == ["first"])
        try reader.close()
        try await settle(folders)
        let later = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try later.notes() == ["first", "second"])
        #expect(try later.run("PRAGMA page_size; PRAGMA journal_mode;") == ["8192", "delete"])
    }

    @Test("a version of the history is not put in the place of a database that a program has open")
    func restoring() async throws {
        let folders = try await SyncFolders(2)
        let writer = try make(folders, 0, "ledger.db", .wal)
        try await settle(folders)
        try writer.add("second")
        try await settle(folders)
        let history = try #require(
            try await FolderHistory.open(
                folder: folders(1), index: "\(folders.path)/1.sqlite", writer: SyncFolders.writer))
        let version = try #require(try await history.records(of: "ledger.db").first)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first", "second"])
        await #expect(throws: SyncError.self) { try await history.restore(version) }
        try reader.close()
        try await history.restore(version)
        try await settle(folders)
        #expect(try writer.notes() == ["first"])
    }

    @Test("a link in the place of a database is not followed")
    func link() async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 0, "ledger.db", .wal).close()
        try await settle(folders)
        let other = folders.path + "/other.db"
        try FileManager.default.copyItem(atPath: folders(1, "ledger.db"), toPath: other)
        let before = try Data(contentsOf: URL(fileURLWithPath: other))
        try folders.remove(1, "ledger.db")
        #expect(symlink(other, folders(1, "ledger.db")) == 0)
        let writer = try DatabaseProgram(folders(0, "ledger.db"))
        try writer.add("second")
        try await settle(folders)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
    }

    @Test("a database that its owner may not write to is replaced, and one in such a folder is written to")
    func readOnly() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "closed")
        for name in ["ledger.db", "closed/ledger.db"] { try make(folders, 0, name, .delete).close() }
        #expect(chmod(folders(0, "ledger.db"), 0o444) == 0 && chmod(folders(0, "closed"), 0o555) == 0)
        defer { for number in 0...1 { _ = chmod(folders(number, "closed"), 0o755) } }
        try await settle(folders)
        #expect(chmod(folders(0, "ledger.db"), 0o644) == 0 && chmod(folders(0, "closed"), 0o755) == 0)
        for name in ["ledger.db", "closed/ledger.db"] {
            let writer = try DatabaseProgram(folders(0, name))
            try writer.add("second")
            try writer.close()
        }
        #expect(chmod(folders(0, "ledger.db"), 0o444) == 0 && chmod(folders(0, "closed"), 0o555) == 0)
        try await settle(folders)
        for name in ["ledger.db", "closed/ledger.db"] {
            let reader = try DatabaseProgram(folders(1, name))
            #expect(try reader.notes() == ["first", "second"], "\(name)")
            try reader.close()
        }
        #expect(try KernelStorage().status(ofPath: folders(1, "ledger.db")).mode & 0o777 == 0o444)
    }

    @Test("a disk without room for a snapshot keeps no database from being read")
    func fullDisk() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [0: disk])
        let writer = try make(folders, 0, "ledger.db", .wal)
        try await settle(folders)
        try writer.add("second")
        disk.leaveRoom(4096)
        folders.pass(10)
        let report = try await folders.synchronize(0)
        #expect(
            !report.skipped.contains { if case .unreadable = $0.reason { true } else { false } }, "\(report.skipped)")
        disk.leaveRoom(nil)
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first", "second"])
    }

    @Test("of a log with a damaged byte the whole transactions before it count, and nothing else")
    func damagedLog() throws {
        let path = SyncFolders.parent + "/portolan-log-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try KernelStorage().openFolder(path: path)
        let look = FileLook(storage: KernelStorage(), now: { .now })
        func digest() throws -> ContentDigest? {
            guard case .known(let known) = try look.readDatabase("copy.db", in: folder) else { return nil }
            return known.form?.digest
        }
        func copy(_ log: Data?) throws {
            try Data(contentsOf: URL(fileURLWithPath: path + "/live.db")).write(
                to: URL(fileURLWithPath: path + "/copy.db"))
            try? FileManager.default.removeItem(atPath: path + "/copy.db-wal")
            try log?.write(to: URL(fileURLWithPath: path + "/copy.db-wal"))
            // A change within the same tick of the clock would look like one of another program.
            usleep(25_000)
        }
        let live = try DatabaseProgram(path + "/live.db")
        try live.run("PRAGMA journal_mode = WAL; CREATE TABLE note (text TEXT); PRAGMA wal_checkpoint(TRUNCATE);")
        try copy(nil)
        var states = [try #require(try digest())]
        for round in 1...5 {
            try live.add(String(repeating: "\(round)", count: 3000))
            try copy(try Data(contentsOf: URL(fileURLWithPath: path + "/live.db-wal")))
            states.append(try #require(try digest()))
        }
        #expect(Set(states).count == 6)
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "/live.db-wal"))
        var seen: Set<ContentDigest> = []
        for place in stride(from: 3, to: log.count, by: max(1, log.count / 60)) {
            var damaged = log
            damaged[place] ^= 0x10
            try copy(damaged)
            let found = try #require(try digest())
            #expect(states.contains(found), "byte \(place)")
            seen.insert(found)
            try copy(log.prefix(place))
            #expect(states.contains(try #require(try digest())), "cut at \(place)")
        }
        #expect(seen.count == 5)
        try live.close()
    }

    @Test("a database takes the place of no file that a program has open to make one of it")
    func empty() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "ledger.db", "")
        try await settle(folders)
        let program = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try program.run("SELECT 1;") == ["1"])
        try make(folders, 0, "ledger.db", .delete).close()
        try await expectToWait(folders)
        try program.close()
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first"])
    }

    @Test("the deletion of a file that belongs to a database here counts, and changes nothing on the disk")
    func deletedCompanion() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "ledger.db-journal", "an ordinary file so far")
        try await settle(folders)
        try make(folders, 1, "other.db", .delete).close()
        folders.move(1, "other.db", to: "ledger.db")
        try folders.remove(0, "ledger.db-journal")
        try await settle(folders)
        #expect(folders.text(1, "ledger.db-journal") == "an ordinary file so far")
        let reports = try await folders.settle()
        #expect(reports.allSatisfy { $0.waiting.isEmpty }, "\(reports.map(\.waiting))")
        #expect(try names(folders, 0) == [])
    }
}
