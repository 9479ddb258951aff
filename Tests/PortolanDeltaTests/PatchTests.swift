import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct PatchTests {
    private let base = Array("The quick brown fox jumps over the lazy dog.".utf8)
    private let new = Array("over the lazy cat. The quick brown fox".utf8)

    private var operations: [DeltaOperation] {
        [.copy(base: 26..<40), .literal(14..<19), .copy(base: 0..<19)]
    }

    private func patch(_ operations: [DeltaOperation], of new: [UInt8]) -> [UInt8] {
        var writer = PatchWriter(PatchHeader(size: UInt64(new.count), digest: digest(new)))
        var patch = writer.begin()
        for operation in operations {
            patch += writer.encode(operation)
            if case .literal(let range) = operation { patch += new[Int(range.lowerBound)..<Int(range.upperBound)] }
        }
        return patch
    }

    private func read(_ patch: [UInt8], piece: Int = .max, limit: UInt64 = 1000) throws -> MemoryTarget {
        var target = MemoryTarget(base: base)
        var reader = PatchReader(baseSize: UInt64(base.count), limit: limit)
        var rest = patch[...]
        while !rest.isEmpty {
            try rest.prefix(piece).withUnsafeBytes { try reader.read($0, into: &target) }
            rest = rest.dropFirst(piece)
        }
        try reader.finish()
        return target
    }

    @Test("a patch has these bytes")
    func bytes() {
        let encoded = patch(operations, of: new)
        #expect(encoded.prefix(2) == [1, 38])
        #expect(Array(encoded[2..<34]) == digest(new).bytes)
        // 14 bytes from 26 on; 5 literal bytes; 19 bytes, 40 before the end of the last copy.
        #expect(Array(encoded[34...]) == [28, 52, 11] + Array("cat. ".utf8) + [38, 79])
    }

    @Test("a patch builds the new content, in any pieces")
    func pieces() throws {
        let encoded = patch(operations, of: new)
        for piece in 1...encoded.count {
            let target = try read(encoded, piece: piece)
            #expect(target.content == new && target.isConfirmed && target.copies == 2)
        }
        #expect(try read(patch([], of: [])).isConfirmed)
    }

    @Test("a patch that ends too early is refused, at each byte; so are bytes behind its end")
    func truncated() throws {
        let encoded = patch(operations, of: new)
        for count in encoded.indices {
            #expect(throws: DeltaError.truncated(.patch)) { try read(Array(encoded.prefix(count))) }
        }
        #expect(throws: DeltaError.trailing(.patch)) { try read(encoded + [0]) }
        #expect(throws: DeltaError.trailing(.patch)) { try read(patch([], of: []) + [1]) }
    }

    @Test("a patch with flipped bits is refused, or builds something that its digest does not confirm")
    func flippedBits() {
        let encoded = patch(operations, of: new)
        var built = 0
        for bit in 0..<encoded.count * 8 {
            var damaged = encoded
            damaged[bit / 8] ^= 1 << (bit % 8)
            guard let target = try? read(damaged) else { continue }
            #expect(!target.isConfirmed)
            built += 1
        }
        // The bits of the digest, and those of the literal.
        #expect(built >= (32 + 5) * 8)
    }

    @Test("what no honest patch says is refused")
    func hostile() {
        func patch(_ operations: [UInt64], size: UInt64 = 100) -> [UInt8] {
            var bytes: [UInt8] = [1]
            bytes.append(variableLength: size)
            bytes += digest([]).bytes
            for number in operations { bytes.append(variableLength: number) }
            return bytes
        }
        let cases: [([UInt8], DeltaError)] = [
            ([0], .unknownVersion(0)), ([2], .unknownVersion(2)),
            (patch([], size: 1001), .tooLarge(1001)), (patch([], size: .max), .tooLarge(.max)),
            ([1] + [UInt8](repeating: 0xFF, count: 10), .malformedNumber(.patch)),
            ([1, 0x80, 0], .malformedNumber(.patch)),
            (patch([0]), .badOperationLength), (patch([1]), .badOperationLength),
            (patch([101 << 1]), .badOperationLength), (patch([101 << 1 | 1]), .badOperationLength),
            (patch([.max]), .badOperationLength), (patch([.max - 1]), .badOperationLength),
            // The base has 44 bytes.
            (patch([45 << 1, 0]), .outsideBase), (patch([44 << 1, 2]), .outsideBase),
            (patch([2, 44 << 1]), .outsideBase), (patch([2, 1]), .outsideBase), (patch([2, .max]), .outsideBase),
            (patch([2, .max - 1]), .outsideBase), (patch([2, 0, 2, 3]), .outsideBase),
        ]
        for (bytes, error) in cases {
            #expect(throws: error) { try read(bytes) }
            #expect(throws: error) { try read(bytes, piece: 1) }
        }
    }

    @Test("neighbours become one operation")
    func merging() {
        var merger = OperationMerger()
        #expect(merger.add(.copy(base: 0..<10)) == nil)
        #expect(merger.add(.copy(base: 10..<15)) == nil)
        #expect(merger.add(.copy(base: 10..<10)) == nil)
        #expect(merger.add(.copy(base: 16..<20)) == .copy(base: 0..<15))
        #expect(merger.add(.literal(19..<20)) == .copy(base: 16..<20))
        #expect(merger.add(.literal(20..<25)) == nil)
        #expect(merger.finish() == .literal(19..<25))
        #expect(merger.finish() == nil)
    }
}
