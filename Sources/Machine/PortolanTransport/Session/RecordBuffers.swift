import NIOCore
import Synchronization

/// Large buffers for reuse, so that a long transfer neither allocates nor touches fresh memory for every record. An
/// idle session keeps none.
package final class RecordBuffers: Sendable {
    /// Smaller buffers are cheaper to allocate than to keep.
    private static let worthKeeping = 64 * 1024

    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var free: [ByteBuffer] = []
        var keepsSome = false
    }

    /// - Parameter limit: largest number of kept buffers.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Starts or stops keeping buffers; stopping releases those that are kept.
    func keepSome(_ keepsSome: Bool) {
        state.withLock { state in
            state.keepsSome = keepsSome
            if !keepsSome { state.free = [] }
        }
    }

    /// Returns an empty buffer with room for `capacity` bytes.
    func take(capacity: Int) -> ByteBuffer {
        // The buffer that was returned first is taken, since its last user has released it by now and it need not be
        // copied.
        let kept = state.withLock { state in
            capacity < Self.worthKeeping || state.free.isEmpty ? nil : state.free.removeFirst()
        }
        guard var buffer = kept, buffer.capacity >= capacity else {
            return ByteBufferAllocator().buffer(capacity: capacity)
        }
        buffer.clear()
        return buffer
    }

    /// Returns a buffer after its last reader.
    func recycle(_ buffer: consuming ByteBuffer) {
        guard buffer.capacity >= Self.worthKeeping else { return }
        let returned = buffer
        state.withLock { if $0.keepsSome, $0.free.count < limit { $0.free.append(returned) } }
    }
}
