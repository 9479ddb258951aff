import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization

/// Authenticated, encrypted connection between two peers, with records in both directions.
package final class Session: Sendable {
    /// Identifier of the session in reports: 128 random bits, not a secret.
    package let id = UInt128.random(in: .min ... .max)
    /// Identity of the peer, proved by the handshake.
    package let peer: RemoteIdentity
    /// Kind of opening of the session.
    package let opening: OpeningKind
    /// Address of the other side.
    package let address: String

    private let channel: any NIOCore.Channel
    private let handler: NIOLoopBound<SessionHandler>
    let writer: RecordWriter
    private let buffers: RecordBuffers
    private let records: SessionHandler.Records
    /// Lanes on which this side sends.
    let outgoingLanes: SessionLanes
    /// Lanes on which this side receives.
    let incomingLanes: SessionLanes
    /// Longest silence of a live peer.
    let silence: Duration
    /// Time and threads of the session.
    package let runtime: Runtime
    /// Calls to be made when a condition lasts too long, while a driver runs the session.
    let alarms: Alarms
    private let notices = CloseNotices()
    /// Activity of accepted transfers.
    let activity: SessionActivity
    /// Memory that the peer has this side hold before anything is accepted.
    let held: HeldMemory
    private let allowance: PayloadAllowance
    private let hasOffer = Atomic(false)

    init(
        peer: RemoteIdentity, opening: OpeningKind, address: String, channel: any NIOCore.Channel,
        handler: NIOLoopBound<SessionHandler>,
        writer: RecordWriter, buffers: RecordBuffers, records: SessionHandler.Records,
        outgoingLanes: SessionLanes, incomingLanes: SessionLanes, held: HeldMemory, activity: SessionActivity,
        allowance: PayloadAllowance, silence: Duration, runtime: Runtime
    ) {
        self.peer = peer
        self.opening = opening
        self.address = address
        self.channel = channel
        self.handler = handler
        self.writer = writer
        self.buffers = buffers
        self.records = records
        self.outgoingLanes = outgoingLanes
        self.incomingLanes = incomingLanes
        self.held = held
        self.activity = activity
        self.allowance = allowance
        self.silence = silence
        self.runtime = runtime
        alarms = Alarms(on: runtime)
        channel.closeFuture.whenComplete { [notices] _ in notices.close() }
    }

    /// Records of the other side; ends after its end mark. Can be iterated once.
    ///
    /// Iteration throws a `TransportError` when the connection breaks before that mark, when a record does not open or
    /// exceeds a limit, and after too long a silence.
    package var incoming: some AsyncSequence<Record, any Error> & Sendable { records }

    /// Returns the input as messages, one at a time.
    func dialogue() -> Dialogue {
        Dialogue(session: self, records: records.makeAsyncIterator())
    }

    package func send(_ message: Message) {
        if message.isProgress { progressed() }
        writer.send(message)
    }

    /// Sends one payload record; waits while too much payload is unsent.
    ///
    /// - Parameter fill: writes at most `chunk` bytes of data into the given buffer and returns their number; 0 sends
    ///   nothing.
    /// - Returns: the number of bytes of data sent.
    package func sendPayload(
        _ header: PayloadHeader, fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) async throws -> Int {
        let count = try await writer.sendPayload(header, fill: fill)
        progressed()
        return count
    }

    /// Returns the buffer of a record that is not needed any more.
    package func recycle(_ record: consuming Record) {
        if record.type == .control { held.remove(record.length) }
        buffers.recycle(record.body)
    }

    /// Notes that the offer is made: from here on, only silence limits the length of the session.
    package func offerMade() {
        // The loop is woken for the first one.
        guard !hasOffer.exchange(true, ordering: .relaxed) else { return }
        onLoop { $0.offerMade() }
    }

    /// Allows payload after an acceptance.
    package func allowPayload() { allowance.give() }

    /// Notes that a part of an offer was accepted; ``workEnded()`` notes that it is settled.
    func workBegan() { if activity.began(at: runtime.now) { buffers.keepSome(true) } }

    func workEnded() { if activity.ended() { buffers.keepSome(false) } }

    /// Notes progress of an accepted transfer.
    func progressed() { activity.progressed(at: runtime.now) }

    /// Returns when the peer has read enough that the next message need not wait in memory, or the connection is
    /// closed.
    package func waitUntilRead() async { await writer.waitUntilSent() }

    /// Calls `body`, which must not block, when ``waitUntilRead()`` would return.
    func whenRead(_ body: @escaping @Sendable () -> Void) { writer.whenSent(body) }

    /// Counts the lanes of both directions, which are a stranger's, from here on.
    func countLanes(by limit: LaneLimit) {
        incomingLanes.count(by: limit)
        outgoingLanes.count(by: limit)
    }

    /// Allows lanes on which this side receives. Called before the answer that allows them is sent.
    ///
    /// - Parameters:
    ///   - count: number of lanes at a time. Another call may allow more.
    ///   - arrived: called with the number and the lane, on a thread that must not block: a lane is used by a
    ///     `WorkerThread`. A lane that breaks or is dropped before its end mark ends the session.
    package func allowLanes(_ count: Int, arrived: @escaping @Sendable (UInt32, ReceivingLane) -> Void) {
        incomingLanes.allow(count, arrived)
    }

    /// Opens a lane that the receiver's answer allowed. Blocks until it is connected.
    ///
    /// A lane that breaks before `end()` ends the session; when the session ends, all its lanes do.
    ///
    /// - Parameter isWanted: polled; false ends the wait for a connection from the receiver.
    /// - Throws: `TransportError.unreachable` if no connection is possible; the session then continues without the
    ///   lane. `.truncated` when the session has ended, `.system`.
    package func openLane(_ number: UInt32, while isWanted: () -> Bool = { true }) throws -> SendingLane {
        try openLane(number, nil, while: isWanted)
    }

    /// - Parameter place: place of a stranger's lane.
    func openLane(
        _ number: UInt32, _ place: LanePlace?, while isWanted: () -> Bool
    ) throws -> SendingLane {
        try outgoingLanes.open(number, place, while: isWanted) { send(.laneRequest($0)) }
    }

    /// Sends the end mark and waits a moment for the other side's, so that its last messages are not lost.
    ///
    /// Lanes that have not ended by then are cut off. The connection of a slower peer stays open after this call until
    /// the peer has ended as well, the silence limit has passed, or the process ends.
    ///
    /// - Parameter isWaiting: false for a side that does not need the other's remaining messages (SESSION.md 6.10-16):
    ///   it waits only until the system has taken its own end mark.
    package func finish(isWaiting: Bool = true) async {
        let hasWaited = channel.eventLoop.makePromise(of: Void.self)
        writer.sendEnd { if !isWaiting { hasWaited.succeed(()) } }
        let moment = channel.eventLoop.scheduleTask(in: .seconds(2)) { [outgoingLanes, incomingLanes] in
            outgoingLanes.end()
            incomingLanes.end()
            hasWaited.succeed(())
        }
        let limit = channel.eventLoop.scheduleTask(in: .nanoseconds(silence.wholeNanoseconds)) { [channel] in
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in
            moment.cancel()
            limit.cancel()
            hasWaited.succeed(())
        }
        onLoop { $0.closeWhenEnded() }
        try? await hasWaited.futureResult.get()
    }

    /// Ends the session at once, telling the other side why.
    package func close(_ close: Message.Close) {
        writer.send(.close(close))
        writer.sendEnd()
        hangUp()
    }

    /// Ends the session at once because of an error on this side, or a violation by the other side.
    package func close(because error: any Error) {
        switch Farewell(after: error) {
        case .close(let code):
            guard case TransportError.notEntitled(_, let told) = error else { return close(Message.Close(code)) }
            return close(Message.Close(code, detail: told))
        case .endRecord: writer.sendEnd()
        case .nothing: break
        }
        hangUp()
    }

    /// Closes the connection after the records in the loop's queue.
    private func hangUp() {
        channel.eventLoop.execute { [channel] in channel.close(promise: nil) }
    }

    /// Runs `body`, and makes a call if either side closes the connection meanwhile; at once if it is closed already.
    func whenClosed<Result>(
        _ call: @escaping @Sendable () -> Void, isolation: isolated (any Actor)? = #isolation,
        during body: () async throws -> Result
    ) async rethrows -> Result {
        try await notices.notifying(call, during: body)
    }

    /// Requests a sign of life; true if any bytes come within `patience`. A peer counts as alive while this side does
    /// not read.
    package func isAnswering(within patience: Duration) async -> Bool {
        let asked = channel.eventLoop.now
        writer.send(.ping(id: 0))
        let sign = OneShot<Bool, Never>()
        onLoop { $0.whenHeard(since: asked) { sign.settle(.success(true)) } }
        let limit = channel.eventLoop.scheduleTask(in: .nanoseconds(patience.wholeNanoseconds)) {
            _ = sign.settle(.success(false))
        }
        defer { limit.cancel() }
        return await whenClosed {
            sign.settle(.success(false))
        } during: {
            await sign.value(ifCancelled: .success(true))
        }
    }

    private func onLoop(_ action: @escaping @Sendable (SessionHandler) -> Void) {
        channel.eventLoop.execute { [handler] in action(handler.value) }
    }
}

extension Message {
    /// True if this message shows progress of an accepted transfer: bytes were stored, or looked through.
    fileprivate var isProgress: Bool {
        switch self {
        case .receipt, .wanted, .holding, .base: true
        default: false
        }
    }
}
