import GRDBSQLite
import Glibc
import PortolanFiles
import PortolanValues

/// The process that writes into one database for ``DatabaseWriter``. Its first two descriptors are one socket; one that
/// follows the third is the folder of the database, and the next one the snapshot.
package enum DatabaseWriterProcess {
    /// First argument, by which the program knows that this is its work.
    package static let word = "database-writer"
    static let write = "write"
    static let settle = "settle"
    static let folder: Int32 = 3
    static let snapshot: Int32 = 4

    /// Milliseconds for which locks of others are waited for.
    private static let patience: Int32 = 2000

    /// Returns the last error of a connection.
    private static func refusal(_ database: OpaquePointer?, _ result: Int32) -> StepRefusal {
        if [SQLITE_BUSY, SQLITE_LOCKED].contains(result & 0xFF) { return .databaseInUse }
        if result & 0xFF == SQLITE_FULL { return .failure(SystemFailure(ENOSPC)) }
        let text = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
        return .database(DisplayText(oneLine: "SQLite: \(text)", limit: 200))
    }

    /// - Parameter arguments: what follows ``word``.
    /// - Returns: exit code of the process.
    package static func run(_ arguments: [String]) -> Int32 {
        // A peer of the socket that has gone ends this process, and SQLite takes the transaction back.
        signal(SIGPIPE, SIG_DFL)
        guard arguments.count == 4, let device = UInt64(arguments[2]), let inode = UInt64(arguments[3]),
            fchdir(folder) == 0
        else { return 2 }
        do throws(StepRefusal) {
            let target = try open(arguments[1], SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW)
            defer { sqlite3_close(target) }
            guard let file = descriptor(of: device, inode) else {
                throw .database(DisplayText("Another file is in its place."))
            }
            switch arguments[0] {
            case write: try replace(target, file)
            case settle:
                try execute("PRAGMA schema_version", target)
                try execute("PRAGMA wal_checkpoint(TRUNCATE)", target)
            default: return 2
            }
        } catch {
            switch error {
            case .database(let text): tell(text.text)
            case .failure: tell(DatabaseWord.full.rawValue)
            default: tell(DatabaseWord.busy.rawValue)
            }
            return 1
        }
        tell(DatabaseWord.done.rawValue)
        return 0
    }

    private static func replace(_ target: OpaquePointer, _ file: Int32) throws(StepRefusal) {
        let source = try open(
            "file:/proc/self/fd/\(snapshot)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        defer { sqlite3_close(source) }
        try execute("PRAGMA synchronous = FULL", target)
        if usesLog(file), !usesLog(snapshot) || pageBytes(snapshot) != pageBytes(file) {
            // Mode and size of pages can change only while nobody else has the database open.
            try execute("PRAGMA journal_mode = DELETE", target)
            guard !usesLog(file) else { throw .databaseInUse }
        }
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw refusal(target, sqlite3_errcode(target))
        }
        // No page is copied yet: the first call locks the target against others that write.
        let locked = sqlite3_backup_step(backup, 0)
        guard locked == SQLITE_OK else {
            sqlite3_backup_finish(backup)
            throw refusal(nil, locked)
        }
        tell(DatabaseWord.locked.rawValue)
        guard hears(.go) else {
            sqlite3_backup_finish(backup)
            throw .changed
        }
        let copied = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard copied == SQLITE_DONE else { throw refusal(nil, copied) }
        guard finished == SQLITE_OK else { throw refusal(nil, finished) }
    }

    private static func open(_ name: String, _ flags: Int32) throws(StepRefusal) -> OpaquePointer {
        var database: OpaquePointer?
        let result = sqlite3_open_v2(name, &database, flags, nil)
        guard result == SQLITE_OK, let database else {
            defer { sqlite3_close(database) }
            throw refusal(database, result)
        }
        sqlite3_busy_timeout(database, patience)
        // Functions in a schema are not run: the database may be of others.
        sqlite3_exec(database, "PRAGMA trusted_schema = OFF", nil, nil, nil)
        return database
    }

    private static func execute(_ statement: String, _ database: OpaquePointer) throws(StepRefusal) {
        let result = sqlite3_exec(database, statement, nil, nil, nil)
        guard result == SQLITE_OK else { throw refusal(database, result) }
    }

    /// True if a database has a write-ahead log, as its header says.
    private static func usesLog(_ file: Int32) -> Bool {
        var byte: UInt8 = 0
        return pread(file, &byte, 1, 18) == 1 && byte == 2
    }

    /// Two bytes of the header.
    private static func pageBytes(_ file: Int32) -> [UInt8] {
        var bytes: [UInt8] = [0, 0]
        return pread(file, &bytes, 2, 16) == 2 ? bytes : []
    }

    /// Returns the descriptor by which SQLite has a file open. It is not closed here: that would end SQLite's locks.
    private static func descriptor(of device: UInt64, _ inode: UInt64) -> Int32? {
        (3..<64).first { (number: Int32) in
            var status = stat()
            return number != snapshot && fstat(number, &status) == 0 && UInt64(status.st_dev) == device
                && UInt64(status.st_ino) == inode
        }
    }

    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(1, bytes, bytes.count)
    }

    private static func hears(_ word: DatabaseWord) -> Bool {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 64, read(0, &byte, 1) == 1 {
            if byte == 10 { return bytes == Array(word.rawValue.utf8) }
            bytes.append(byte)
        }
        return false
    }
}
