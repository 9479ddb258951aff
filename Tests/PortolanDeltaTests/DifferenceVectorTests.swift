import Crypto
import TestSupport
import Testing

@testable import PortolanDelta

/// The vectors of differences, as far as chunks and groups go. The digests of files are read elsewhere.
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
        }
    }
}
