import NIOCore
import Synchronization

/// Large buffers that are used again, so that a long transfer neither allocates nor touches fresh memory for every record.
package final class RecordBuffers: Sendable {
    /// Smaller buffers are cheaper to allocate than to keep.
    private static let worthKeeping = 64 * 1024

    private let limit: Int
    private let free = Mutex<[ByteBuffer]>([])

    /// - Parameter limit: how many buffers are kept at most.
    package init(limit: Int) {
        self.limit = limit
    }

    /// An empty buffer with room for `capacity` bytes.
    func take(capacity: Int) -> ByteBuffer {
        // The one that was given back first: whoever gave it has let go of it by now, so that it need not be copied.
        let kept = capacity >= Self.worthKeeping ? free.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
        guard var buffer = kept, buffer.capacity >= capacity else {
            return ByteBufferAllocator().buffer(capacity: capacity)
        }
        buffer.clear()
        return buffer
    }

    /// Gives a buffer back once nothing reads it any more.
    func recycle(_ buffer: consuming ByteBuffer) {
        guard buffer.capacity >= Self.worthKeeping else { return }
        let returned = buffer
        free.withLock { if $0.count < limit { $0.append(returned) } }
    }
}
