import TestSupport

@testable import PortolanCompression

/// A lane, its kernel buffer and its link, in simulated time: the thread reads, compresses, seals and sends one block
/// after the other, while the buffer drains. Units are seconds and bytes.
struct SimulatedLane {
    /// Remaining fraction of the content at an offset after compression; 1 if it does not shrink.
    var content: (_ offset: Double) -> Double
    /// Bytes a second of the link at a time.
    var link: (_ time: Double) -> Double

    /// Seconds per byte: reading and sealing (of sent bytes) together, compressing, detecting an incompressible block.
    var reading = 0.1e-9
    var sending = 0.25e-9
    var compressing = 3.3e-9
    var trying = 0.8e-9
    /// Seconds for a look at a part of a block.
    var looking = 16e-6

    /// Seconds per byte at the receiver, for received bytes (of the wire) and for expanding (of the content); it takes
    /// blocks in order and one at a time.
    var receiving = 0.0
    var expanding = 0.0

    var buffer = 3_000_000.0
    var block = 262_144

    /// Random variation of each cost, up and down.
    var noise = 0.2

    /// Seconds until `bytes` of content have arrived, and how much of it was sent compressed.
    func run(_ mode: CompressionMode, bytes: Double, seed: UInt64) -> (seconds: Double, packed: Double) {
        var random = SeededGenerator(seed: seed)
        var choice = CompressionChoice(mode)
        var queue = SendQueue()
        var now = 0.0
        var offset = 0.0
        var packedBytes = 0.0

        /// Time passes for the lane; its buffer empties meanwhile.
        func work(_ seconds: Double) -> Double {
            let taken = seconds * (1 + noise * Double.random(in: -1...1, using: &random))
            queue.drain(from: now, for: taken, link: link)
            now += taken
            return taken
        }

        while offset < bytes {
            let count = Double(block)
            let ratio = content(offset)
            _ = work(count * reading)
            var step = choice.next()
            if step == .look { step = choice.looked(worthwhile: ratio < 1, seconds: work(looking)) }
            var wire = count
            if step == .compress {
                let seconds = work(count * (ratio < 1 ? compressing : trying))
                let left = ratio * (1 + 0.05 * Double.random(in: -1...1, using: &random))
                if ratio < 1 {
                    wire = count * left
                    packedBytes += count
                }
                choice.compressed(block, into: ratio < 1 ? Int(wire) : nil, seconds: seconds)
            }
            _ = work(wire * sending)
            var waited = 0.0
            if queue.bytes + wire > buffer {
                // The kernel wakes a sender when a third is free.
                waited = queue.drain(from: now, until: min(buffer * 2 / 3, buffer - wire), link: link)
                now += waited
            }
            queue.add(wire, receiving: receiving + (wire < count ? expanding * count / wire : 0))
            choice.sent(block, wire: Int(wire), queued: Int(queue.bytes), waited: waited, now: now)
            offset += count
        }
        now += queue.drain(from: now, until: 0, link: link)
        return (now, packedBytes / bytes)
    }
}

/// Contents of a kernel's buffer, with their departure.
private struct SendQueue {
    private(set) var bytes = 0.0
    private var parts: [(bytes: Double, receiving: Double)] = []
    private var first = 0

    mutating func add(_ count: Double, receiving: Double) {
        bytes += count
        parts.append((count, receiving))
        if first > 1000 {
            parts.removeFirst(first)
            first = 0
        }
    }

    /// For so many seconds.
    mutating func drain(from begin: Double, for seconds: Double, link: (Double) -> Double) {
        var left = seconds
        while first < parts.count, left > 0 {
            let pace = max(1 / link(begin + seconds - left), parts[first].receiving)
            let count = min(parts[first].bytes, left / pace)
            left -= count * pace
            take(count)
        }
    }

    /// Until no more than `limit` bytes are left; returns how long that takes.
    mutating func drain(from begin: Double, until limit: Double, link: (Double) -> Double) -> Double {
        var seconds = 0.0
        while first < parts.count, bytes > limit {
            let pace = max(1 / link(begin + seconds), parts[first].receiving)
            let count = min(parts[first].bytes, bytes - limit)
            seconds += count * pace
            take(count)
            if bytes - limit < 1e-3 { break }
        }
        return seconds
    }

    private mutating func take(_ count: Double) {
        bytes -= count
        parts[first].bytes -= count
        if parts[first].bytes < 1e-3 {
            bytes = max(0, bytes - parts[first].bytes)
            first += 1
        }
    }
}
