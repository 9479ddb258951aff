import Glibc
import PortolanFiles
import PortolanValues

/// Writes into databases that others have open, through a process of its own.
///
/// SQLite's locks belong to a process, and end when it closes any descriptor of the file: this one opens and closes
/// databases all the time. The process is this program, with ``DatabaseWriterProcess`` as its only work.
struct DatabaseWriter: Sendable {
    /// Seconds until the database is locked, and until it is written.
    private static let patience = (lock: Int32(10), write: Int32(600))
    static let ownProgram = "/proc/self/exe"

    var program = DatabaseWriter.ownProgram

    /// Replaces the content of a database in one transaction, so that its readers see the earlier state or the new one.
    ///
    /// - Parameter isExpected: called while nobody else can write.
    /// - Throws: ``StepRefusal``, ``SystemFailure``, or an error of `isExpected`.
    func write(
        _ snapshot: Descriptor, to name: String, in folder: Descriptor, _ identity: FileIdentity,
        isExpected: () throws -> Bool
    ) throws {
        let process = try DatabaseProcess(
            program, [DatabaseWriterProcess.write, name, "\(identity.device)", "\(identity.inode)"], folder, snapshot)
        defer { process.end() }
        try process.expect(.locked, within: Self.patience.lock)
        guard try isExpected() else { throw StepRefusal.changed }
        try process.tell(.go)
        try process.expect(.done, within: Self.patience.write)
    }

    /// Brings a database into its file alone.
    ///
    /// - Throws: ``StepRefusal/databaseInUse`` if a program has it open: what it wrote into a file that is moved away
    ///   would be lost.
    func close(_ name: String, in folder: Descriptor, _ look: FileLook) throws {
        let file = try look.storage.openFile(name, in: folder)
        if file.isOpenElsewhere == true { throw StepRefusal.databaseInUse }
        guard look.hasCompanions(name, in: folder) else { return }
        try settle(name, in: folder, try look.storage.status(of: file).identity)
        if look.hasCompanions(name, in: folder) { throw StepRefusal.databaseInUse }
    }

    /// Moves the log of a database into it, and ends a transaction that a crash has left.
    private func settle(_ name: String, in folder: Descriptor, _ identity: FileIdentity) throws {
        let process = try DatabaseProcess(
            program, [DatabaseWriterProcess.settle, name, "\(identity.device)", "\(identity.inode)"], folder, nil)
        defer { process.end() }
        try process.expect(.done, within: Self.patience.write)
    }
}

/// Words between the two processes, a line each. Another line of the process is the reason of a failure.
enum DatabaseWord: String {
    case locked, go, done, busy, full
}

/// A running process that has a database open.
private final class DatabaseProcess {
    private let process: SpawnedProcess
    private let line: Descriptor
    private var received: [UInt8] = []

    init(_ program: String, _ arguments: [String], _ folder: Descriptor, _ snapshot: Descriptor?) throws {
        let (own, given) = try SpawnedProcess.connection()
        line = own
        let files =
            [(folder, DatabaseWriterProcess.folder)] + (snapshot.map { [($0, DatabaseWriterProcess.snapshot)] } ?? [])
        process = try SpawnedProcess(
            program, ["portolan", DatabaseWriterProcess.word] + arguments,
            files: [(given, 0), (given, 1)] + files.map { (file: $0.0, as: $0.1) })
    }

    /// Waits for a word of the process.
    func expect(_ word: DatabaseWord, within seconds: Int32) throws {
        let line = try receive(within: seconds)
        if line == word.rawValue { return }
        if line == DatabaseWord.busy.rawValue { throw StepRefusal.databaseInUse }
        if line == DatabaseWord.full.rawValue { throw SystemFailure(ENOSPC) }
        throw StepRefusal.database(
            DisplayText(oneLine: line.isEmpty ? "The writer of databases ended early." : line, limit: 200))
    }

    func tell(_ word: DatabaseWord) throws {
        let bytes = Array((word.rawValue + "\n").utf8)
        guard send(line.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemFailure.last
        }
    }

    /// - Returns: the next line; empty if the process has ended.
    private func receive(within seconds: Int32) throws -> String {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            if let newline = received.firstIndex(of: 10) {
                defer { received.removeSubrange(...newline) }
                return String(decoding: received[..<newline], as: UTF8.self)
            }
            if Task.isCancelled { throw SystemFailure.interrupted }
            guard ContinuousClock.now < end, received.count < 4096 else { throw StepRefusal.databaseInUse }
            var wait = pollfd(fd: line.number, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 200) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = recv(line.number, &bytes, bytes.count, 0)
            if count == 0 { return "" }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw SystemFailure.last
            }
            received += bytes.prefix(count)
        }
    }

    /// Ends the process, which leaves the database as it was unless it has said that it is done.
    func end() {
        shutdown(line.number, Int32(SHUT_RDWR))
        // A process that has said its last word ends by itself, after it has closed the database.
        process.end(within: 5000)
    }
}
