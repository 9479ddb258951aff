import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization

/// Sending end of a lane: each record is filled, sealed and sent in one buffer.
///
/// One thread at a time uses it, and blocks while the network is slow. `shutDown()` may be called from any thread.
package final class SendingLane: Sendable {
    /// Number of bytes of a file that fits best into one record: see `RecordWriter.chunk`.
    package static let chunk = 256 * 1024
    /// Room for a `chunk` with the headers of any payload record.
    package static let usualRoom = PackedHeader.length + chunk

    private let socket: any LaneConnection
    private let buffer = LaneBuffer()
    private let state: Mutex<State>
    /// Place of a stranger's lane; nil for a lane that is not counted.
    private let place: LanePlace?
    private let progressed: @Sendable () -> Void
    private let broke: @Sendable (any Error) -> Void
    private let counters = Counters()

    private struct State: ~Copyable {
        var sealer: RecordSealer
        var hasEnded = false
    }

    private final class Counters: Sendable {
        let sent = Atomic<UInt64>(0)
        let blocked = Atomic<Int64>(0)
    }

    /// - Parameters:
    ///   - place: place of a stranger's lane.
    ///   - progressed: called after each complete record.
    ///   - broke: called with the error when the lane breaks, once or more, unless this side shut it down.
    init(
        socket: any LaneConnection, sealer: consuming RecordSealer, place: LanePlace? = nil,
        progressed: @escaping @Sendable () -> Void = {},
        broke: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.socket = socket
        self.place = place
        self.progressed = progressed
        self.broke = broke
        state = Mutex(State(sealer: sealer))
    }

    /// Sends one record.
    ///
    /// - Parameters:
    ///   - room: number of bytes of plaintext that fit, at most `LaneBuffer.longestPlaintext`.
    ///   - fill: writes plaintext and returns how many bytes it has; 0 sends nothing. In a payload record the data
    ///     behind the header lies at the beginning of a page.
    /// - Returns: the result of `fill`.
    /// - Throws: errors of `fill`, which leave the lane unchanged; `TransportError.truncated` when the connection is
    ///   closed; `ProtocolViolation` when the other side has sent bytes, which is forbidden.
    @discardableResult
    package func send(
        _ type: RecordType, room: Int = SendingLane.usualRoom,
        fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int {
        try send(room: room) { (type, try fill($0)) }
    }

    /// Sends a record whose type depends on its content.
    @discardableResult
    package func send(
        room: Int = SendingLane.usualRoom, fill: (UnsafeMutableRawBufferPointer) throws -> (RecordType, Int)
    ) throws -> Int {
        try state.withLock { state in
            precondition(!state.hasEnded, "Nothing follows the end of a lane")
            let (type, count) = try fill(buffer.plaintext(room))
            precondition(count <= room, "More was filled in than there is room for")
            guard count > 0 else { return 0 }
            try seal(type, count, &state)
            return count
        }
    }

    /// Sends the end mark: the lane is complete.
    package func end() throws {
        try state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            try seal(.end, 0, &state)
        }
    }

    /// Ends the connection, even while other threads use it.
    package func shutDown() { socket.shutDown() }

    /// Bytes handed to the kernel, all of each record counted. From any thread.
    package var bytesSent: UInt64 { counters.sent.load(ordering: .relaxed) }

    /// Total time for which this lane has waited for the network. Readable from any thread.
    package var timeBlocked: Duration { .nanoseconds(counters.blocked.load(ordering: .relaxed)) }

    /// Bytes that the kernel has taken and not sent yet.
    package var queued: Int { socket.queued }

    /// Notes progress: a record went, or waits for this side's own rate.
    func goesOn() {
        place?.progressed()
        progressed()
    }

    private func seal(_ type: RecordType, _ count: Int, _ state: inout State) throws {
        // The receiver's check applies to the sender as well: a length that the other side refuses traps here.
        _ = RecordHeader(type, plaintextLength: count)
        let record = buffer.record(count)
        state.sealer.seal(type: type.rawValue, record)
        do {
            try checkSilence()
            let blocked = try socket.send(UnsafeRawBufferPointer(record))
            goesOn()
            counters.sent.wrappingAdd(UInt64(record.count), ordering: .relaxed)
            if blocked > .zero { counters.blocked.wrappingAdd(blocked.wholeNanoseconds, ordering: .relaxed) }
        } catch TransportError.truncated where socket.unread == .bytes {
            // The receiver has answered and closed the lane since the last check.
            throw told(word())
        } catch {
            throw told(error)
        }
    }

    /// Checks whether the receiver has sent bytes. Does not block; skipped while a thread sends, since that checks by
    /// itself.
    func checkForRefusal() throws {
        _ = try state.withLockIfAvailable { state in
            if !state.hasEnded, socket.unread == .bytes { throw told(word()) }
        }
    }

    private func told(_ error: any Error) -> any Error {
        if !socket.isShutDown { broke(error) }
        return error
    }

    /// Checks that the receiver has sent no bytes: it does so only to refuse a version of lanes.
    private func checkSilence() throws {
        switch socket.unread {
        case .nothing: break
        case .bytes: throw word()
        case .end: throw TransportError.truncated
        }
    }

    /// Returns the error that the receiver's unread bytes mean.
    private func word() -> any Error {
        let bytes = withUnsafeTemporaryAllocation(byteCount: LanePreface.refusal.count, alignment: 1) { room in
            Array(room.prefix((try? socket.receive(into: room, atLeast: 1)) ?? 0))
        }
        if let versions = LanePreface.versions(inRefusal: bytes) { return TransportError.laneVersionRefused(versions) }
        return ProtocolViolation(.unexpected, "The receiver said something on a lane, where it may not.")
    }
}
