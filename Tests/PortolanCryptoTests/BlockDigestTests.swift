import Crypto
import Testing

@testable import PortolanCrypto

@Suite struct BlockDigestTests {
    private func bytes(_ digest: BlockDigest) -> [UInt8] { digest.withBytes { Array($0) } }

    @Test("it begins as the SHA-256 of FIPS 180-4 does")
    func beginsAsTheStandardDoes() {
        let digest = Array("abc".utf8).withUnsafeBytes { BlockDigest(of: $0) }
        #expect(
            bytes(digest) == [
                0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
            ])
        let nothing = BlockDigest(of: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(bytes(nothing).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    }

    @Test("blocks of all lengths, wherever they lie", arguments: [1, 15, 4096, BlockDigest.blockSize])
    func blocksOfAllLengths(count: Int) {
        let content = (0..<count + 1).map { UInt8(truncatingIfNeeded: $0 &* 131) }
        let block = content.dropFirst()
        let digest = block.withUnsafeBytes { BlockDigest(of: $0) }
        #expect(bytes(digest) == Array(Crypto.SHA256.hash(data: block).prefix(BlockDigest.length)))
    }

    @Test("what is written down is read again, and one bit makes another digest")
    func isReadAgain() {
        let digest = Array("block".utf8).withUnsafeBytes { BlockDigest(of: $0) }
        // At an odd place, as in a message.
        var message = [0] + bytes(digest) + [0]
        #expect(
            message.withUnsafeBytes { BlockDigest(reading: UnsafeRawBufferPointer(rebasing: $0[1..<17])) } == digest)
        message[16] ^= 1
        #expect(
            message.withUnsafeBytes { BlockDigest(reading: UnsafeRawBufferPointer(rebasing: $0[1..<17])) } != digest)
    }
}
