import Glibc

/// Packs the blocks of one lane: decides for each whether it is compressed, and compresses it.
///
/// For one thread alone, which for each block calls `pack` and then, when what came of it was sent, `sent`.
package struct BlockPacker: ~Copyable {
    private var choice: CompressionChoice
    private let clock: () -> Double

    /// Made when the first block is tried: a lane that never compresses needs none.
    private var compressor: BlockCompressor?

    /// - Parameter clock: seconds since any fixed moment; it must not go back.
    package init(_ mode: CompressionMode, clock: @escaping () -> Double = secondsOfMonotonicClock) {
        choice = CompressionChoice(mode)
        self.clock = clock
    }

    /// Compresses a block if that is the way to send it.
    ///
    /// - Parameter block: 1 byte to 1 MiB of content.
    /// - Parameter output: has room for `BlockLimits.packed(block.count)` bytes.
    /// - Returns: how many bytes of `output` are the zstd frame; nil: the block goes as it is, and `output` holds anything.
    package mutating func pack(_ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        // What is this small gains less than its record costs.
        guard block.count >= 256 else { return nil }
        var step = choice.next()
        if step == .raw { return nil }
        let compressor = self.compressor.take() ?? BlockCompressor()
        var start = clock()
        if step == .look {
            let worthwhile = compressor.seemsWorthwhile(block, scratch: output)
            let end = clock()
            step = choice.looked(worthwhile: worthwhile, seconds: end - start)
            start = end
        }
        var packed: Int?
        if step == .compress {
            packed = compressor.compress(block, into: output)
            choice.compressed(block.count, into: packed, seconds: clock() - start)
        }
        self.compressor = consume compressor
        return packed
    }

    /// A block was sent, as it is or packed.
    ///
    /// - Parameter count: the bytes of content in it.
    /// - Parameter wire: what was handed to the kernel for it.
    /// - Parameter queued: what the kernel has of this connection and has not sent yet (`ioctl` with SIOCOUTQNSD).
    /// - Parameter waited: seconds of waiting for room in the kernel's buffer or for a rate limit: not what sending itself takes.
    package mutating func sent(_ count: Int, wire: Int, queued: Int, waited: Double) {
        choice.sent(count, wire: wire, queued: queued, waited: waited, now: clock())
    }
}

/// Seconds since the machine was started.
package func secondsOfMonotonicClock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
