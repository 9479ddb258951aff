import CZstd

/// Compresses blocks of content into zstd frames (RFC 8878), each of which stands by itself.
///
/// One is kept for each thread that compresses: the memory that zstd works in, about half a mebibyte, is made at the first block
/// and used again.
package struct BlockCompressor: ~Copyable {
    private let context: OpaquePointer

    /// zstd's level. Text of logs becomes a third at level 1; the levels above it are slower and gain nothing, and those below it
    /// leave out the coding of literals: a little faster, and half as much again to send.
    private static let level: Int32 = 1

    /// How much of a block `seemsWorthwhile` looks at: this many bytes in each of two places.
    private static let glance = 8 << 10

    package init() {
        guard let context = ZSTD_createCCtx() else { fatalError("There is no memory for compressing.") }
        self.context = context
        // The frame says how long its content is; a checksum is not needed where records are authenticated.
        set(ZSTD_c_compressionLevel, Self.level)
        set(ZSTD_c_contentSizeFlag, 1)
        set(ZSTD_c_checksumFlag, 0)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses one block.
    ///
    /// - Parameter block: 1 byte to 1 MiB.
    /// - Parameter output: has room for `BlockLimits.packed(block.count)` bytes.
    /// - Returns: how many bytes of `output` are the frame; nil when it does not get smaller by a useful amount: it goes as it is.
    package func compress(_ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(1...BlockLimits.content ~= block.count)
        let room = BlockLimits.packed(block.count)
        precondition(output.count >= room)
        return frame(of: block, into: UnsafeMutableRawBufferPointer(rebasing: output[..<room]))
    }

    /// Whether a block looks as if it can be compressed, found out by compressing a small part of it, which costs a fraction.
    ///
    /// - Parameter scratch: overwritten; has room for `BlockLimits.packed(block.count)` bytes.
    package func seemsWorthwhile(
        _ block: UnsafeRawBufferPointer, scratch: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard block.count > 4 * Self.glance else { return true }
        for place in [block.count / 4, block.count / 4 * 3] {
            let part = UnsafeRawBufferPointer(rebasing: block[place - Self.glance / 2..<place + Self.glance / 2])
            let room = UnsafeMutableRawBufferPointer(rebasing: scratch[..<BlockLimits.packed(part.count)])
            if frame(of: part, into: room) != nil { return true }
        }
        return false
    }

    /// The length of the frame; nil when it does not fit (or zstd finds no memory: what is not compressed is right, too).
    private func frame(of block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        let result = ZSTD_compress2(context, output.baseAddress, output.count, block.baseAddress, block.count)
        if ZSTD_isError(result) == 0 { return result }
        let error = ZSTD_getErrorCode(result)
        precondition(
            error == ZSTD_error_dstSize_tooSmall || error == ZSTD_error_memory_allocation,
            String(cString: ZSTD_getErrorName(result)))
        return nil
    }

    private func set(_ parameter: ZSTD_cParameter, _ value: Int32) {
        precondition(ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)) == 0)
    }
}
