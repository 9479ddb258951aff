import CZstd

/// Expands blocks that a peer packed: exactly the declared number of bytes, into memory of the caller.
///
/// Each thread that expands has one. Its own memory is about 100 KiB for any frame: content is written directly to the
/// caller's memory, which is also the window.
package struct BlockExpander: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = ZSTD_createDCtx() else { fatalError("There is no memory for expanding.") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Expands one zstd frame (RFC 8878) without a dictionary.
    ///
    /// - Parameter frame: exactly one frame, without trailing bytes.
    /// - Parameter output: memory of the declared length, 1 byte to 1 MiB. Undefined after an error.
    /// - Throws: `ExpandError` for invalid frames.
    package func expand(
        _ frame: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ExpandError) {
        let limit = UInt64(BlockLimits.content)
        guard 1...BlockLimits.content ~= output.count else { throw .tooLarge }
        let header = try FrameHeader(of: frame)
        guard header.windowSize <= limit, header.contentSize ?? 0 <= limit else { throw .tooLarge }
        guard (header.contentSize ?? UInt64(output.count)) == UInt64(output.count) else { throw .wrongLength }

        let length = ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
        if ZSTD_isError(length) != 0 { throw ExpandError(length) }
        guard length == frame.count else { throw .trailing }

        let count = ZSTD_decompressDCtx(context, output.baseAddress, output.count, frame.baseAddress, frame.count)
        if ZSTD_isError(count) != 0 { throw ExpandError(count) }
        guard count == output.count else { throw .wrongLength }
    }
}

extension ExpandError {
    fileprivate init(_ result: Int) {
        self =
            switch ZSTD_getErrorCode(result) {
            case ZSTD_error_srcSize_wrong: .truncated
            case ZSTD_error_dstSize_tooSmall: .wrongLength
            case ZSTD_error_memory_allocation: .noMemory
            case ZSTD_error_dictionary_wrong, ZSTD_error_dictionary_corrupted: .dictionary
            case ZSTD_error_frameParameter_windowTooLarge: .tooLarge
            default: .damaged(String(cString: ZSTD_getErrorName(result)))
            }
    }
}
