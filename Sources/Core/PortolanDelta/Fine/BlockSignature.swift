/// The sums of a range of the base, block by block.
///
/// Encoded: for each full block its weak sum in 4 bytes and its strong sum, big-endian; then those of the rest, if it
/// has a sum. Its length follows from the request, so that nothing else is encoded.
package struct BlockSignature: Hashable, Sendable {
    package let request: SignatureRequest
    let blocks: [BlockSum]
    /// Sum of the bytes after the last full block.
    let tail: BlockSum?

    /// - Parameter content: the bytes of the request's range.
    package init(of content: UnsafeRawBufferPointer, for request: SignatureRequest, _ sums: BlockSums) {
        precondition(content.count == request.base.count)
        func sum(_ start: Int, _ length: Int) -> BlockSum {
            let block = content[part: start..<start + length]
            return BlockSum(weak: sums.weak(block), strong: sums.strong(block, length: request.strongLength))
        }
        self.request = request
        blocks = (0..<request.blockCount).map { sum($0 * request.blockSize, request.blockSize) }
        let tailLength = request.tailLength
        tail = tailLength > 0 ? sum(content.count - tailLength, tailLength) : nil
    }

    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(request.signatureLength))
        for sum in blocks + (tail.map { [$0] } ?? []) {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: sum.weak >> shift)) }
            for place in (0..<request.strongLength).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: sum.strong >> (8 * place)))
            }
        }
        return bytes
    }

    /// - Parameter request: the request that the bytes answer.
    package init(decoding bytes: [UInt8], for request: SignatureRequest) throws(DeltaError) {
        guard bytes.count >= request.signatureLength else { throw .truncated(.signature) }
        guard bytes.count == request.signatureLength else { throw .trailing(.signature) }
        let length = request.sumLength
        func sum(_ number: Int) -> BlockSum {
            var (weak, strong): (UInt32, UInt64) = (0, 0)
            let start = number * length
            for byte in bytes[start..<start + SignatureRequest.weakLength] { weak = weak << 8 | UInt32(byte) }
            for byte in bytes[start + SignatureRequest.weakLength..<start + length] {
                strong = strong << 8 | UInt64(byte)
            }
            return BlockSum(weak: weak, strong: strong)
        }
        self.request = request
        blocks = (0..<request.blockCount).map(sum)
        tail = request.tailLength > 0 ? sum(request.blockCount) : nil
    }
}
