/// Finds the boundaries of content-defined chunks: FastCDC with normalized chunking (Xia et al., USENIX ATC 2016).
///
/// The gear hash of a chunk begins with 0; each byte *b* makes it `(hash << 1) + gear[b]`, modulo 2^64. A chunk ends
/// behind the first byte with which it has at least the minimum length and the leading 18 bits of the hash are zero (14
/// bits from the normal length on), or with which it has the maximum length. The last chunk ends with the content.
///
/// Bytes may come in any pieces.
package struct Chunker: Sendable {
    private let gear: [UInt64]
    private var hash: UInt64 = 0
    /// Bytes of the current chunk so far.
    package private(set) var length = 0

    package init(_ table: GearTable) { gear = table.entries }

    /// Takes bytes up to the end of the current chunk.
    ///
    /// - Returns: the count of bytes up to the boundary; nil if the chunk goes on behind the last of these bytes, all
    ///   of which are taken then.
    package mutating func nextBoundary(in bytes: UnsafeRawBufferPointer) -> Int? {
        var scan = Scan(bytes: bytes, hash: hash, length: length)
        let isBoundary = gear.withUnsafeBufferPointer { scan.run($0.baseAddress.unsafelyUnwrapped) }
        hash = isBoundary ? 0 : scan.hash
        length = isBoundary ? 0 : scan.length
        return isBoundary ? scan.position : nil
    }

    private struct Scan {
        let bytes: UnsafeRawBufferPointer
        var hash: UInt64
        var length: Int
        var position = 0

        /// Runs over bytes; true if the chunk ends, at `position`.
        mutating func run(_ gear: UnsafePointer<UInt64>) -> Bool {
            // Bytes that no boundary depends on are not read.
            let skipped = min(bytes.count, max(0, ChunkSizes.minimum - ChunkSizes.window - length))
            position = skipped
            length += skipped
            warmUp(gear)
            return hasBoundary(gear, before: ChunkSizes.normal, bits: ChunkSizes.bits.before)
                || hasBoundary(gear, before: ChunkSizes.maximum, bits: ChunkSizes.bits.after)
                || endsAtMaximum(gear)
        }

        /// Hashes bytes with which the chunk is too short to end.
        private mutating func warmUp(_ gear: UnsafePointer<UInt64>) {
            while length < ChunkSizes.minimum - 1, position < bytes.count { take(gear) }
        }

        private mutating func endsAtMaximum(_ gear: UnsafePointer<UInt64>) -> Bool {
            guard length == ChunkSizes.maximum - 1, position < bytes.count else { return false }
            take(gear)
            return true
        }

        private mutating func take(_ gear: UnsafePointer<UInt64>) {
            hash = (hash &<< 1) &+ gear[Int(bytes[position])]
            position += 1
            length += 1
        }

        /// Searches for a boundary at a length of less than `limit`.
        private mutating func hasBoundary(_ gear: UnsafePointer<UInt64>, before limit: Int, bits: Int) -> Bool {
            let count = min(bytes.count - position, limit - 1 - length)
            guard count > 0, let base = bytes.baseAddress else { return false }
            // The leading bits are zero exactly in numbers below this one.
            let threshold = UInt64(1) << (64 - UInt64(bits))
            let start = base.advanced(by: position).assumingMemoryBound(to: UInt8.self)
            var hash = hash
            var taken = 0
            while taken < count {
                hash = (hash &<< 1) &+ gear[Int(start[taken])]
                taken &+= 1
                if hash < threshold { break }
            }
            self.hash = hash
            position += taken
            length += taken
            return hash < threshold
        }
    }
}
