import DequeModule
import NIOCore

/// Direction of a connection: bytes that arrive in their order, some time after they were sent.
///
/// The number of bytes that were sent and not taken is limited by its capacity, like the buffers of two sockets.
final class VirtualPipe {
    private let network: VirtualNetwork
    private let number: UInt64
    private let capacity: Int
    private var arrived = ByteBuffer()
    private var onTheWay: Deque<ByteBuffer> = []
    private var unread = 0
    private var lastArrival: Int64 = 0

    private(set) var hasEndBeenSent = false
    /// True if all sent bytes have arrived, and no more will come.
    private(set) var isAtEnd = false
    /// True if the receiving side knows that the connection has broken.
    private(set) var isBroken = false

    /// Called when bytes, or the end, have arrived.
    var hasArrived: () -> Void = {}
    /// Called when there is room again.
    var hasRoomAgain: () -> Void = {}

    init(on network: VirtualNetwork, number: UInt64, capacity: Int) {
        self.network = network
        self.number = number
        self.capacity = capacity
    }

    /// Number of bytes that may be sent now.
    var room: Int { max(0, capacity - unread) }

    /// Number of bytes in transit.
    var underWay: Int { unread - arrived.readableBytes }

    /// Number of bytes that have arrived and were not taken.
    var readable: Int { arrived.readableBytes }

    /// Time of the last arrival.
    private(set) var heard: Int64 = 0

    func send(_ bytes: ByteBuffer) {
        guard !hasEndBeenSent, bytes.readableBytes > 0 else { return }
        network.count(bytes.readableBytes)
        guard !hasEndBeenSent else { return }
        unread += bytes.readableBytes
        onTheWay.append(bytes)
        later { [self] in
            guard var bytes = onTheWay.popFirst() else { return }
            network.trace.note(network.loop.elapsed, number, UInt64(bytes.readableBytes))
            heard = network.loop.elapsed
            arrived.discardReadBytes()
            arrived.writeBuffer(&bytes)
            hasArrived()
        }
    }

    /// Ends the direction: the other side learns of it after the bytes sent before.
    func end() {
        guard !hasEndBeenSent else { return }
        hasEndBeenSent = true
        later { [self] in
            isAtEnd = true
            hasArrived()
        }
    }

    /// Breaks the connection: some bytes in transit still arrive.
    func cut() {
        hasEndBeenSent = true
        let left = onTheWay.isEmpty ? 0 : network.random(0...onTheWay.count)
        for dropped in onTheWay.suffix(onTheWay.count - left) { unread -= dropped.readableBytes }
        onTheWay.removeLast(onTheWay.count - left)
        later { [self] in
            isBroken = true
            hasArrived()
        }
    }

    /// Takes the next bytes that have arrived, at most `count`.
    func take(_ count: Int) -> ByteBuffer? {
        guard let bytes = arrived.readSlice(length: min(count, arrived.readableBytes)), bytes.readableBytes > 0 else {
            return nil
        }
        unread -= bytes.readableBytes
        network.loop.execute { [self] in hasRoomAgain() }
        return bytes
    }

    private func later(_ body: @escaping () -> Void) {
        lastArrival = max(lastArrival, network.loop.elapsed + network.delay)
        network.loop.at(lastArrival, body)
    }
}

// Sendable for the reason that the loop is: only the thread with the turn accesses a pipe.
extension VirtualPipe: @unchecked Sendable {}
