import NIOCore
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Seals records and hands them to the socket in the order in which they were sealed.
///
/// Sealing happens on the caller's thread, so that the event loop only moves bytes; short records bypass the loop.
/// Payload waits while too much of it is unsent, so that a slow network slows down the reading of a file.
final class RecordWriter: Sendable {
    /// Data bytes in one payload record. Large enough to make the cost of a record negligible, small enough for a
    /// core's cache.
    static let chunk = 256 * 1024
    /// Most unsent payload records.
    private static let window = 4
    /// Bytes of messages that may wait for a peer to read them: four times the limit of one side's rosters
    /// (`Limits.rosters`).
    private static let unread = 16 << 20

    /// Most unsent bytes of messages at which another answer is made.
    private static let few = 64 << 10
    /// Longest record that bypasses the event loop. Longer ones are written while the next is sealed.
    private static let short = 64 << 10

    private let channel: any NIOCore.Channel
    private let sealing: Mutex<Sealing>
    private let room: Mutex<Room>
    private let messages = Mutex(Messages())

    private struct Sealing: ~Copyable {
        var sealer: RecordSealer
        var ended = false
        var lastWrite: NIODeadline
        /// Number of records in the event loop's queue: later records must follow them there.
        var queued = 0
        var direct: DirectOutput?
        /// Time of the last record that was short enough for a direct write; nil at rest.
        var lastDirect: NIODeadline?
        /// True if the connection has no socket.
        var hasNoSocket = false

        /// Writes as much of a record as the socket takes at once.
        ///
        /// - Returns: true if the whole record was written.
        mutating func writeDirectly(_ record: inout ByteBuffer) -> Bool {
            guard direct != nil else { return false }
            let count = record.withUnsafeReadableBytes { direct?.write($0) ?? 0 }
            record.moveReaderIndex(forwardBy: count)
            return record.readableBytes == 0
        }
    }

    private struct Messages {
        /// Unsent bytes.
        var bytes = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private struct Room {
        var free: [ByteBuffer] = []
        var made = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var failure: (any Error)?
    }

    init(channel: any NIOCore.Channel, sealer: consuming RecordSealer) {
        self.channel = channel
        sealing = Mutex(Sealing(sealer: sealer, lastWrite: channel.eventLoop.now))
        room = Mutex(Room())
        // The duplicate descriptor would keep the connection open for the other side.
        channel.closeFuture.whenComplete { [self] _ in
            sealing.withLock { state in
                state.ended = true
                state.direct = nil
            }
        }
    }

    /// Time at which bytes were last sent.
    var lastWrite: NIODeadline { sealing.withLock { $0.lastWrite } }

    func send(_ message: Message) {
        // A peer that requests signs of life without reading them gets no more, so that they cannot accumulate.
        if case .pong = message, !channel.isWritable { return }
        var bytes = message.encode()
        defer { wipe(&bytes) }
        var record = channel.allocator.buffer(capacity: bytes.count + Self.overhead)
        record.moveWriterIndex(to: RecordSealer.headerLength)
        record.writeBytes(bytes)
        record.writeRepeatingByte(0, count: RecordSealer.tagLength)
        let count = record.readableBytes
        let unread = messages.withLock { messages in
            messages.bytes += count
            return messages.bytes
        }
        guard unread <= Self.unread else {
            // The peer does not read, and would use this side's memory as a store.
            sent(count)
            return channel.close(promise: nil)
        }
        seal(.control, &record, isSignOfLife: message.isSignOfLife) { [self] _, _ in sent(count) }
    }

    private func sent(_ count: Int) {
        let waiting = messages.withLock { messages in
            messages.bytes -= count
            guard messages.bytes <= Self.few else { return [@Sendable () -> Void]() }
            return exchange(&messages.waiting, with: [])
        }
        for body in waiting { body() }
    }

    /// Returns when few bytes of messages are unsent, or the connection is closed.
    func waitUntilSent() async {
        await withCheckedContinuation { continuation in whenSent { continuation.resume() } }
    }

    /// Calls `body`, which must not block, when ``waitUntilSent()`` would return.
    func whenSent(_ body: @escaping @Sendable () -> Void) {
        let isDue = messages.withLock { messages in
            if messages.bytes <= Self.few { return true }
            messages.waiting.append(body)
            return false
        }
        if isDue { body() }
    }

    /// Seals the end mark: nothing can be sent after it.
    ///
    /// - Parameter done: called when the socket has taken all records up to it, or the connection is closed.
    func sendEnd(_ done: @escaping @Sendable () -> Void = {}) {
        var record = channel.allocator.buffer(capacity: Self.overhead)
        record.writeRepeatingByte(0, count: Self.overhead)
        seal(.end, &record) { _, _ in done() }
    }

    /// Sends one payload record.
    ///
    /// - Parameter fill: writes at most `chunk` bytes of data and returns their number; 0 sends nothing.
    /// - Returns: the number of bytes of data sent.
    /// - Throws: errors of `fill`, or the error that ended the connection.
    func sendPayload(_ header: PayloadHeader, fill: (UnsafeMutableRawBufferPointer) throws -> Int) async throws -> Int {
        var record = try await takeBuffer()
        record.clear()
        record.moveWriterIndex(to: RecordSealer.headerLength)
        record.writeBytes(header.encode())
        let count: Int
        do {
            count = try record.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunk) {
                try fill(UnsafeMutableRawBufferPointer(rebasing: $0[..<Self.chunk]))
            }
        } catch {
            giveBack(record, failure: nil)
            throw error
        }
        guard count > 0 else {
            giveBack(record, failure: nil)
            return 0
        }
        record.writeRepeatingByte(0, count: RecordSealer.tagLength)
        seal(.payload, &record) { [self] record, isSent in
            // The connection is closed, whether the socket reports it or not.
            giveBack(record, failure: isSent ? nil : TransportError.truncated)
        }
        return count
    }

    private static let overhead = RecordSealer.headerLength + RecordSealer.tagLength

    // MARK: The socket

    /// Seals a record and sends it.
    ///
    /// - Parameters:
    ///   - isSignOfLife: true for a sign of life that no task waits for.
    ///   - done: called with the record's buffer after the socket has taken the record, or has failed.
    private func seal(
        _ type: RecordType, _ record: inout ByteBuffer, isSignOfLife: Bool = false,
        _ done: @escaping @Sendable (ByteBuffer, _ isSent: Bool) -> Void
    ) {
        let isSent: Bool? = sealing.withLock { state in
            guard !state.ended else { return false }
            record.withUnsafeMutableReadableBytes { state.sealer.seal(type: type.rawValue, $0) }
            state.ended = type == .end
            state.lastWrite = channel.eventLoop.now
            if record.readableBytes <= Self.short {
                if !isSignOfLife { state.lastDirect = state.lastWrite }
                if state.queued == 0, state.writeDirectly(&record) { return true }
            }
            state.queued += 1
            let rest = record
            // The loop's queue is used even on the loop itself, so that the order of sealing is the order on the wire.
            channel.eventLoop.execute { [self] in write(rest, done) }
            return nil
        }
        if let isSent { done(record, isSent) }
    }

    /// Writes the rest of a record on the event loop.
    private func write(_ record: ByteBuffer, _ done: @escaping @Sendable (ByteBuffer, _ isSent: Bool) -> Void) {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { [self] result in
            sealing.withLock { $0.queued -= 1 }
            if case .success = result { done(record, true) } else { done(record, false) }
        }
        channel.writeAndFlush(record, promise: promise)
        sealing.withLock { state in
            guard state.lastDirect != nil, state.direct == nil, !state.hasNoSocket, !state.ended else { return }
            var hasSocket = false
            // A closed channel has no socket any more, and needs none.
            _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: NIOBSDSocket.Handle) in
                hasSocket = true
                state.direct = DirectOutput(of: socket)
            }
            // Looked for once only, since looking costs more than sending.
            state.hasNoSocket = !hasSocket
        }
    }

    /// Stops direct writes until the next message, if there was none since `time`. On the event loop.
    func rest(since time: NIODeadline) {
        sealing.withLock { state in
            guard let last = state.lastDirect, last < time else { return }
            state.lastDirect = nil
            state.direct = nil
        }
    }

    private func takeBuffer() async throws -> ByteBuffer {
        while true {
            let taken: ByteBuffer? = try room.withLock { room in
                if let failure = room.failure { throw failure }
                // The oldest buffer is taken: the socket has released it by now.
                if !room.free.isEmpty { return room.free.removeFirst() }
                guard room.made < Self.window else { return nil }
                room.made += 1
                return channel.allocator.buffer(capacity: Self.overhead + PayloadHeader.length + Self.chunk)
            }
            if let taken { return taken }
            await withCheckedContinuation { continuation in
                let hasRoom = room.withLock { room in
                    if !room.free.isEmpty || room.failure != nil { return true }
                    room.waiting.append(continuation)
                    return false
                }
                if hasRoom { continuation.resume() }
            }
        }
    }

    private func giveBack(_ buffer: consuming ByteBuffer, failure: (any Error)?) {
        let returned = buffer
        let woken = room.withLock { room in
            room.free.append(returned)
            if let failure, room.failure == nil { room.failure = failure }
            return exchange(&room.waiting, with: [])
        }
        for continuation in woken { continuation.resume() }
    }
}

extension Message {
    fileprivate var isSignOfLife: Bool {
        switch self {
        case .ping, .pong: true
        default: false
        }
    }
}
