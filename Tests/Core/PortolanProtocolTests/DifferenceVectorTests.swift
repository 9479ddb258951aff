import PortolanCrypto
import TestSupport
import Testing

/// The vectors of differences, as far as digests of contents and of files go. Chunks and groups are read elsewhere.
@Suite struct DifferenceVectorTests {
    @Test func keyedDigestsMatchTheVectors() throws {
        let vectors = try VectorFile.all(ofKind: "difference")
        #expect(vectors.count == 3)
        for vector in vectors {
            defer { vector.leaveRest() }
            let size = Int(try vector.long("size"))
            var random = SeededGenerator(seed: try vector.long("seed"))
            var content: [UInt8] = []
            while content.count < size {
                withUnsafeBytes(of: random.next().littleEndian) { content.append(contentsOf: $0) }
            }
            content.removeLast(content.count - size)
            let key = try vector.bytes("key")
            let digest = content.withUnsafeBytes { KeyedDigest(key: key).digest(of: $0) }
            #expect(digest == (try vector.bytes("digest")), "\(vector.path)")
            var file = FileDigester(key: key)
            content.withUnsafeBytes { file.update($0) }
            #expect(file.finalize() == (try vector.bytes("file_digest")), "\(vector.path)")
        }
    }
}
