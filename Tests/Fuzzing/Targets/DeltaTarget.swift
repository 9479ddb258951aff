import PortolanDelta

extension FuzzTarget {
    /// Chunk lists of a peer, in pieces, and their match with another one.
    static let chunks = FuzzTarget("chunks") { input in
        let piece = 1 + Int(input.byte())
        let base = DeltaFuzzer.list(input.piece(), piece: piece)
        let new = DeltaFuzzer.list(input.rest(), piece: piece)
        guard let base, let new else { return }
        var at: UInt64 = 0
        for segment in ChunkMatch(new: new, base: base).segments {
            switch segment {
            case .copy(let range):
                require(!range.isEmpty && range.upperBound <= base.size, "A copy that the base does not have")
                at += UInt64(range.count)
            case .changed(let changed):
                require(changed.range.lowerBound == at && !changed.range.isEmpty, "A changed range elsewhere")
                require(changed.requests.allSatisfy { $0.base.upperBound <= base.size }, "A request for too much")
                at = changed.range.upperBound
            }
        }
        require(at == new.size, "The match is not the new content")
    }

    /// Requests for signatures, signatures of a peer, and searches with them.
    static let signatures = FuzzTarget("signatures", longest: 8192) { input in
        let isHonest = input.flag()
        let (block, strong) = (256 + 64 * input.number(below: 14), 3 + input.number(below: 7))
        let start = input.flag() ? input.word() : UInt64(input.byte())
        let base = input.piece()
        let length = isHonest ? UInt64(base.count) : input.word() % (1 << 25)
        guard
            let request = try? SignatureRequest(
                base: start, length: length, blockSize: block, strongLength: strong, baseSize: 1 << 40)
        else { return }
        let key = [UInt8](repeating: 1, count: BlockSums.keyLength)
        let encoded: [UInt8]
        if isHonest {
            encoded = base.withUnsafeBytes { BlockSignature(of: $0, for: request, BlockSums(key: key)) }.encode()
        } else {
            encoded = input.flag() ? base : base + [UInt8](repeating: 0, count: Int(request.signatureLength))
        }
        let count = input.flag() ? encoded.count : Int(request.signatureLength)
        guard let signature = try? BlockSignature(decoding: Array(encoded.prefix(count)), for: request) else {
            require(!isHonest, "An honest signature is refused")
            return
        }
        require(signature.encode() == Array(encoded.prefix(count)), "It is encoded otherwise")
        DeltaFuzzer.search(signature, key, input.rest(), base: isHonest ? base : nil)
    }
}

private enum DeltaFuzzer {
    /// Decodes a list at once and in pieces.
    static func list(_ bytes: [UInt8], piece: Int) -> ChunkList? {
        let whole = try? ChunkList(decoding: bytes)
        require(whole == pieced(bytes, piece), "Pieces are another list")
        if let whole { require(whole.encode() == bytes, "It is encoded otherwise") }
        return whole
    }

    private static func pieced(_ bytes: [UInt8], _ piece: Int) -> ChunkList? {
        var decoder = ChunkListDecoder()
        var rest = bytes[...]
        do {
            while !rest.isEmpty {
                try decoder.append(rest.prefix(piece))
                rest = rest.dropFirst(piece)
            }
            return try decoder.finish()
        } catch {
            return nil
        }
    }

    /// Searches for blocks.
    ///
    /// - Parameter base: range of the signature; nil for an invalid signature.
    static func search(_ signature: BlockSignature, _ key: [UInt8], _ content: [UInt8], base: [UInt8]?) {
        let range = signature.request.base
        var built: [UInt8] = []
        var length: UInt64 = 0
        content.withUnsafeBytes { bytes in
            BlockSearch([signature], BlockSums(key: key)).search(bytes, at: 0) { operation in
                length += operation.length
                switch operation {
                case .copy(let copy):
                    require(copy.clamped(to: range) == copy && !copy.isEmpty, "A copy outside the signature's range")
                    if let base {
                        built += base[Int(copy.lowerBound - range.lowerBound)..<Int(copy.upperBound - range.lowerBound)]
                    }
                case .literal(let literal):
                    built += content[Int(literal.lowerBound)..<Int(literal.upperBound)]
                }
            }
        }
        require(length == content.count, "Operations are not the content")
        if base != nil { require(built == content, "Operations are other content") }
    }
}
