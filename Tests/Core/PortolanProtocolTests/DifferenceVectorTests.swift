import PortolanCrypto
import TestSupport
import Testing

/// The vectors of contents' digests, and of differences, as far as digests of contents and of files go. Chunks and
/// groups are read elsewhere.
@Suite struct DifferenceVectorTests {
    /// Content of `size` bytes from the `seed` of a vector.
    private func content(of vector: VectorObject) throws -> [UInt8] {
        let size = Int(try vector.long("size"))
        var random = SeededGenerator(seed: try vector.long("seed"))
        var content: [UInt8] = []
        while content.count < size {
            withUnsafeBytes(of: random.next().littleEndian) { content.append(contentsOf: $0) }
        }
        return Array(content.prefix(size))
    }

    @Test("digests of contents in parts are those of the vectors, however their bytes are split")
    func contentDigests() throws {
        let vectors = try VectorFile.all(ofKind: "content_digest")
        #expect(vectors.count == 6)
        for vector in vectors {
            defer { vector.leaveRest() }
            let content = try content(of: vector)
            let digest = try vector.bytes("digest")
            for piece in [1000, ContentDigester.partBytes, .max] {
                var digester = ContentDigester()
                var rest = content[...]
                while !rest.isEmpty {
                    rest.prefix(piece).withUnsafeBytes { digester.update($0) }
                    rest = rest.dropFirst(piece)
                }
                #expect(digester.finalize() == digest, "\(vector.path) in pieces of \(piece)")
            }
        }
    }

    @Test("a small content, of the bytes that make the digest of a large one, has another digest")
    func noCollision() {
        let large = [UInt8](repeating: 7, count: 2 * ContentDigester.partBytes)
        let part = sha256([Array(large.prefix(ContentDigester.partBytes))])
        let size = withUnsafeBytes(of: UInt64(large.count).bigEndian) { Array($0) }
        let small = Array("Portolan content".utf8) + part + part + size
        let digests = [large, small].map { $0.withUnsafeBytes { ContentDigester(of: $0).finalize() } }
        #expect(digests[0] != digests[1] && digests.allSatisfy { $0.count == 32 } && digests[1] == sha256([small]))
    }

    @Test func keyedDigestsMatchTheVectors() throws {
        let vectors = try VectorFile.all(ofKind: "difference")
        #expect(vectors.count == 3)
        for vector in vectors {
            defer { vector.leaveRest() }
            let content = try content(of: vector)
            let key = try vector.bytes("key")
            let digest = content.withUnsafeBytes { KeyedDigest(key: key).digest(of: $0) }
            #expect(digest == (try vector.bytes("digest")), "\(vector.path)")
            var file = FileDigester(key: key)
            content.withUnsafeBytes { file.update($0) }
            #expect(file.finalize() == (try vector.bytes("file_digest")), "\(vector.path)")
        }
    }
}
