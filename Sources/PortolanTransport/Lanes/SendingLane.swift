import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// One direction of a lane at the sender: records that are filled, sealed and sent from one place in memory.
///
/// For one thread at a time, which blocks while the network is slower than it. `shutDown()` is for all.
package final class SendingLane: Sendable {
    /// As much of a file as fits best into one record: see `RecordWriter.chunk`.
    package static let chunk = 256 * 1024
    /// The longest plaintext that a record may have.
    package static let longestRecord = LaneBuffer.longestPlaintext
    /// Room for a `chunk` with the headers of any payload record.
    package static let usualRoom = PackedHeader.length + chunk

    private let socket: any LaneConnection
    private let buffer = LaneBuffer()
    private let state: Mutex<State>
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

    /// - Parameter broke: learns why the lane broke, once or more, unless it was shut down on this side.
    init(
        socket: any LaneConnection, sealer: consuming RecordSealer,
        broke: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.socket = socket
        self.broke = broke
        state = Mutex(State(sealer: sealer))
    }

    /// Sends one record.
    ///
    /// - Parameters:
    ///   - room: how many bytes of plaintext there is room for, at most `longestRecord`.
    ///   - fill: writes plaintext and returns how many bytes it has; 0 sends nothing. In a payload record the data behind the header
    ///     lies at the beginning of a page.
    /// - Returns: what `fill` returned.
    /// - Throws: what `fill` throws, after which the lane is as before; `TransportError.truncated` when the connection is gone;
    ///   `ProtocolViolation` when the other side has said something, which it may not.
    @discardableResult
    package func send(
        _ type: RecordType, room: Int = SendingLane.usualRoom,
        fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int {
        try send(room: room) { (type, try fill($0)) }
    }

    /// The same where the type is known by what was filled in.
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

    /// Ends the connection, whatever any thread does with it.
    package func shutDown() { socket.shutDown() }

    /// Bytes handed to the kernel, all of each record counted. From any thread.
    package var bytesSent: UInt64 { counters.sent.load(ordering: .relaxed) }

    /// How long this lane has waited for the network altogether. From any thread.
    package var timeBlocked: Duration { .nanoseconds(counters.blocked.load(ordering: .relaxed)) }

    /// Bytes that the kernel has taken and not sent yet.
    package var queued: Int { socket.queued }

    private func seal(_ type: RecordType, _ count: Int, _ state: inout State) throws {
        // As it is sent, as it would be received: lengths that the other side refuses trap here.
        _ = RecordHeader(type, plaintextLength: count)
        let record = buffer.record(count)
        state.sealer.seal(type: type.rawValue, record)
        do {
            try checkSilence()
            let blocked = try socket.send(UnsafeRawBufferPointer(record))
            counters.sent.wrappingAdd(UInt64(record.count), ordering: .relaxed)
            if blocked > .zero { counters.blocked.wrappingAdd(blocked.wholeNanoseconds, ordering: .relaxed) }
        } catch {
            if !socket.isShutDown { broke(error) }
            throw error
        }
    }

    /// A receiver says nothing on a lane.
    private func checkSilence() throws {
        switch socket.unread {
        case .nothing: break
        case .bytes: throw ProtocolViolation(.unexpected, "The receiver said something on a lane, where it may not.")
        case .end: throw TransportError.truncated
        }
    }
}
