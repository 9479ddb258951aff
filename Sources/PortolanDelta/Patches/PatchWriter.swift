/// Encodes a patch except for the bytes of its literals, which the owner puts behind their headers.
package struct PatchWriter: Sendable {
    private var remaining: UInt64
    private var lastCopyEnd: UInt64 = 0
    private let header: PatchHeader

    package init(_ header: PatchHeader) {
        self.header = header
        remaining = header.size
    }

    /// Returns the first bytes of the patch.
    package func begin() -> [UInt8] {
        var bytes = [PatchHeader.version]
        bytes.append(variableLength: header.size)
        return bytes + header.digest.bytes
    }

    /// Returns the encoded operation, without the bytes of a literal.
    ///
    /// - Parameter operation: at least one byte, and no more than the new content still lacks.
    package mutating func encode(_ operation: DeltaOperation) -> [UInt8] {
        precondition(1...remaining ~= operation.length)
        remaining -= operation.length
        var bytes: [UInt8] = []
        switch operation {
        case .literal(let range):
            bytes.append(variableLength: UInt64(range.count) << 1 | 1)
        case .copy(let range):
            bytes.append(variableLength: UInt64(range.count) << 1)
            let start = range.lowerBound
            let isForward = start >= lastCopyEnd
            bytes.append(variableLength: isForward ? (start - lastCopyEnd) << 1 : (lastCopyEnd - start) << 1 - 1)
            lastCopyEnd = range.upperBound
        }
        return bytes
    }

    /// True if the operations so far make up the new content.
    package var isComplete: Bool { remaining == 0 }
}
