import Foundation
import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanTrust
import Synchronization

/// The sending of this process in the register: kept up to date while it runs, and looked at for the wish that it stop.
///
/// One task of its own does everything that touches the disk. That it cannot be written down keeps nothing from being sent.
final class RunningTransfer: Sendable {
    private struct State {
        var record: TransferRecord
        var lock: HeldLock?
        var isChanged = false
        var nextWrite = ContinuousClock.now
        /// Keeps the register up to date; nil as long as no session came about.
        var keeping: Task<Void, Never>?
        var isOver = false
        var wasCancelled = false
        var onCancel: (@Sendable () -> Void)?
        /// What of each item has gone out.
        var sent: [TransferID: UInt64] = [:]
        /// What each item comes to, as far as that is known; empty where several get the same.
        var found: [Int: UInt64] = [:]
    }

    /// How often somebody who wants it to stop is looked for.
    private static let lookInterval = Duration.milliseconds(500)
    /// One of at most so many bytes is not written down before it has taken a while, or is to be kept: most are over by then.
    private static let smallSize: UInt64 = 64 << 10
    private static let smallWait = Duration.milliseconds(250)
    /// How often progress is written down.
    private static let writeInterval = Duration.milliseconds(500)

    private let register: TransferRegister
    private let state: Mutex<State>

    /// - Parameter lock: held already for one that is gone on with.
    init(_ record: TransferRecord, in register: TransferRegister, lock: HeldLock?) {
        self.register = register
        var record = record
        // The total of a resumed parcel is unknown: items that were settled before are not counted in this run.
        if record.parcel?.settled.isEmpty == false { record.total = nil }
        state = Mutex(State(record: record, lock: lock))
    }

    /// Whether it was stopped by `portolan transfers cancel`.
    var wasCancelled: Bool { state.withLock(\.wasCancelled) }

    /// - Parameter body: called once, from any thread, when somebody wants it to stop.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCancel = body }
    }

    /// - Parameter member: who it is about, where several get the same.
    func report(_ event: SendEvent, of member: DeviceName? = nil) {
        switch event {
        case .connected(let peer): connected(peer, isOneOfSeveral: member != nil)
        case .waitingForAnswer, .retrying: change(at: .now) { $0.record.status = .waiting }
        case .started(let transfer, _, _, let bytes):
            change(at: .now) { state in
                state.record.status = .running
                if let bytes, member == nil { state.found[transfer.item] = bytes }
            }
        case .found(let transfer, let bytes, _): if member == nil { change { $0.found[transfer.item] = bytes } }
        case .resumed(let transfer, let bytes), .progress(let transfer, let bytes, _):
            change { $0.sent[transfer] = bytes }
        case .settled(let delivery):
            change { state in
                // The record of a sending to a team settles nothing: another member may not have the item yet.
                if member == nil { state.record.parcel?.settle(delivery) }
                guard case .stored(let stored, _) = delivery.outcome else { return }
                state.sent[delivery.transfer] = stored.bytes
            }
        case .broke: break
        }
    }

    private func connected(_ peer: RemotePeer, isOneOfSeveral: Bool) {
        change(at: .now) { state in
            state.record.status = .waiting
            guard !isOneOfSeveral else {
                // So much for each, and nobody knows yet how many of them there are.
                state.record.total = nil
                return
            }
            state.record.name = peer.name
            state.record.fingerprint = peer.fingerprint.description
            state.record.parcel?.meet(peer.fingerprint)
        }
        state.withLock { state in
            guard state.keeping == nil, !state.isOver else { return }
            state.keeping = Task { await keep() }
        }
    }

    /// - Parameter time: when it is to be written down; nil for when it is time.
    private func change(at time: ContinuousClock.Instant? = nil, _ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.record.changed = .now
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
            try? await Task.sleep(for: Self.smallWait)
            guard !Task.isCancelled else { return }
        }
        await withLookupThread { begin() }
        while !Task.isCancelled, state.withLock({ $0.lock != nil }) {
            await withLookupThread { look() }
            try? await Task.sleep(for: Self.lookInterval)
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
            guard state.isChanged, ContinuousClock.now >= state.nextWrite else { return nil }
            state.isChanged = false
            state.nextWrite = .now + Self.writeInterval
            return state.record
        }
        if let due { try? register.write(due) }
    }

    // MARK: The end

    /// - Parameter isToBeKept: whether it can be gone on with. What never began stays as it was.
    /// - Returns: what it is called, if it was kept.
    @discardableResult
    func end(isToBeKept: Bool) async -> RecordID? {
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
        try? register.write(kept)
        return record.id
    }
}
