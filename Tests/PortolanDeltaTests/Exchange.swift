@testable import PortolanDelta

/// Both sides of an update of one file, in memory: everything that would go over a network is encoded, counted and
/// decoded.
struct Exchange {
    let base: [UInt8]
    let new: [UInt8]
    private(set) var match: ChunkMatch
    private(set) var signatureLength = 0
    private(set) var patch: [UInt8] = []
    private(set) var work = BlockSearch.Work()

    /// Bytes of signatures and of the patch.
    var cost: Int { signatureLength + patch.count }

    /// - Parameter forge: changes encoded signatures on their way.
    init(from base: [UInt8], to new: [UInt8], forge: (SignatureRequest, [UInt8]) -> [UInt8] = { $1 }) throws {
        self.base = base
        self.new = new
        let list = try ChunkList(decoding: chunkList(base).encode())
        let newList = chunkList(new)
        match = ChunkMatch(new: newList, base: list)
        var writer = PatchWriter(PatchHeader(size: newList.size, digest: digest(new)))
        patch = writer.begin()
        var merger = OperationMerger()
        for segment in match.segments {
            switch segment {
            case .copy(let range):
                if let ended = merger.add(.copy(base: range)) { write(ended, &writer) }
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
                    if let ended = merger.add(operation) { write(ended, &writer) }
                }
            }
        }
        if let ended = merger.finish() { write(ended, &writer) }
        precondition(writer.isComplete)
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

    private mutating func write(_ operation: DeltaOperation, _ writer: inout PatchWriter) {
        patch += writer.encode(operation)
        if case .literal(let range) = operation { patch += new[Int(range.lowerBound)..<Int(range.upperBound)] }
    }

    /// The content that the receiver builds of the patch.
    func rebuilt() throws -> MemoryTarget {
        var target = MemoryTarget(base: base)
        var reader = PatchReader(baseSize: UInt64(base.count), limit: UInt64(new.count))
        try patch.withUnsafeBytes { try reader.read($0, into: &target) }
        try reader.finish()
        return target
    }
}
