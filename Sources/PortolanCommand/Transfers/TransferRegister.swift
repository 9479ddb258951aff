import Foundation
import Portolan
import PortolanTrust

/// The sendings of this device that run or can be gone on with: a file for each, locked by the process that works on it.
struct TransferRegister: Sendable {
    private let path: String

    init(_ home: HomeDirectory) {
        path = home.state + "/transfers"
    }

    /// What is in the register.
    struct Contents: Sendable {
        /// The oldest first.
        var transfers: [TransferRecord] = []
        /// One sentence for each record that was passed over.
        var complaints: [String] = []
    }

    /// All that can be read. What was sent by a process that is gone and cannot be gone on with is taken off the list.
    ///
    /// - Parameter lifetime: how long one that nobody works on is kept.
    func contents(lifetime: Duration, now: Date = .now) throws(StoreError) -> Contents {
        var contents = Contents()
        guard let folder = try PrivateDirectory(existing: path) else { return contents }
        for id in try ids(in: folder) {
            do throws(TransferDefect) {
                guard var record = try read(id, in: folder) else { continue }
                if (try? folder.isHeld(id.lock)) ?? true {
                    contents.transfers.append(record)
                } else if record.parcel == nil || now.timeIntervalSince(record.changed) > lifetime.inSeconds {
                    try? remove(id, in: folder)
                } else {
                    record.status = .resumable
                    contents.transfers.append(record)
                }
            } catch {
                contents.complaints.append(complaint(about: id, error))
            }
        }
        contents.transfers.sort { ($0.created, $0.id) < ($1.created, $1.id) }
        return contents
    }

    /// The record of one, with its state at this moment.
    ///
    /// - Throws: `CommandFailure` if there is none that can be read.
    private func record(_ id: RecordID) throws -> TransferRecord {
        guard let folder = try PrivateDirectory(existing: path) else { throw Self.unknown(id) }
        do {
            guard var record = try read(id, in: folder) else { throw Self.unknown(id) }
            if try !folder.isHeld(id.lock) { record.status = .resumable }
            return record
        } catch let defect as TransferDefect {
            throw CommandFailure(.badData, complaint(about: id, defect))
        }
    }

    /// Tells the process that works on it to stop.
    ///
    /// - Throws: `CommandFailure` if there is none, or nobody works on it.
    func cancel(_ id: RecordID) throws -> TransferRecord {
        let record = try record(id)
        guard record.status != .resumable else { throw CommandFailure.idle(id) }
        let folder = try PrivateDirectory(path: path)
        _ = try folder.create(id.marker, [])
        return record
    }

    /// Takes one off the list that nobody works on.
    ///
    /// - Throws: `CommandFailure` if there is none, or it runs.
    func forget(_ id: RecordID) throws -> TransferRecord {
        let (record, lock) = try take(id)
        defer { withExtendedLifetime(lock) {} }
        try remove(id)
        return record
    }

    /// Locks one that nobody works on, to go on with it.
    ///
    /// - Throws: `CommandFailure` if there is none, or it runs.
    func take(_ id: RecordID) throws -> (TransferRecord, HeldLock) {
        _ = try record(id)
        guard let taken = try hold(id, in: PrivateDirectory(path: path)) else { throw CommandFailure.running(id) }
        return taken
    }

    /// Locks the record of a parcel that asks for the same and that nobody works on, if there is one: the same command goes on with it.
    func take(likeParcel parcel: Parcel) throws(StoreError) -> (TransferRecord, HeldLock)? {
        guard let store = try PrivateDirectory(existing: path) else { return nil }
        for id in try ids(in: store) {
            guard let known = try? read(id, in: store)?.parcel, known.asksForTheSame(as: parcel),
                let taken = try? hold(id, in: store, patience: .zero)
            else { continue }
            return taken
        }
        return nil
    }

    /// Locks one, and takes back what whoever worked on it before was told.
    ///
    /// - Returns: nil if somebody works on it, or has just been done with it.
    private func hold(
        _ id: RecordID, in folder: borrowing PrivateDirectory, patience: Duration = .milliseconds(200)
    ) throws -> (TransferRecord, HeldLock)? {
        guard let lock = try folder.hold(id.lock, patience: patience) else { return nil }
        // Only whoever has the lock may believe what it reads.
        guard let record = try read(id, in: folder) else {
            _ = try folder.remove(id.lock)
            return nil
        }
        _ = try folder.remove(id.marker)
        return (record, lock)
    }

    /// Puts a new one on the list.
    func add(_ record: TransferRecord) throws -> HeldLock {
        let folder = try PrivateDirectory(path: path)
        guard let lock = try folder.hold(record.id.lock, patience: .zero) else {
            throw StoreError(.busy, path: folder.path(of: record.id.lock))
        }
        try folder.replace(record.id.record, with: record.file)
        return lock
    }

    /// For whoever has the lock.
    func write(_ record: TransferRecord) throws {
        try PrivateDirectory(path: path).replace(record.id.record, with: record.file)
    }

    /// Whether somebody wants it to stop. For whoever has the lock.
    func isToStop(_ id: RecordID) -> Bool {
        access(path + "/" + id.marker, F_OK) == 0
    }

    /// For whoever has the lock.
    func remove(_ id: RecordID) throws(StoreError) {
        guard let folder = try PrivateDirectory(existing: path) else { return }
        try remove(id, in: folder)
    }

    private func remove(_ id: RecordID, in folder: borrowing PrivateDirectory) throws(StoreError) {
        for name in [id.record, id.marker, id.lock] { _ = try folder.remove(name) }
    }

    private func ids(in folder: borrowing PrivateDirectory) throws(StoreError) -> [RecordID] {
        try folder.names().compactMap { name in
            name.hasSuffix(Self.recordSuffix) ? try? RecordID(String(name.dropLast(Self.recordSuffix.count))) : nil
        }
    }

    private func read(_ id: RecordID, in folder: borrowing PrivateDirectory) throws(TransferDefect) -> TransferRecord? {
        let file: [UInt8]?
        do throws(StoreError) {
            file = try folder.read(id.record, limit: TransferRecord.sizeLimit)
        } catch {
            throw .damaged(reason: error.description)
        }
        guard let file else { return nil }
        let record = try TransferRecord(file: file)
        guard record.id == id else { throw .damaged(reason: "It is the record of another transfer.") }
        return record
    }

    private func complaint(about id: RecordID, _ defect: TransferDefect) -> String {
        let file = DisplayText(path + "/" + id.record, limit: 4096)
        return switch defect {
        case .newer: "\(file) was written by a later version of this program and is passed over."
        case .damaged(let reason): "\(file) is passed over; remove it to be rid of this. \(reason)"
        }
    }

    private static func unknown(_ id: RecordID) -> CommandFailure {
        CommandFailure(.unreachable, "There is no transfer “\(id)”; 'portolan transfers' shows those there are.")
    }

    fileprivate static let recordSuffix = ".json"
}

extension CommandFailure {
    static func idle(_ id: RecordID) -> CommandFailure {
        CommandFailure(
            .unreachable,
            "Nobody works on \(id) at the moment. To take it off the list: portolan transfers forget \(id)")
    }

    static func running(_ id: RecordID) -> CommandFailure {
        CommandFailure(.inputOutput, "\(id) is running. To stop it: portolan transfers cancel \(id)")
    }
}

extension RecordID {
    fileprivate var record: String { text + TransferRegister.recordSuffix }
    fileprivate var lock: String { text + ".lock" }
    fileprivate var marker: String { text + ".cancel" }
}
