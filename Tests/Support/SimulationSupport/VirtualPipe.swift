import DequeModule
import NIOCore

/// One direction of a connection: bytes that arrive in their order, some time after they were sent.
///
/// It holds no more than its capacity of what was sent and not taken, as the buffers of two sockets do.
final class VirtualPipe {
    private let network: VirtualNetwork
    private let number: UInt64
    private let capacity: Int
    private var arrived = ByteBuffer()
    private var onTheWay: Deque<ByteBuffer> = []
    private var unread = 0
    private var lastArrival: Int64 = 0

    private(set) var hasEndBeenSent = false
    /// Whether everything that was sent has arrived, and nothing more will.
    private(set) var isAtEnd = false
    /// Whether the connection has broken, as far as the receiving side knows.
    private(set) var isBroken = false

    /// Called when something has arrived, the end included.
    var hasArrived: () -> Void = {}
    /// Called when there is room again.
    var hasRoomAgain: () -> Void = {}

    init(on network: VirtualNetwork, number: UInt64, capacity: Int) {
        self.network = network
        self.number = number
        self.capacity = capacity
    }

    /// Bytes that may be sent now.
    var room: Int { max(0, capacity - unread) }

    /// Bytes that were sent and have not arrived.
    var underWay: Int { unread - arrived.readableBytes }

    /// Bytes that have arrived and were not taken.
    var readable: Int { arrived.readableBytes }

    /// When something last arrived.
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

    /// Nothing more is sent: the other side learns it behind what was sent before.
    func end() {
        guard !hasEndBeenSent else { return }
        hasEndBeenSent = true
        later { [self] in
            isAtEnd = true
            hasArrived()
        }
    }

    /// The connection breaks: some of what is on its way still comes.
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

    /// The next bytes that have arrived, at most `count`.
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

// As for the loop: whoever has the turn, and nobody else, touches it.
extension VirtualPipe: @unchecked Sendable {}
