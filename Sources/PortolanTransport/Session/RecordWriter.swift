import NIOCore
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Seals records and hands them to the socket in the order in which they were sealed.
///
/// Sealing happens on the caller's thread, so that the event loop only moves bytes. Payload waits while too much of it is on its way:
/// that is how a slow network slows the reading of a file.
final class RecordWriter: Sendable {
    /// Data bytes in one payload record. Large enough that the cost of a record vanishes, small enough to stay in a core's cache.
    static let chunk = 256 * 1024
    /// Payload records that may be on their way at once.
    private static let window = 4
    /// Bytes of messages that may wait for a peer to read them: four times what the rosters of one side may have (`Limits.rosters`).
    private static let unread = 16 << 20

    /// Bytes of messages on their way beside which an answer may be made.
    private static let few = 64 << 10

    private let channel: any NIOCore.Channel
    private let sealing: Mutex<Sealing>
    private let room: Mutex<Room>
    private let messages = Mutex(Messages())

    private struct Sealing: ~Copyable {
        var sealer: RecordSealer
        var ended = false
        var lastWrite: NIODeadline
    }

    private struct Messages {
        /// Bytes that are on their way.
        var bytes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
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
    }

    /// When something was last sent.
    var lastWrite: NIODeadline { sealing.withLock { $0.lastWrite } }

    func send(_ message: Message) {
        // Who asks for signs of life and does not read them gets no more of them, so that they cannot pile up.
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
            // It takes the session for a place to keep what it does not want to read.
            sent(count)
            return channel.close(promise: nil)
        }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { [self] _ in sent(count) }
        seal(.control, &record, promise: promise)
    }

    private func sent(_ count: Int) {
        let waiting = messages.withLock { messages in
            messages.bytes -= count
            guard messages.bytes <= Self.few else { return [CheckedContinuation<Void, Never>]() }
            defer { messages.waiting = [] }
            return messages.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when few bytes of messages are on their way, or the connection is gone.
    func waitUntilSent() async {
        await withCheckedContinuation { continuation in
            let isDue = messages.withLock { messages in
                if messages.bytes <= Self.few { return true }
                messages.waiting.append(continuation)
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    /// Seals the end mark: nothing can be sent after it.
    func sendEnd() {
        var record = channel.allocator.buffer(capacity: Self.overhead)
        record.writeRepeatingByte(0, count: Self.overhead)
        seal(.end, &record, promise: nil)
    }

    /// Sends one payload record.
    ///
    /// - Parameter fill: writes at most `chunk` bytes of data and returns their number; 0 sends nothing.
    /// - Returns: the number of bytes of data sent.
    /// - Throws: what `fill` throws, or why the connection ended.
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
        let promise = channel.eventLoop.makePromise(of: Void.self)
        seal(.payload, &record, promise: promise)
        let sent = record
        promise.futureResult.whenComplete { [self] result in
            var failure: (any Error)?
            // Whatever the socket says, the connection is gone.
            if case .failure = result { failure = TransportError.truncated }
            giveBack(sent, failure: failure)
        }
        return count
    }

    private static let overhead = RecordSealer.headerLength + RecordSealer.tagLength

    private func seal(_ type: RecordType, _ record: inout ByteBuffer, promise: EventLoopPromise<Void>?) {
        sealing.withLock { state in
            guard !state.ended else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            record.withUnsafeMutableReadableBytes { state.sealer.seal(type: type.rawValue, $0) }
            state.ended = type == .end
            state.lastWrite = channel.eventLoop.now
            let sealed = record
            // Always through the loop's queue, also on the loop itself: the order of sealing is the order on the wire.
            channel.eventLoop.execute { [channel] in
                channel.writeAndFlush(sealed, promise: promise)
            }
        }
    }

    private func takeBuffer() async throws -> ByteBuffer {
        while true {
            let taken: ByteBuffer? = try room.withLock { room in
                if let failure = room.failure { throw failure }
                // The oldest: the socket has let go of it by now.
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
            defer { room.waiting = [] }
            return room.waiting
        }
        for continuation in woken { continuation.resume() }
    }
}
