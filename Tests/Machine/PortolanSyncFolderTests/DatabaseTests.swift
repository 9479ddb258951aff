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
        folders.pass(10)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        let isWaiting = report.waiting.contains { if case .databaseInUse = $0 { true } else { false } }
        #expect(isWaiting, "\(report.waiting)")
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

    @Test("a database gets the size of pages and the mode of another device once nobody has it open")
    func pages() async throws {
        let folders = try await SyncFolders(2)
        try make(folders, 0, "ledger.db", .wal).close()
        try await settle(folders)
        let reader = try DatabaseProgram(folders(1, "ledger.db"))
        #expect(try reader.notes() == ["first"])
        let writer = try DatabaseProgram(folders(0, "ledger.db"))
        try writer.run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;")
        try writer.add("second")
        folders.pass(10)
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        let isWaiting = report.waiting.contains { if case .databaseInUse = $0 { true } else { false } }
        #expect(isWaiting, "\(report.waiting)")
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
}
