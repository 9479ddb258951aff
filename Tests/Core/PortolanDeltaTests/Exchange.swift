@testable import PortolanDelta

/// Both sides of an update of one file, in memory: everything that would go over a network is encoded, counted and
/// decoded.
struct Exchange {
    let base: [UInt8]
    let new: [UInt8]
    private(set) var match: ChunkMatch
    private(set) var signatureLength = 0
    /// Operations that build the new content, with neighbours joined.
    private(set) var operations: [DeltaOperation] = []
    private(set) var work = BlockSearch.Work()

    /// Bytes of signatures, of literals, and about as many for each operation as its numbers take.
    var cost: Int {
        operations.reduce(signatureLength) { cost, operation in
            if case .literal(let range) = operation { return cost + 8 + range.count }
            return cost + 8
        }
    }

    /// - Parameter forge: changes encoded signatures between the two sides.
    init(from base: [UInt8], to new: [UInt8], forge: (SignatureRequest, [UInt8]) -> [UInt8] = { $1 }) throws {
        self.base = base
        self.new = new
        let list = try ChunkList(decoding: chunkList(base).encode())
        let newList = chunkList(new)
        match = ChunkMatch(new: newList, base: list)
        var merger = OperationMerger()
        for segment in match.segments {
            switch segment {
            case .copy(let range):
                if let ended = merger.add(.copy(base: range)) { operations.append(ended) }
            case .changed(let changed):
                let signatures = try changed.requests.map { try signature($0, forge) }
                let range = Int(changed.range.lowerBound)..<Int(changed.range.upperBound)
                var found: [DeltaOperation] = []
                new[range].withUnsafeBytes { bytes in
                    BlockSearch(signatures, sums).search(bytes, at: changed.range.lowerBound, &work) {
                        found.append($0)
                    }
                }
                for operation in found {
                    if let ended = merger.add(operation) { operations.append(ended) }
                }
            }
        }
        if let ended = merger.finish() { operations.append(ended) }
    }

    /// The signature as the receiver makes it, the sender asks for it, and it arrives.
    private mutating func signature(
        _ request: SignatureRequest, _ forge: (SignatureRequest, [UInt8]) -> [UInt8]
    ) throws -> BlockSignature {
        let checked = try SignatureRequest(
            base: request.base.lowerBound, length: UInt64(request.base.count), blockSize: request.blockSize,
            strongLength: request.strongLength, baseSize: UInt64(base.count))
        let range = Int(request.base.lowerBound)..<Int(request.base.upperBound)
        let made = base[range].withUnsafeBytes { BlockSignature(of: $0, for: checked, sums) }.encode()
        signatureLength += made.count
        return try BlockSignature(decoding: forge(request, made), for: request)
    }

    /// True if the operations build the new content.
    var isRebuilt: Bool { rebuilt == new }

    /// The content that the operations build.
    var rebuilt: [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(new.count)
        for operation in operations {
            switch operation {
            case .copy(let range): content += base[Int(range.lowerBound)..<Int(range.upperBound)]
            case .literal(let range): content += new[Int(range.lowerBound)..<Int(range.upperBound)]
            }
        }
        return content
    }
}
