import Crypto
import Testing

@testable import PortolanCrypto

@Suite struct BlockDigestTests {
    @Test("the first words are those of FIPS 180-4's SHA-256")
    func beginsAsTheStandardDoes() {
        let digest = Array("abc".utf8).withUnsafeBytes { BlockDigest.of($0) }
        #expect(
            digest == [
                0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
            ])
        let nothing = BlockDigest.of(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(nothing.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    }

    @Test("blocks of all lengths, wherever they lie and in however many pieces", arguments: [1, 15, 4096, 256 << 10])
    func blocksOfAllLengths(count: Int) {
        let content = (0..<count + 1).map { UInt8(truncatingIfNeeded: $0 &* 131) }
        let block = content.dropFirst()
        let expected = Array(Crypto.SHA256.hash(data: block).prefix(BlockDigest.length))
        #expect(block.withUnsafeBytes { BlockDigest.of($0) } == expected)
        var digest = BlockDigest()
        for piece in [block.prefix(count / 3), block.dropFirst(count / 3)] {
            piece.withUnsafeBytes { digest.update($0) }
        }
        #expect(digest.finalize() == expected)
    }
}
