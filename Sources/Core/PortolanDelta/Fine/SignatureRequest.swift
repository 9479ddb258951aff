/// A range of the base whose blocks the other side compares, and how they are summed up.
///
/// A signature costs one sum for each block, and each edit about one block of literals. A sum tells a peer who knows
/// all but a few bytes of a block these bytes: blocks that are asked for have `askedBlock` bytes, and no byte is in two
/// (``ChunkMatch/ascending(in:)``).
///
/// A sum has 4 weak bytes, which roll, and 4 to 8 strong ones. Each position of the new range meets each block: of *p*
/// positions and *b* blocks, *p b* / 2^(8 s) pairs agree by accident. Sums are long enough to keep that below 2^-32 for
/// a range: 8 bytes for a changed chunk, 9 for the longest range. An accident costs a second transfer, since SHA-256 of
/// the whole content confirms it.
package struct SignatureRequest: Hashable, Sendable {
    /// Longest range, small enough for its content to be held in memory.
    package static let maximumLength: UInt64 = 16 << 20
    package static let blockSizes = 256...4096
    /// Bytes of a block that is asked for.
    static let askedBlock: UInt64 = 1024
    package static let strongLengths = 4...8
    package static let weakLength = 4
    /// Block sizes are multiples of this.
    private static let blockStep = 64
    /// The shortest rest of a range behind the last block that has a sum of its own.
    private static let shortestTail = 16

    package let base: Range<UInt64>
    package let blockSize: Int
    /// Bytes of a strong sum.
    package let strongLength: Int

    /// - Parameter base: at most `maximumLength`.
    /// - Parameter newLength: the length of the range of new content to compare with.
    init(base: Range<UInt64>, newLength: UInt64) {
        precondition(base.count <= Self.maximumLength)
        let length = UInt64(base.count)
        blockSize = Int(Self.askedBlock)
        let pairs = Self.bits(newLength) + Self.bits(length / UInt64(blockSize))
        let strong = (pairs + 32 + 7) / 8 - Self.weakLength
        strongLength = min(max(strong, Self.strongLengths.lowerBound), Self.strongLengths.upperBound)
        self.base = base
    }

    /// A request of a peer.
    ///
    /// - Parameter baseSize: the size of the base.
    package init(
        base start: UInt64, length: UInt64, blockSize: Int, strongLength: Int, baseSize: UInt64
    ) throws(DeltaError) {
        guard start <= baseSize, length <= baseSize - start, 1...Self.maximumLength ~= length,
            Self.blockSizes ~= blockSize, blockSize.isMultiple(of: Self.blockStep), Self.strongLengths ~= strongLength
        else { throw .badRequest }
        base = start..<start + length
        self.blockSize = blockSize
        self.strongLength = strongLength
    }

    /// Blocks of full length.
    var blockCount: Int { base.count / blockSize }
    /// Bytes behind the last full block, which have a sum if they are worth it.
    var tailLength: Int {
        let rest = base.count % blockSize
        return rest >= Self.shortestTail ? rest : 0
    }
    var sumLength: Int { Self.weakLength + strongLength }

    /// Bytes of the encoded signature.
    package var signatureLength: UInt64 { UInt64((blockCount + (tailLength > 0 ? 1 : 0)) * sumLength) }

    /// Returns the number of bits in which the number can be written.
    private static func bits(_ number: UInt64) -> Int { 64 - number.leadingZeroBitCount }
}
