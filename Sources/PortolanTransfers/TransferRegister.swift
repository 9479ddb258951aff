import Portolan
import PortolanTransport

/// The sendings of this device that run or can be resumed: a file for each, locked by the process that works on it.
package struct TransferRegister: Sendable {
    private let path: String
    let runtime: Runtime

    package init(_ home: HomeDirectory, on runtime: Runtime = .system) {
        path = home.state + "/transfers"
        self.runtime = runtime
    }

    /// Content of the register.
    package struct Contents: Sendable {
        /// The oldest first.
        package var transfers: [TransferRecord] = []
        /// Complaints, one sentence for each record that was skipped.
        package var complaints: [String] = []
    }

    /// All records that can be read. A record without a process that cannot be resumed is removed.
    ///
    /// - Parameter lifetime: time for which a record without a process is kept.
    package func contents(lifetime: Duration) throws(StoreError) -> Contents {
        let now = runtime.date
        var contents = Contents()
        guard let folder = try PrivateDirectory(existing: path) else { return contents }
        for id in try ids(in: folder) {
            do throws(TransferDefect) {
                guard var record = try read(id, in: folder) else { continue }
                if (try? folder.isHeld(id.lock)) ?? true {
                    contents.transfers.append(record)
                } else if record.parcel == nil || now.timeIntervalSince(record.changed) > lifetime / .seconds(1) {
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

    /// Returns a record with its current state.
    ///
    /// - Throws: ``RegisterError`` if it is missing or cannot be read.
    private func record(_ id: RecordID) throws -> TransferRecord {
        guard let folder = try PrivateDirectory(existing: path) else { throw RegisterError.unknown(id) }
        do {
            guard var record = try read(id, in: folder) else { throw RegisterError.unknown(id) }
            if try !folder.isHeld(id.lock) { record.status = .resumable }
            return record
        } catch let defect as TransferDefect {
            throw RegisterError.unreadable(complaint(about: id, defect))
        }
    }

    /// Requests the process of a sending to stop.
    ///
    /// - Throws: ``RegisterError`` if it is missing, or no process works on it.
    package func cancel(_ id: RecordID) throws -> TransferRecord {
        let record = try record(id)
        guard record.status != .resumable else { throw RegisterError.idle(id) }
        let folder = try PrivateDirectory(path: path)
        _ = try folder.create(id.marker, [])
        return record
    }

    /// Removes the record of a sending without a process.
    ///
    /// - Throws: ``RegisterError`` if it is missing, or running.
    package func forget(_ id: RecordID) throws -> TransferRecord {
        let (record, lock) = try take(id)
        defer { withExtendedLifetime(lock) {} }
        try remove(id)
        return record
    }

    /// Locks a sending without a process, to resume it.
    ///
    /// - Throws: ``RegisterError`` if it is missing, or running.
    package func take(_ id: RecordID) throws -> (TransferRecord, HeldLock) {
        _ = try record(id)
        guard let taken = try hold(id, in: PrivateDirectory(path: path)) else { throw RegisterError.running(id) }
        return taken
    }

    /// Locks the record of an equal parcel without a process, if there is one: the same command resumes it.
    package func take(likeParcel parcel: Parcel) throws(StoreError) -> (TransferRecord, HeldLock)? {
        guard let store = try PrivateDirectory(existing: path) else { return nil }
        for id in try ids(in: store) {
            guard let known = try? read(id, in: store)?.parcel, known.asksForTheSame(as: parcel),
                let taken = try? hold(id, in: store, patience: .zero)
            else { continue }
            return taken
        }
        return nil
    }

    /// Begins the record of a sending. An interrupted sending of the same items is continued under its name.
    ///
    /// A register that cannot be read does not stop the sending. May block.
    ///
    /// - Parameters:
    ///   - parcel: the items for another process; nil if another process cannot send them.
    ///   - folder: working folder of the sending.
    package func begin(
        _ items: [Item], to target: String, as parcel: Parcel?, from folder: String
    ) -> RunningTransfer {
        let sizes = items.compactMap { $0.representations.first?.size }
        let sum = sizes.reduce(UInt64(0)) { $0.addingReportingOverflow($1).partialValue }
        let total = sizes.count == items.count ? sum : nil
        if let parcel, let (record, lock) = try? take(likeParcel: parcel) {
            return RunningTransfer(record.begunAnew(with: parcel, total: total), in: self, lock: lock)
        }
        let record = TransferRecord(
            id: .random(), created: runtime.date, target: target, titles: items.map(\.title), parcel: parcel,
            folder: folder, total: total)
        return RunningTransfer(record, in: self, lock: nil)
    }

    /// Locks a sending, and removes the stop request for the process that worked on it before.
    ///
    /// - Returns: nil if a process works on it, or has just finished it.
    private func hold(
        _ id: RecordID, in folder: borrowing PrivateDirectory, patience: Duration = .milliseconds(200)
    ) throws -> (TransferRecord, HeldLock)? {
        guard let lock = try folder.hold(id.lock, patience: patience) else { return nil }
        // Only the holder of the lock may rely on the record.
        guard let record = try read(id, in: folder) else {
            _ = try folder.remove(id.lock)
            return nil
        }
        _ = try folder.remove(id.marker)
        return (record, lock)
    }

    /// Adds a new transfer to the list.
    package func add(_ record: TransferRecord) throws -> HeldLock {
        let folder = try PrivateDirectory(path: path)
        guard let lock = try folder.hold(record.id.lock, patience: .zero) else {
            throw StoreError(.busy, path: folder.path(of: record.id.lock))
        }
        try folder.replace(record.id.record, with: record.file)
        return lock
    }

    /// The caller holds the lock.
    func write(_ record: TransferRecord) throws {
        try PrivateDirectory(path: path).replace(record.id.record, with: record.file)
    }

    /// True if another process has requested a stop. The caller holds the lock.
    func isToStop(_ id: RecordID) -> Bool {
        access(path + "/" + id.marker, F_OK) == 0
    }

    /// The caller holds the lock.
    package func remove(_ id: RecordID) throws(StoreError) {
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

    fileprivate static let recordSuffix = ".json"
}

extension RecordID {
    fileprivate var record: String { text + TransferRegister.recordSuffix }
    fileprivate var lock: String { text + ".lock" }
    fileprivate var marker: String { text + ".cancel" }
}
