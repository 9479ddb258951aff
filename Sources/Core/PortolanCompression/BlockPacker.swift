import Glibc

/// Packs the blocks of one lane: decides for each if it is compressed, and compresses it.
///
/// For use by one thread, which for each block calls `pack` and, after sending the result, `sent`.
package struct BlockPacker: ~Copyable {
    private var choice: CompressionChoice
    private let clock: () -> Double

    /// Compressor, made when the first block is tried: a lane that never compresses needs none.
    private var compressor: BlockCompressor?

    /// - Parameter clock: seconds since any fixed moment; must be monotonic.
    package init(_ mode: CompressionMode, clock: @escaping () -> Double = secondsOfMonotonicClock) {
        choice = CompressionChoice(mode)
        self.clock = clock
    }

    /// Compresses a block if that is worthwhile.
    ///
    /// - Parameter block: 1 byte to 1 MiB of content.
    /// - Parameter output: has room for `BlockLimits.packed(block.count)` bytes.
    /// - Returns: length of the zstd frame in `output`; nil if the block is sent uncompressed; `output` is undefined
    ///   then.
    package mutating func pack(_ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        // A smaller block saves less than the overhead of its record.
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

    /// Reports a sent block, packed or not.
    ///
    /// - Parameter count: bytes of content in the block.
    /// - Parameter wire: bytes that were written to the socket for it.
    /// - Parameter queued: bytes of this connection that the kernel has not sent yet (`ioctl` with SIOCOUTQNSD).
    /// - Parameter waited: seconds of waiting for room in the kernel's buffer or for a rate limit, without the time
    ///   of sending itself.
    package mutating func sent(_ count: Int, wire: Int, queued: Int, waited: Double) {
        choice.sent(count, wire: wire, queued: queued, waited: waited, now: clock())
    }
}

/// Returns the seconds since the machine was started.
package func secondsOfMonotonicClock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
