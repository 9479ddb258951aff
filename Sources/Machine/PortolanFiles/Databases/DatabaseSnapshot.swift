import Glibc

/// State of an SQLite database at one moment: the pages of its file and its log as one file, without the fields that
/// differ between equal databases.
///
/// Another process may use the database meanwhile. It is not kept from reading, and from writing to a database without
/// a log only as long as ``read(_:in:by:isHeld:_:)`` lasts, where that finds no time between two transactions.
package struct DatabaseSnapshot {
    /// Size of the snapshot, in bytes.
    package let size: UInt64
    /// Time of the latest change.
    package let modified: FileTime

    private let header: DatabaseHeader
    /// All bytes, of a small database that is not held.
    private var copy: [UInt8]?
    private let file: Descriptor
    private let log: (content: DatabaseLog, file: Descriptor)?
    private let storage: any ReadableStorage

    /// Outcome of a reading.
    package enum Reading<Result> {
        /// The file is no database.
        case otherFile
        /// The database changes too fast, or another process has to repair it first.
        case busy
        case done(Result)
    }

    /// Attempts of one reading, and the pauses between them, in microseconds: they are in step with no other program.
    private static let attempts = (most: 40, pauses: UInt32(1000)...9000)

    /// Reads a database.
    ///
    /// - Parameters:
    ///   - isHeld: true if the caller sees to it that nobody writes.
    ///   - body: reads the snapshot; may run several times, and only the last result counts.
    package static func read<Result>(
        _ name: String, in folder: Descriptor, by storage: any ReadableStorage, isHeld: Bool = false,
        _ body: (DatabaseSnapshot) throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Reading<Result> {
        let file = try storage.openFile(name, in: folder)
        guard try header(of: file, storage) != nil else { return .otherFile }
        for attempt in 0..<attempts.most {
            if attempt > 0 { usleep(.random(in: attempts.pauses)) }
            if Task.isCancelled { throw .interrupted }
            let files = DatabaseOpening(name: name, folder: folder, file: file, storage: storage)
            if let result = try files.attempt(attempt, isHeld, body) { return .done(result) }
        }
        return .busy
    }

    /// - Returns: nil for another file.
    static func header(of file: Descriptor, _ storage: any ReadableStorage) throws(SystemFailure) -> DatabaseHeader? {
        let bytes = try storage.read(file, at: 0, count: DatabaseHeader.bytes)
        return bytes.withUnsafeBytes { DatabaseHeader($0) }
    }

    fileprivate init?(
        _ header: DatabaseHeader, _ file: Descriptor, _ status: FileStatus, _ log: (DatabaseLog, Descriptor)?,
        _ logTime: FileTime?, _ storage: any ReadableStorage
    ) {
        let pages = log?.0.pages.map(UInt64.init) ?? header.pages(ofFileWith: status.size)
        guard pages > 0 else { return nil }
        size = pages * UInt64(header.pageBytes)
        modified = max(status.modified, logTime ?? status.modified)
        self.header = header
        self.file = file
        self.log = log.map { (content: $0.0, file: $0.1) }
        self.storage = storage
    }

    /// Passes all bytes in order, in pieces of at most 256 KiB.
    package func pass(
        to body: (_ piece: UnsafeRawBufferPointer) throws(SystemFailure) -> Void
    ) throws(SystemFailure) {
        if let copy { return try Self.pass(copy, to: body) }
        let most = 256 << 10
        var bytes = [UInt8](repeating: 0, count: most)
        var offset: UInt64 = 0
        while offset < size {
            if Task.isCancelled { throw .interrupted }
            let count = Int(min(UInt64(most), size - offset))
            let outcome = bytes.withUnsafeMutableBytes { bytes in
                Result { () throws(SystemFailure) in
                    let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                    try fill(piece, at: offset)
                    try body(UnsafeRawBufferPointer(piece))
                }
            }
            try outcome.get()
            offset += UInt64(count)
        }
    }

    private static func pass(
        _ bytes: [UInt8], to body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
    ) throws(SystemFailure) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFailure) in try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// Returns the snapshot with all bytes in memory.
    fileprivate func copied() throws(SystemFailure) -> DatabaseSnapshot {
        var bytes = [UInt8](repeating: 0, count: Int(size))
        try bytes.withUnsafeMutableBufferPointer { (bytes) throws(SystemFailure) in
            try fill(UnsafeMutableRawBufferPointer(bytes), at: 0)
        }
        var snapshot = self
        snapshot.copy = bytes
        return snapshot
    }

    /// Fills a buffer of whole pages.
    private func fill(_ piece: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemFailure) {
        let page = header.pageBytes
        var filled = 0
        while filled < piece.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: piece[filled...])
            let count = try storage.read(file, into: rest, at: offset + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        // Pages that only the log has lie behind the end of the file.
        for place in filled..<max(filled, piece.count) { piece[place] = 0 }
        let first = offset / UInt64(page)
        for index in 0..<piece.count / page {
            let target = UnsafeMutableRawBufferPointer(rebasing: piece[index * page..<(index + 1) * page])
            let number = UInt32(truncatingIfNeeded: first + UInt64(index) + 1)
            if let log, let place = log.content.places[number] {
                guard try storage.read(log.file, into: target, at: place) == page else { throw SystemFailure(EIO) }
            }
            if number == 1 { DatabaseHeader.level(target, pages: size / UInt64(page)) }
            if (first + UInt64(index)) * UInt64(page) == UInt64(DatabaseLocks.pending) {
                for place in 0..<page { target[place] = 0 }
            }
        }
    }
}

/// Files of a database while one attempt to read it lasts.
private struct DatabaseOpening {
    /// Size, in bytes, up to which writers of a database without a log wait for the reading: some 50 ms.
    private static let longestLockedSize: UInt64 = 32 << 20
    /// Size, in bytes, up to which a database is read into memory, between two transactions.
    private static let largestCopy: UInt64 = 8 << 20
    /// Attempts to read a database without a log before writers have to wait.
    private static let freeAttempts = 20
    /// Most frames of a log, so that their places have room in memory.
    private static let mostFrames: UInt64 = 8 << 20

    let name: String
    let folder: Descriptor
    let file: Descriptor
    let storage: any ReadableStorage

    /// - Returns: nil if the attempt failed, because of others.
    func attempt<Result>(
        _ number: Int, _ isHeld: Bool, _ body: (DatabaseSnapshot) throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result? {
        guard let header = try DatabaseSnapshot.header(of: file, storage) else { return nil }
        if header.usesLog { return try attemptWithLog(body) }
        return isHeld || number >= Self.freeAttempts
            ? try attemptWithLock(isHeld, body) : try attemptBetween(body)
    }

    private func attemptWithLog<Result>(
        _ body: (DatabaseSnapshot) throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result? {
        // There is no index, and no lock, where nobody has the database open.
        let index = try open(DatabaseFiles.memory)
        if let index, try !DatabaseLocks.holdLog(index: index) { return nil }
        defer { withExtendedLifetime(index) {} }
        let before = try storage.status(of: file)
        // The header can change until the lock is there.
        guard index != nil || before.modified.isOlderThanTick,
            let header = try DatabaseSnapshot.header(of: file, storage), header.usesLog
        else { return nil }
        let logFile = try open(DatabaseFiles.log)
        let start = try logFile.map { (file) throws(SystemFailure) in try head(of: file) } ?? []
        var log: (DatabaseLog, Descriptor)?
        var time: FileTime?
        if let logFile {
            time = try storage.status(of: logFile).modified
            if let content = try read(logFile, start, header) { log = (content, logFile) }
        }
        guard let snapshot = DatabaseSnapshot(header, file, before, log, time, storage) else { return nil }
        let result = try body(snapshot)
        // A log that has begun anew, or pages that were moved meanwhile, mix two states.
        guard try same(before), try logFile.map({ (file) throws(SystemFailure) in try head(of: file) }) ?? [] == start,
            try isStill(logFile)
        else { return nil }
        return result
    }

    /// Reads between two transactions: each one changes the counter in the header, and has a journal while it writes.
    private func attemptBetween<Result>(
        _ body: (DatabaseSnapshot) throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result? {
        let before = try state()
        guard !before.hasJournal, let header = before.header, !header.usesLog,
            var snapshot = DatabaseSnapshot(header, file, before.status, nil, nil, storage)
        else { return nil }
        if snapshot.size <= Self.largestCopy {
            snapshot = try snapshot.copied()
            return try state() == before ? try body(snapshot) : nil
        }
        let result = try body(snapshot)
        return try state() == before ? result : nil
    }

    private func attemptWithLock<Result>(
        _ isHeld: Bool, _ body: (DatabaseSnapshot) throws(SystemFailure) -> Result
    ) throws(SystemFailure) -> Result? {
        if !isHeld {
            guard try storage.status(of: file).size <= Self.longestLockedSize, try DatabaseLocks.holdFile(file) else {
                return nil
            }
        }
        defer { if !isHeld { DatabaseLocks.releaseFile(file) } }
        // A transaction that nobody prepares is one that a crash has left: the next opening takes it back.
        if !isHeld, !DatabaseLocks.isReserved(file), try hasJournal() { return nil }
        let before = try storage.status(of: file)
        guard let header = try DatabaseSnapshot.header(of: file, storage), !header.usesLog,
            let snapshot = DatabaseSnapshot(header, file, before, nil, nil, storage)
        else { return nil }
        let result = try body(snapshot)
        return try same(before) ? result : nil
    }

    /// State that every transaction of a database without a log changes.
    private struct State: Equatable {
        var status: FileStatus
        var header: DatabaseHeader?
        var counter: [UInt8]
        var hasJournal: Bool
        /// Time of the folder, in which journals come and go.
        var changed: FileTime
    }

    private func state() throws(SystemFailure) -> State {
        State(
            status: try storage.status(of: file), header: try DatabaseSnapshot.header(of: file, storage),
            counter: try storage.read(file, at: 24, count: 4), hasJournal: try hasJournal(),
            changed: try storage.status(of: folder).changed)
    }

    private func open(_ suffix: String) throws(SystemFailure) -> Descriptor? {
        do throws(SystemFailure) {
            return try storage.openFile(name + suffix, in: folder)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    private func head(of log: Descriptor) throws(SystemFailure) -> [UInt8] {
        try storage.read(log, at: 0, count: DatabaseLog.headerBytes)
    }

    /// Reads a log to its last whole transaction.
    private func read(
        _ file: Descriptor, _ head: [UInt8], _ header: DatabaseHeader
    ) throws(SystemFailure) -> DatabaseLog? {
        guard var log = head.withUnsafeBytes({ DatabaseLog(header: $0, pageBytes: header.pageBytes) }) else {
            return nil
        }
        let frame = DatabaseLog.frameBytes + header.pageBytes
        let atOnce = max(1, (256 << 10) / frame) * frame
        var place = UInt64(DatabaseLog.headerBytes)
        while place < Self.mostFrames * UInt64(frame) {
            let bytes = try storage.read(file, at: place, count: atOnce)
            var used = 0
            while used + frame <= bytes.count {
                let isTaken = bytes.withUnsafeBytes { bytes in
                    log.take(frame: UnsafeRawBufferPointer(rebasing: bytes[used..<used + frame]))
                }
                guard isTaken else { return log.pages == nil ? nil : log }
                used += frame
            }
            if used < atOnce { break }
            place += UInt64(used)
        }
        return log.pages == nil ? nil : log
    }

    private func same(_ before: FileStatus) throws(SystemFailure) -> Bool {
        let after = try storage.status(of: file)
        return after.size == before.size && after.modified == before.modified && after.identity == before.identity
    }

    /// True if the log at its name is the one that was read.
    private func isStill(_ log: Descriptor?) throws(SystemFailure) -> Bool {
        let now = try? storage.status(of: name + DatabaseFiles.log, in: folder)
        guard let log else { return now == nil }
        return try storage.status(of: log).identity == now?.identity
    }

    /// True if there is the journal of a transaction.
    private func hasJournal() throws(SystemFailure) -> Bool {
        guard let journal = try open(DatabaseFiles.journal) else { return false }
        return try storage.read(journal, at: 0, count: 8).contains { $0 != 0 }
    }
}

extension FileTime {
    /// True if a later change has another time, by the clock of file systems.
    fileprivate var isOlderThanTick: Bool {
        let now = FileTime.now
        let passed = (now.seconds - seconds) * 1_000_000_000 + Int64(now.nanoseconds) - Int64(nanoseconds)
        return passed > 20_000_000 || passed < 0
    }
}
