import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Record of a sending in this process: updated while it runs, and polled for a stop request.
///
/// A separate task does all work on the disk. A register that cannot be written does not stop the sending.
package final class RunningTransfer: Sendable {
    private struct State {
        var record: TransferRecord
        var lock: HeldLock?
        var isChanged = false
        var nextWrite: ContinuousClock.Instant
        /// Task that updates the register; nil until a session is opened.
        var keeping: Task<Void, Never>?
        var isOver = false
        var wasCancelled = false
        var onCancel: (@Sendable () -> Void)?
        /// Receivers that were met, by their keys; by nil if there is only one.
        var peers: [Fingerprint?: RemotePeer] = [:]
        /// Outcomes that are not written yet.
        var settlements: [StoredSettlement] = []
        /// Sent bytes of each item.
        var sent: [TransferID: UInt64] = [:]
        /// Total of each item, as far as known; empty if there are several receivers.
        var found: [Int: UInt64] = [:]
    }

    /// Interval of looking for the request to stop.
    private static let lookInterval = Duration.milliseconds(500)
    /// Largest transfer, in bytes, that is recorded only after `smallWait` or when it must be kept: most small ones are
    /// over before.
    private static let smallSize: UInt64 = 64 << 10
    private static let smallWait = Duration.milliseconds(250)
    /// Interval of writing progress.
    private static let writeInterval = Duration.milliseconds(500)

    private let register: TransferRegister
    private let state: Mutex<State>
    private var runtime: Runtime { register.runtime }

    /// - Parameter lock: held already for a transfer that is resumed.
    package init(_ record: TransferRecord, in register: TransferRegister, lock: HeldLock?) {
        self.register = register
        var record = record
        // The total of a resumed parcel is unknown: items that were settled before are not counted in this run.
        if record.parcel?.isBegun == true { record.total = nil }
        state = Mutex(State(record: record, lock: lock, nextWrite: register.runtime.now))
    }

    /// True if another process has requested a stop.
    var wasCancelled: Bool { state.withLock(\.wasCancelled) }

    /// - Parameter body: called once, from any thread, when another process requests a stop.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCancel = body }
    }

    /// - Parameter member: fingerprint of the receiver's key, if there are several receivers.
    package func report(_ event: SendEvent, of member: Fingerprint? = nil) {
        switch event {
        case .connected(let peer): connected(peer, member)
        case .waitingForAnswer, .retrying: change(at: runtime.now) { $0.record.status = .waiting }
        case .started(let transfer, _, _, let bytes):
            change(at: runtime.now) { state in
                state.record.status = .running
                if let bytes, member == nil { state.found[transfer.item] = bytes }
            }
        case .found(let transfer, let bytes, _): if member == nil { change { $0.found[transfer.item] = bytes } }
        case .resumed(let transfer, let bytes), .progress(let transfer, let bytes, _):
            change { $0.sent[transfer] = bytes }
        case .settled(let delivery):
            change { state in
                if let peer = state.peers[member], let settlement = StoredSettlement(delivery, by: peer) {
                    state.settlements.append(settlement)
                }
                guard case .stored(let stored, _) = delivery.outcome else { return }
                state.sent[delivery.transfer] = stored.bytes
            }
        case .broke, .looking: break
        }
    }

    private func connected(_ peer: RemotePeer, _ member: Fingerprint?) {
        change(at: runtime.now) { state in
            state.record.status = .waiting
            state.peers[member] = peer
            guard member == nil else {
                // The total is per receiver, and the number of receivers is not known yet.
                state.record.total = nil
                return
            }
            state.record.name = peer.name
            state.record.fingerprint = peer.fingerprint.description
        }
        state.withLock { state in
            guard state.keeping == nil, !state.isOver else { return }
            state.keeping = Task { await keep() }
        }
    }

    /// - Parameter time: time of the write; nil for the next interval.
    private func change(at time: ContinuousClock.Instant? = nil, _ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.record.changed = runtime.date
            state.record.bytes = Self.sum(state.sent.values)
            if state.found.count == state.record.titles.count { state.record.total = Self.sum(state.found.values) }
            state.isChanged = true
            if let time { state.nextWrite = time }
        }
    }

    private static func sum(_ numbers: some Sequence<UInt64>) -> UInt64 {
        numbers.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }

    // MARK: In the task

    private func keep() async {
        if state.withLock({ $0.lock == nil && $0.record.total.map { $0 <= Self.smallSize } ?? false }) {
            try? await runtime.sleep(for: Self.smallWait)
            guard !Task.isCancelled else { return }
        }
        await withLookupThread { begin() }
        while !Task.isCancelled, state.withLock({ $0.lock != nil }) {
            await withLookupThread { look() }
            try? await runtime.sleep(for: Self.lookInterval)
        }
    }

    private func begin() {
        let (record, isNew) = state.withLock { ($0.record, $0.lock == nil) }
        if isNew, let lock = try? register.add(record) { state.withLock { $0.lock = lock } }
    }

    private func look() {
        if register.isToStop(state.withLock(\.record.id)) {
            let cancel = state.withLock { state in
                state.wasCancelled = true
                defer { state.onCancel = nil }
                return state.onCancel
            }
            cancel?()
        }
        writeIfDue()
    }

    private func writeIfDue() {
        let due: TransferRecord? = state.withLock { state in
            guard state.isChanged, runtime.now >= state.nextWrite else { return nil }
            state.isChanged = false
            state.nextWrite = runtime.now + Self.writeInterval
            return state.record
        }
        if let due { write(due) }
    }

    private func write(_ record: TransferRecord) {
        let settlements = state.withLock(\.settlements)
        guard (try? register.write(record, settlements)) != nil else { return }
        state.withLock { $0.settlements.removeFirst(settlements.count) }
    }

    // MARK: The end

    /// - Parameter isToBeKept: true if the transfer can be resumed. The record of a transfer that never began is not
    ///   changed.
    /// - Returns: the name of the kept record; nil if it was removed.
    @discardableResult
    package func end(isToBeKept: Bool) async -> RecordID? {
        let keeping = state.withLock { state in
            state.isOver = true
            state.onCancel = nil
            return state.keeping
        }
        keeping?.cancel()
        await keeping?.value
        return await withLookupThread { conclude(isToBeKept: isToBeKept, hasBegun: keeping != nil) }
    }

    private func conclude(isToBeKept: Bool, hasBegun: Bool) -> RecordID? {
        if isToBeKept, hasBegun { begin() }
        let (record, isHeld) = state.withLock { ($0.record, $0.lock != nil) }
        defer { state.withLock { $0.lock = nil } }
        guard hasBegun, isHeld else { return nil }
        guard isToBeKept, record.parcel != nil else {
            try? register.remove(record.id)
            return nil
        }
        var kept = record
        kept.status = .resumable
        write(kept)
        return record.id
    }
}
