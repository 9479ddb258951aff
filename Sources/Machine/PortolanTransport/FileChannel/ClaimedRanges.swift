import PortolanCrypto

/// Claimed parts of a file, from which the progress tells what is kept before the file is complete.
struct ClaimedRanges {
    /// Parts that were neither counted nor replaced by content, in order.
    private var rest: ArraySlice<Range<UInt64>>
    /// Bytes that were counted as kept.
    private(set) var kept: UInt64 = 0

    /// - Parameter blocks: numbers of blocks of `BlockDigest.blockSize` bytes, in order.
    init(_ blocks: [Range<UInt64>]) {
        rest = blocks.map { $0.lowerBound * Self.block..<$0.upperBound * Self.block }[...]
    }

    /// Notes content of the file that came.
    ///
    /// - Returns: bytes before it that are kept, as far as they were not counted yet.
    mutating func pass(_ content: Range<UInt64>) -> UInt64 {
        var news: UInt64 = 0
        while let part = rest.first, part.lowerBound < content.upperBound {
            news += min(part.upperBound, max(content.lowerBound, part.lowerBound)) - part.lowerBound
            guard part.upperBound <= content.upperBound else {
                rest[rest.startIndex] = content.upperBound..<part.upperBound
                break
            }
            rest.removeFirst()
        }
        kept += news
        return news
    }

    private static let block = BlockDigest.blockSize
}
