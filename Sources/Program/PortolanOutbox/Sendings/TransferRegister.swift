import GRDB
import Portolan
import PortolanClient
import PortolanTransport
import Synchronization

/// The sendings of this home's commands that run or can be resumed: rows of the outbox, and a locked file for each that
/// runs.
package final class TransferRegister: Sendable {
    /// Folder of the locks and of the requests to stop.
    private let path: String
    /// Folder of the state.
    private let state: String
    let runtime: Runtime
    private let opened = Mutex<(queue: DatabaseQueue, complaints: [String])?>(nil)

    package init(_ home: HomeDirectory, on runtime: Runtime = .system) {
        path = home.state + "/transfers"
        state = home.state + "/agent"
        self.runtime = runtime
    }

    /// Content of the register.
    package struct Contents: Sendable {
        /// The oldest first.
        package var transfers: [TransferRecord] = []
        /// Parcels that the agent is to deliver, in their order.
        package var parcels: [OutboxParcel] = []
        /// Complaints, one sentence for each record that was skipped.
        package var complaints: [String] = []
    }

    /// All records that can be read. A record without a process that cannot be resumed is removed.
    ///
    /// - Parameter lifetime: time for which a record without a process is kept.
    package func contents(lifetime: Duration) throws -> Contents {
        let known = try inOutbox { (try $0.sendings(), try $0.list(states: [.waiting, .running], limit: .max)) }
        guard let (ids, parcels) = known else { return Contents() }
        var contents = Contents(parcels: parcels, complaints: opened.withLock { $0?.complaints ?? [] })
        for id in ids {
            do {
                let record = try record(id)
                let age = runtime.date.timeIntervalSince(record.changed)
                if record.status == .resumable, record.parcel == nil || age > lifetime / .seconds(1) {
                    try remove(id)
                } else {
                    contents.transfers.append(record)
                }
            } catch let error as ParcelError {
                contents.complaints.append("\(id) is passed over. \(error)")
            } catch RegisterError.unknown {}
        }
        return contents
    }

    /// Returns a record with its current state.
    ///
    /// - Throws: ``RegisterError`` if it is missing, `ParcelError` if it cannot be read.
    private func record(_ id: RecordID) throws -> TransferRecord {
        let (found, isQueued) =
            try inOutbox { outbox in
                (
                    try outbox.sending(id),
                    try StateID(text: id.text).flatMap { try outbox.state(of: $0) } != nil
                )
            } ?? (nil, false)
        guard var record = found else { throw isQueued ? RegisterError.queued(id) : .unknown(id) }
        if try PrivateDirectory(existing: path)?.isHeld(id.lock) != true { record.status = .resumable }
        return record
    }

    /// Requests the process of a sending to stop.
    ///
    /// - Throws: ``RegisterError`` if it is missing, or no process works on it.
    package func cancel(_ id: RecordID) throws -> TransferRecord {
        let record = try record(id)
        guard record.status != .resumable else { throw RegisterError.idle(id) }
        _ = try PrivateDirectory(path: path).create(id.marker, [])
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
        guard let taken = try hold(id) else { throw RegisterError.running(id) }
        return taken
    }

    /// Locks the record of an equal parcel without a process, if there is one: the same command resumes it.
    package func take(likeParcel parcel: Parcel) throws -> (TransferRecord, HeldLock)? {
        // Without a file of any, the state is not opened.
        guard try PrivateDirectory(existing: path)?.names().isEmpty == false else { return nil }
        for id in try inOutbox({ try $0.sendings() }) ?? [] {
            guard let known = try? record(id).parcel, known.asksForTheSame(as: parcel),
                let taken = try? hold(id, patience: .zero)
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
        let now = runtime.date
        let record = TransferRecord(
            id: .random(), created: now, target: target, titles: items.map(\.title), parcel: parcel, folder: folder,
            changed: now, total: total)
        return RunningTransfer(record, in: self, lock: nil)
    }

    /// Locks a sending, and removes the stop request for the process that worked on it before.
    ///
    /// - Returns: nil if a process works on it, or has just finished it.
    private func hold(_ id: RecordID, patience: Duration = .milliseconds(200)) throws -> (TransferRecord, HeldLock)? {
        let folder = try PrivateDirectory(path: path)
        guard let lock = try folder.hold(id.lock, patience: patience) else { return nil }
        // Only the holder of the lock may rely on the record.
        guard let record = try inOutbox({ try $0.sending(id) }) ?? nil else {
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
        try write(record)
        return lock
    }

    /// The caller holds the lock.
    ///
    /// - Parameter settlements: outcomes since the last call.
    func write(_ record: TransferRecord, _ settlements: [StoredSettlement] = []) throws {
        try inOutbox(making: true) { try $0.write(record, settlements) }
    }

    /// True if another process has requested a stop. The caller holds the lock.
    func isToStop(_ id: RecordID) -> Bool {
        access(path + "/" + id.marker, F_OK) == 0
    }

    /// The caller holds the lock.
    package func remove(_ id: RecordID) throws {
        try inOutbox { try $0.remove(id) }
        guard let folder = try PrivateDirectory(existing: path) else { return }
        for name in [id.marker, id.lock] { _ = try folder.remove(name) }
    }

    // MARK: The outbox

    /// Runs a transaction, which is durable when this returns.
    ///
    /// - Parameter makes: true to create the state of the home if it is missing.
    /// - Returns: nil if it is missing.
    @discardableResult
    private func inOutbox<Value>(making makes: Bool = false, _ body: (Outbox) throws -> Value) throws -> Value? {
        do {
            guard let queue = try queue(making: makes) else { return nil }
            let now = runtime.date
            return try queue.write { try body(Outbox(database: $0, now: now) { _, _, _, _ in }) }
        } catch let error as DatabaseError {
            throw AgentStateError(error, path: state)
        }
    }

    /// Opens the state of the home, and takes over the files of an earlier register.
    private func queue(making makes: Bool) throws -> DatabaseQueue? {
        try opened.withLock { opened in
            if let opened { return opened.queue }
            let earlier = try EarlierRegister(path)
            guard makes || earlier != nil || StateFolder.hasDatabase(state) else { return nil }
            let queue = try StateFolder(path: state).connect(now: runtime.date)
            opened = (queue, try earlier?.move(to: queue) ?? [])
            return queue
        }
    }
}

extension RecordID {
    var lock: String { text + ".lock" }
    fileprivate var marker: String { text + ".cancel" }
}
