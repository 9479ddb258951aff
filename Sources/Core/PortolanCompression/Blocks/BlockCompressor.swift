import CZstd

/// Compresses blocks of content into zstd frames (RFC 8878), each of which is independent.
///
/// Each thread that compresses has one: zstd's working memory, about half a mebibyte, is allocated at the first block
/// and reused.
package struct BlockCompressor: ~Copyable {
    private let context: OpaquePointer

    /// Level of zstd. Logs shrink to a third at level 1; higher levels are slower without a gain, and lower ones leave
    /// out the coding of literals: a little faster, with half as much again to send.
    private static let level: Int32 = 1

    /// Bytes that `seemsWorthwhile` compresses in each of two places of a block.
    private static let glance = 8 << 10

    package init() {
        guard let context = ZSTD_createCCtx() else { fatalError("There is no memory for compressing.") }
        self.context = context
        // The frame states the length of its content; it needs no checksum, because records are authenticated.
        set(ZSTD_c_compressionLevel, Self.level)
        set(ZSTD_c_contentSizeFlag, 1)
        set(ZSTD_c_checksumFlag, 0)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses one block.
    ///
    /// - Parameter block: 1 byte to 1 MiB.
    /// - Parameter output: has room for `BlockLimits.packed(block.count)` bytes.
    /// - Returns: length of the frame in `output`; nil if the block does not shrink by a useful amount, and is sent
    ///   uncompressed.
    package func compress(_ block: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(1...BlockLimits.content ~= block.count)
        let room = BlockLimits.packed(block.count)
        precondition(output.count >= room)
        return frame(of: block, into: UnsafeMutableRawBufferPointer(rebasing: output[..<room]))
    }

    /// True if a block is probably compressible, judged by compressing a small part of it, at a fraction of the cost.
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

    /// Returns the length of the frame; nil if it does not fit, or if zstd has no memory, since an uncompressed block
    /// is correct, too.
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
