import Testing

@testable import PortolanCrypto

/// Digests of content under a key, as another implementation has them.
@Suite struct KeyedDigestTests {
    private let key = [UInt8](0..<32)

    @Test(arguments: [
        ([UInt8](), "1604271595d9be5bcf574b7b0b8516de"), (Array("abc".utf8), "7f8a95dd1105f81a27c6b832a47ea223"),
        ([UInt8](repeating: 0, count: 1000), "e27c669a0a3ccf08d201490baef064df"),
    ])
    func contentHasTheDigestOfAnotherImplementation(content: [UInt8], digest: String) {
        let found = content.withUnsafeBytes { KeyedDigest(key: key).digest(of: $0) }
        #expect(hexadecimal(found) == digest)
    }

    @Test func aFileIsItsBlocks() {
        // The numbers of SplitMix64 from the seed 7, the lowest byte first.
        var state: UInt64 = 7
        let content = (0..<75_000).flatMap { _ -> [UInt8] in
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            return withUnsafeBytes(of: word.littleEndian) { Array($0) }
        }
        let whole = digest(of: content, inPiecesOf: content.count)
        #expect(whole == "e84bcad61abb918f8a02066a5dd26c06")
        #expect(digest(of: content, inPiecesOf: Int(BlockDigest.blockSize)) == whole)
    }

    private func digest(of content: [UInt8], inPiecesOf size: Int) -> String {
        var digester = FileDigester(key: key)
        for start in stride(from: 0, to: content.count, by: size) {
            content[start..<min(start + size, content.count)].withUnsafeBytes { digester.update($0) }
        }
        return hexadecimal(digester.finalize())
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
