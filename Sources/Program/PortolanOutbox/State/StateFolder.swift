import Foundation
import GRDB
import PortolanSyncFolder
import PortolanTrust

/// Private folder of a home's state, with the checks before SQLite opens the file in it: the agent's and the commands'.
package struct StateFolder: Sendable {
    private static let databaseName = "agent.sqlite"

    package let path: String
    package var database: String { "\(path)/\(Self.databaseName)" }
    /// File that exists after damage was found at run time: the next opening reads the whole database.
    private var damageMark: String { "\(database)-damaged" }
    /// File that exists until a new database has its tables: only then it may be empty.
    private var creationMark: String { "\(database)-new" }

    /// Creates the folder with mode 0700 if it is missing.
    ///
    /// - Parameter mounts: content of `/proc/self/mountinfo`; nil reads it.
    /// - Throws: `StoreError` if it is open to others or belongs to another user, ``AgentStateError`` if it is on a
    ///   network file system.
    package init(path: String, mounts: String? = nil) throws {
        self.path = path
        _ = try PrivateDirectory(path: path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw AgentStateError.system("examine", path: path) }
        let mounts = mounts ?? (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        if let name = Self.networkFileSystem(device: UInt64(status.st_dev), mounts: mounts) {
            throw AgentStateError(.networkFileSystem(name: name), path: path)
        }
        guard access(path, W_OK) == 0 else { throw AgentStateError.system("write to", path: path) }
    }

    /// Returns the name of the file system with this device number if it is a network one.
    ///
    /// - Parameter mounts: content of `/proc/self/mountinfo`.
    package static func networkFileSystem(device: UInt64, mounts: String) -> String? {
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        let minor = device & 0xff | device >> 12 & 0xffff_ff00
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == "\(major):\(minor)", let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            let type = String(fields[dash + 1])
            return networkFileSystems.contains(type) ? type : nil
        }
        return nil
    }

    private static let networkFileSystems: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.rclone",
        "fuse.glusterfs", "fuse.ceph",
    ]

    // MARK: - The database file

    /// True if the folder at a path has a database.
    package static func hasDatabase(_ path: String) -> Bool { access("\(path)/\(databaseName)", F_OK) == 0 }

    /// Opens or creates the database, and brings its schema up to date. Its transactions are durable.
    ///
    /// - Parameter isAlone: true if no other process can open the file meanwhile.
    /// - Throws: ``AgentStateError``; `StoreError` for a file that others control.
    package func connect(now: Date, isAlone: Bool = false) throws -> DatabaseQueue {
        // Of two processes that make the file, SQLite would refuse one at once.
        let lock = try? PrivateDirectory(existing: path)?.hold("\(Self.databaseName)-opening", patience: .seconds(10))
        defer { withExtendedLifetime(lock) {} }
        try makeDatabase()
        var configuration = Configuration()
        configuration.label = "agent-state"
        // A commit waits for the disk, which may be slow.
        configuration.busyMode = .timeout(30)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            if isAlone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216")
        }
        // Cursors of an earlier file are below those of a new one, if there were fewer than 1,000 entries a second.
        let migrator = AgentSchema.migrator(start: max(0, now.milliseconds))
        do {
            guard try isAlone || !migrator.hasBeenSuperseded(at: database) else {
                throw AgentStateError(.newer, path: database)
            }
            let queue = try DatabaseQueue(path: database, configuration: configuration)
            do {
                guard try !isAlone || !queue.read({ try migrator.hasBeenSuperseded($0) }) else {
                    throw AgentStateError(.newer, path: database)
                }
                if isMarkedDamaged {
                    let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
                    guard answer == "ok" else {
                        throw AgentStateError(.damaged(reason: answer ?? "no answer"), path: database)
                    }
                    removeDamageMark()
                }
                try migrator.migrate(queue)
                try queue.read { try AgentSchema.check($0) }
                unlink(creationMark)
            } catch {
                try? queue.close()
                throw error
            }
            return queue
        } catch let error as AgentStateError {
            throw error
        } catch let error as DatabaseError {
            throw AgentStateError(error, path: database)
        } catch {
            throw AgentStateError(.system(action: "open", reason: "\(error)"), path: database)
        }
    }

    /// Creates an empty database file with mode 0600, unless it exists. SQLite gives its other files the same mode.
    private func makeDatabase() throws {
        if access(database, F_OK) != 0 { close(open(creationMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
        let made = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard made >= 0 || errno == EEXIST else { throw AgentStateError.system("make", path: database) }
        if made >= 0 { close(made) }
        // Closing a file that is open for reading would end SQLite's locks on it in this process.
        let file = open(database, __O_PATH | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw AgentStateError.system("examine", path: database) }
        defer { close(file) }
        try PrivateDirectory.check(file, path: database, kind: S_IFREG, expected: "a regular file")
        guard access(database, W_OK) == 0 else { throw AgentStateError.system("write to", path: database) }
    }

    /// Returns damage that is visible before SQLite opens the file: no SQLite header, or a log without a database.
    package func visibleDamage() throws(AgentStateError) -> String? {
        let file = open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .system("open", path: database) }
            return access("\(database)-wal", F_OK) == 0 ? "its log is there, but not the file" : nil
        }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(file, &header, header.count)
        guard count >= 0 else { throw .system("read", path: database) }
        guard count > 0 else { return access(creationMark, F_OK) == 0 ? nil : "it is empty" }
        return header.starts(with: Array("SQLite format 3\0".utf8)) && count == header.count
            ? nil : "it is not a database"
    }

    /// Renames the database and its log to a name with the date, so that no data is lost.
    ///
    /// The log is renamed after the database: after a crash between the two, the next opening renames it.
    ///
    /// - Returns: the new path.
    package func setAside(at date: Date) throws(AgentStateError) -> String {
        let stamp =
            date.ISO8601Format(.iso8601(timeZone: .gmt, dateTimeSeparator: .standard))
            .filter { $0.isNumber || $0 == "T" } + "Z"
        var name = "\(database).damaged-\(stamp)"
        var number = 1
        while ["", "-wal", "-shm"].contains(where: { access(name + $0, F_OK) == 0 }) {
            number += 1
            name = "\(database).damaged-\(stamp)-\(number)"
        }
        for suffix in ["", "-shm", "-wal"] where rename(database + suffix, name + suffix) != 0 && errno != ENOENT {
            throw .system("move", path: database + suffix)
        }
        unlink(damageMark)
        synchronize()
        return name
    }

    package func markDamage() { close(open(damageMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }

    package var isMarkedDamaged: Bool { access(damageMark, F_OK) == 0 }

    package func removeDamageMark() { unlink(damageMark) }

    /// Flushes new and renamed files.
    package func synchronize() {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
