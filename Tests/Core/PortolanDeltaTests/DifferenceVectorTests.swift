import Crypto
import TestSupport
import Testing

@testable import PortolanDelta

/// The vectors of differences, as far as chunks, groups and sums go. The digests of files are read elsewhere.
@Suite struct DifferenceVectorTests {
    @Test func chunkListsAndGroupsMatchTheVectors() throws {
        let vectors = try VectorFile.all(ofKind: "difference")
        #expect(vectors.count == 3)
        for vector in vectors {
            defer { vector.leaveRest() }
            let content = randomBytes(Int(try vector.long("size")), seed: try vector.long("seed"))
            let key = try vector.bytes("key")
            let list = content.withUnsafeBytes { ChunkScanner.scan($0, key: key) }
            #expect(Array(SHA256.hash(data: list.encode())) == (try vector.bytes("chunk_list")), "\(vector.path)")
            let groups = try vector.texts("groups").flatMap { try [UInt8](hex: $0) }
            #expect(ChunkGroup.encode(list.groups) == groups, "\(vector.path)")
            for one in try vector.objects("sums") {
                let range = try one.numbers("range")
                let request = try SignatureRequest(
                    base: UInt64(range[0]), length: UInt64(range[1]), blockSize: range[2], strongLength: range[3],
                    baseSize: UInt64(content.count))
                let signature = content[range[0]..<range[0] + range[1]].withUnsafeBytes {
                    BlockSignature(of: $0, for: request, BlockSums(key: key))
                }
                #expect(signature.encode() == (try one.bytes("bytes")), "\(vector.path), \(range)")
            }
        }
    }
}
