import Foundation
import GRDB
import Glibc
import Portolan
import PortolanClient
import PortolanCrypto
import PortolanTrust
import Testing

@testable import PortolanAgent

@Suite("The agent's state file")
struct AgentDatabaseTests {
    let folder = TemporaryFolder()

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("The folder and all files are private, and each commit is durable.")
    func privateAndDurable() throws {
        let path = "\(folder.path)/state/agent"
        let database = try open(path)
        #expect(try database.pragma("synchronous") == "2")
        #expect(try database.pragma("journal_mode") == "wal")
        #expect(try database.pragma("foreign_keys") == "1")
        try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        #expect(mode(path) == 0o700)
        for name in ["agent.sqlite", "agent.sqlite-wal", "agent.sqlite-shm", "agent.lock"] {
            #expect(mode("\(path)/\(name)") == 0o600, "\(name)")
        }
        #expect(database.damaged == nil)
    }

    @Test("A second agent is refused with the process of the first, and may come after it.")
    func oneAgent() throws {
        var lock: AgentLock? = try AgentLock(folder: folder.path)
        let failure = stateFailure { _ = try AgentLock(folder: folder.path) }
        #expect(failure == .inUse(process: getpid()))
        #expect("\(AgentStateError(.inUse(process: 42), path: "x"))".contains("process ID 42"))
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try AgentLock(folder: folder.path)
    }

    @Test("Content that is not a database is set aside under a name with the date, and reported.")
    func notADatabase() throws {
        try Data("secrets of mine".utf8).write(to: URL(fileURLWithPath: folder.database))
        #expect(chmod(folder.database, 0o600) == 0)
        let database = try open(folder)
        let damaged = try #require(database.damaged)
        #expect(damaged.path == "\(folder.database).damaged-20270115T080000Z")
        #expect(try String(contentsOfFile: damaged.path, encoding: .utf8) == "secrets of mine")
        #expect(try database.kinds() == ["state.set-aside"])
        let entry = try #require(try database.writeBlocking { try $0.journal.entries(after: nil).first })
        #expect(entry.body.contains(damaged.path))
    }

    @Test("A database that ends too early, or whose schema is overwritten, is set aside.", arguments: [true, false])
    func truncatedDatabaseIsSetAside(endsEarly: Bool) throws {
        try open(folder).close()
        if endsEarly {
            #expect(truncate(folder.database, 8192) == 0)
        } else {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
            try handle.seek(toOffset: 100)
            try handle.write(contentsOf: Data(repeating: 0xa5, count: 3000))
            try handle.close()
        }
        let database = try open(folder)
        let damaged = try #require(database.damaged)
        #expect(access(damaged.path, F_OK) == 0)
        #expect(try database.kinds() == ["state.set-aside"])
    }

    @Test("Parcels that can be read from a damaged file wait in the new one, for the keys that they were for.")
    func readableParcelsAreTakenOver() throws {
        let first = try open(folder)
        var parcels = try (1...4).map { try parcel($0) }
        let key = Fingerprint(ofKeyBytes: [7])
        parcels[0].meet(key)
        parcels[1] = try parcel(2, titles: [String(repeating: "B", count: 40_000)])
        try first.writeBlocking { [parcels] change throws in
            for parcel in parcels { try change.outbox.add(parcel) }
            try change.outbox.beginAttempt(id(1))
            try change.outbox.cancel(id(4))
            try change.database.execute(sql: "DELETE FROM journal")
        }
        first.close()
        // The pages of the second title lead nowhere any more.
        let file = URL(fileURLWithPath: folder.database)
        var bytes = Array(try Data(contentsOf: file))
        for page in stride(from: 0, to: bytes.count, by: 4096)
        where bytes[(page + 4)..<(page + 4096)].allSatisfy({ $0 == 0x42 }) {
            bytes.replaceSubrange(page..<(page + 4), with: [0xa5, 0xa5, 0xa5, 0xa5])
        }
        try Data(bytes).write(to: file)
        #expect(chmod(folder.database, 0o600) == 0)

        let second = try open(folder)
        let damaged = try #require(second.damaged)
        #expect(access(damaged.path, F_OK) == 0 && damaged.sentence.contains("2 parcels that could be read"))
        let kept = try second.writeBlocking { try $0.outbox.list() }
        #expect(kept.map(\.id) == [id(1), id(3)] && kept.allSatisfy { $0.state == .waiting })
        #expect(kept.map(\.fingerprint) == [key.description, nil])
        #expect(try second.writeBlocking { try $0.outbox.parcel(id(3)) } == parcels[2])
        #expect(try second.kinds() == ["state.set-aside", "outbox.queued", "outbox.queued"])
    }

    @Test("An empty file is damage, unless its creation was interrupted.")
    func emptyFile() throws {
        let database = try open(folder)
        try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        database.close()
        #expect(!folder.names.contains("agent.sqlite-new"))
        #expect(truncate(folder.database, 0) == 0)
        let second = try open(folder)
        #expect(second.damaged?.reason == "it is empty")
        #expect(try second.kinds() == ["state.set-aside"])

        let begun = TemporaryFolder()
        for name in [begun.database, begun.database + "-new"] { close(creat(name, 0o600)) }
        #expect(try open(begun).damaged == nil)
        #expect(!begun.names.contains("agent.sqlite-new"))
    }

    @Test("Two damaged files of one second keep names of their own.")
    func twoDamaged() throws {
        for _ in 0..<2 {
            try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.database))
            #expect(chmod(folder.database, 0o600) == 0)
            try open(folder).close()
        }
        #expect(folder.names.filter { $0.contains("damaged") }.count == 2)
    }

    @Test(
        "Damage behind the first and last rows is reported when it is read, and the next opening sets the file aside.")
    func damageInTheMiddle() throws {
        let first = try open(folder)
        try first.writeBlocking { change throws in
            for _ in 0..<3000 { try change.journal.append(.inboxWaiting, body: [String(repeating: "x", count: 200)]) }
        }
        let old = try first.newest()
        first.close()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size / 4)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: Int(size / 2)))
        try handle.close()

        let second = try open(folder)
        #expect(second.damaged == nil)
        let failure = stateFailure { try second.writeBlocking { _ = try $0.journal.entries(after: nil, limit: .max) } }
        guard case .damaged = failure else {
            Issue.record("unexpected: \(String(describing: failure))")
            return
        }
        second.close()
        let third = try open(folder, clock: SetClock(1_800_000_100))
        #expect(third.damaged != nil)
        #expect(folder.names.contains("agent.sqlite-damaged") == false)
        // A cursor of the old file is not one of the new file.
        #expect(throws: JournalError.self) { try third.writeBlocking { try $0.journal.entries(after: old) } }
    }

    @Test("A log without its database is not given to a new database.")
    func orphanedLog() throws {
        let database = try open(folder)
        try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        let copy = try folder.killed()
        #expect(unlink(copy.database) == 0)
        #expect(chmod(copy.database + "-wal", 0o600) == 0)
        let second = try open(copy)
        let damaged = try #require(second.damaged)
        #expect(access(damaged.path + "-wal", F_OK) == 0)
        #expect(try second.writeBlocking { try $0.outbox.list() }.isEmpty)
    }

    @Test("A file of a newer version is refused and left as it is.")
    func newerVersionIsRefused() throws {
        let database = try open(folder)
        try database.writeBlocking { try $0.database.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000')") }
        database.close()
        let before = FileManager.default.contents(atPath: folder.database)
        #expect(stateFailure { _ = try open(folder) } == .newer)
        #expect(folder.names.filter { !$0.contains("-") } == ["agent.lock", "agent.sqlite"])
        #expect(FileManager.default.contents(atPath: folder.database) == before)
    }

    @Test("A folder, a file and a link that others control are refused.")
    func pathsThatOthersControlAreRefused() throws {
        try open(folder).close()
        #expect(chmod(folder.database, 0o644) == 0)
        #expect(throws: StoreError(.tooOpen(mode: 0o644), path: folder.database)) { try open(folder) }
        #expect(rename(folder.database, folder.database + ".moved") == 0)
        #expect(symlink("agent.sqlite.moved", folder.database) == 0)
        guard case .system? = stateFailure({ _ = try open(folder) }) else {
            Issue.record("a link was followed")
            return
        }
        #expect(chmod(folder.path, 0o755) == 0)
        #expect(throws: StoreError(.tooOpen(mode: 0o755), path: folder.path)) { try open(folder) }
    }

    @Test("A folder on a network file system is recognized by its device.")
    func networkFileSystem() {
        let mounts = """
            25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
            90 25 0:52 / /home rw,relatime shared:9 - nfs4 server:/home rw,vers=4.2
            91 25 0:53 / /tmp rw - tmpfs none rw
            """
        #expect(StateFolder.networkFileSystem(device: 52, mounts: mounts) == "nfs4")
        #expect(StateFolder.networkFileSystem(device: 53, mounts: mounts) == nil)
        #expect(StateFolder.networkFileSystem(device: 254 << 8 | 1, mounts: mounts) == nil)
        #expect(StateFolder.networkFileSystem(device: 77, mounts: mounts) == nil)
    }

    @Test("A home on a network file system is refused, with the reason and a remedy.")
    func networkHome() throws {
        var status = stat()
        try #require(stat(folder.path, &status) == 0)
        let device = UInt64(status.st_dev)
        let (major, minor) = (device >> 8 & 0xfff | device >> 32 & ~0xfff, device & 0xff | device >> 12 & 0xffff_ff00)
        let mounts = "90 25 \(major):\(minor) / /home rw,relatime shared:9 - nfs4 server:/home rw,vers=4.2"
        #expect(
            stateFailure { _ = try StateFolder(path: folder.path, mounts: mounts) } == .networkFileSystem(name: "nfs4"))
        let error = AgentStateError(.networkFileSystem(name: "nfs4"), path: folder.path)
        #expect("\(error)".contains("nfs4") && "\(error)".contains("local disk"))
        #expect(folder.names.isEmpty)
    }

    @Test(
        "A read-only file system is reported, with and without a database.",
        .enabled(if: SmallDisk.isPermitted, "mounting a small file system needs root"))
    func readOnly() throws {
        let disk = SmallDisk()
        try open(disk.path).close()
        #expect(disk.remount(readOnly: true))
        #expect(stateFailure { _ = try open(disk.path) } == .readOnly)
        #expect(throws: StoreError(.system(action: "create", code: EROFS), path: disk.path + "/new")) {
            try open(disk.path + "/new")
        }
    }

    @Test(
        "A full disk is reported, keeps earlier commits, and ends when there is room again.",
        .enabled(if: SmallDisk.isPermitted, "mounting a small file system needs root"))
    func fullDisk() throws {
        let disk = SmallDisk()
        let database = try open(disk.path)
        try database.writeBlocking { try $0.outbox.add(parcel(1)) }
        disk.fill()
        let big = try parcel(2, content: Data(repeating: 1, count: 1 << 20))
        #expect(stateFailure { try database.writeBlocking { _ = try $0.outbox.add(big) } } == .full)
        #expect(try database.writeBlocking { try $0.outbox.list().map(\.id) } == [id(1)])
        #expect(try database.kinds() == ["outbox.queued"])
        disk.empty()
        try database.writeBlocking { try $0.outbox.add(parcel(3)) }
        #expect(try database.writeBlocking { try $0.outbox.list().map(\.id) } == [id(1), id(3)])
        database.close()
        disk.fill()
        #expect(stateFailure { _ = try open(disk.path + "/new") } == .full)
    }

    @Test(
        "On a full disk a file is opened and read, and its running parcels wait again when there is room.",
        .enabled(if: SmallDisk.isPermitted, "mounting a small file system needs root"))
    func fullDiskAtTheStart() throws {
        let disk = SmallDisk()
        let first = try open(disk.path)
        try first.writeBlocking { change throws in
            for number in 1...2 { try change.outbox.add(parcel(number)) }
            try change.outbox.beginAttempt(id(1))
        }
        first.close()
        disk.fill()
        let second = try open(disk.path)
        #expect(!second.isRecovered && second.damaged == nil)
        #expect(stateFailure { try second.writeBlocking { _ = try $0.outbox.add(parcel(3)) } } == .full)
        disk.empty()
        try second.writeBlocking { try $0.outbox.add(parcel(3)) }
        #expect(second.isRecovered)
        let states = try second.writeBlocking { try $0.outbox.list().map(\.state) }
        #expect(states == [.waiting, .waiting, .waiting])
    }

    @Test("A transaction that throws leaves nothing, and its followers asleep.")
    func failedTransactionLeavesNothing() async throws {
        let database = try open(folder)
        let cursor = try database.newest()
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await database.write { change throws in
                try change.outbox.add(parcel(1))
                throw Refusal()
            }
        }
        #expect(try database.newest() == cursor)
        #expect(try database.writeBlocking { try $0.outbox.list() }.isEmpty)
    }

    @Test("A cancelled task still records its event.")
    func cancelledTaskRecordsItsEntry() async throws {
        let database = try open(folder)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await database.write { try $0.outbox.add(parcel(1)) }
        }
        try await task.value
        #expect(try await database.read { try $0.outbox.list().count } == 1)
    }
}
