import NIOCore
import Synchronization

/// Large buffers that are used again, so that a long transfer neither allocates nor touches fresh memory for every record.
final class RecordBuffers: Sendable {
    /// Smaller buffers are cheaper to allocate than to keep.
    private static let worthKeeping = 64 * 1024

    private let limit: Int
    private let free = Mutex<[ByteBuffer]>([])

    /// - Parameter limit: how many buffers are kept at most.
    init(limit: Int) {
        self.limit = limit
    }

    /// An empty buffer with room for `capacity` bytes.
    func take(capacity: Int) -> ByteBuffer {
        if capacity >= Self.worthKeeping,
            let buffer = free.withLock({ $0.popLast() }), buffer.capacity >= capacity
        {
            return buffer
        }
        return ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Gives a buffer back once nothing reads it any more.
    func recycle(_ buffer: consuming ByteBuffer) {
        guard buffer.capacity >= Self.worthKeeping else { return }
        buffer.clear()
        let returned = buffer
        free.withLock { if $0.count < limit { $0.append(returned) } }
    }
}
