import Foundation
import TestSupport
import Testing

@testable import PortolanDelta

let key: [UInt8] = Array(0..<32)
let sums = BlockSums(key: Array(32..<64))

/// Bytes without repetitions: the numbers of the generator, each as eight bytes, the lowest first.
func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let words = (count + 7) / 8
    let bytes = [UInt8](unsafeUninitializedCapacity: words * 8) { buffer, filled in
        let base = UnsafeMutableRawPointer(buffer.baseAddress!)
        for word in 0..<words {
            base.storeBytes(of: random.next().littleEndian, toByteOffset: word * 8, as: UInt64.self)
        }
        filled = words * 8
    }
    return count == bytes.count ? bytes : Array(bytes.prefix(count))
}

extension SeededGenerator {
    /// A number from 0 to `bound`, including it.
    mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0...bound, using: &self) }
}

func chunkList(_ content: [UInt8]) -> ChunkList { content.withUnsafeBytes { ChunkScanner.scan($0, key: key) } }

func signature(_ content: [UInt8], blockSize: Int = 256, strongLength: Int = 4, at start: UInt64 = 0) throws
    -> BlockSignature
{
    let size = UInt64(content.count)
    let request = try SignatureRequest(
        base: start, length: size, blockSize: blockSize, strongLength: strongLength, baseSize: start + size)
    return content.withUnsafeBytes { BlockSignature(of: $0, for: request, sums) }
}

/// Operations that a search finds, with neighbours joined.
func operations(_ search: BlockSearch, _ content: [UInt8], _ work: inout BlockSearch.Work) -> [DeltaOperation] {
    var merger = OperationMerger()
    var operations: [DeltaOperation] = []
    content.withUnsafeBytes { bytes in
        search.search(bytes, at: 0, &work) { if let ended = merger.add($0) { operations.append(ended) } }
    }
    return operations + (merger.finish().map { [$0] } ?? [])
}

enum Vectors {
    static func objects(_ file: String, _ key: String) throws -> [VectorObject] {
        let folder = try #require(Bundle.module.url(forResource: "Vectors", withExtension: nil))
        let data = try Data(contentsOf: folder.appending(path: file + ".json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let object = VectorObject(json, path: file)
        _ = try object.text("comment")
        return try object.objects(key)
    }
}
