import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization

/// Sending end of a lane: records are filled, sealed and sent from one place in memory.
///
/// One thread at a time uses it, and blocks while the network is slower. `shutDown()` may be called from any thread.
package final class SendingLane: Sendable {
    /// Number of bytes of a file that fits best into one record: see `RecordWriter.chunk`.
    package static let chunk = 256 * 1024
    /// Room for a `chunk` with the headers of any payload record.
    package static let usualRoom = PackedHeader.length + chunk

    private let socket: any LaneConnection
    private let buffer = LaneBuffer()
    private let state: Mutex<State>
    /// Room of a stranger's lane; nil for one that is not counted.
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
    ///   - progressed: told of each whole record.
    ///   - broke: learns why the lane broke, once or more, unless it was shut down on this side.
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
    /// - Throws: errors of `fill`, after which the lane is as before; `TransportError.truncated` when the connection is
    ///   gone; `ProtocolViolation` when the other side has sent bytes, which is forbidden.
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

    /// Says the end mark: the lane is complete.
    package func end() throws {
        try state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            try seal(.end, 0, &state)
        }
    }

    /// Ends the connection, also while other threads use it.
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
        // The check of the receiver applies to the sender: lengths that the other side refuses trap here.
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
            // The receiver closed the lane with an answer behind the last look.
            throw told(word())
        } catch {
            throw told(error)
        }
    }

    /// Looks whether the receiver has said something, unless a thread is sending, which looks by itself. Does not
    /// block.
    func look() throws {
        _ = try state.withLockIfAvailable { state in
            if !state.hasEnded, socket.unread == .bytes { throw told(word()) }
        }
    }

    private func told(_ error: any Error) -> any Error {
        if !socket.isShutDown { broke(error) }
        return error
    }

    /// Checks that the receiver has sent no bytes: it sends some only if it speaks another version of lanes.
    private func checkSilence() throws {
        switch socket.unread {
        case .nothing: break
        case .bytes: throw word()
        case .end: throw TransportError.truncated
        }
    }

    /// Returns the error that the receiver's unread bytes stand for.
    private func word() -> any Error {
        let bytes = withUnsafeTemporaryAllocation(byteCount: LanePreface.refusal.count, alignment: 1) { room in
            Array(room.prefix((try? socket.receive(into: room, atLeast: 1)) ?? 0))
        }
        if let versions = LanePreface.versions(inRefusal: bytes) { return TransportError.laneVersionRefused(versions) }
        return ProtocolViolation(.unexpected, "The receiver said something on a lane, where it may not.")
    }
}
