import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct BlockSignatureTests {
    @Test("sums are those of another implementation")
    func vectors() throws {
        for vector in try Vectors.objects("signatures", "signatures") {
            let comment = try vector.text("comment")
            let sums = BlockSums(key: try vector.bytes("key"))
            #expect(sums.multiplier == UInt64(try vector.text("multiplier"), radix: 16), "\(comment)")
            let content = randomBytes(try vector.number("size"), seed: try vector.long("seed"))
            let request = try SignatureRequest(
                base: 0, length: UInt64(content.count), blockSize: try vector.number("block_size"),
                strongLength: try vector.number("strong_length"), baseSize: UInt64(content.count))
            let signature = content.withUnsafeBytes { BlockSignature(of: $0, for: request, sums) }
            #expect(signature.encode() == (try vector.bytes("signature")), "\(comment)")
        }
    }

    @Test("an encoded signature is decoded to the same one; of another length it is refused", arguments: 4...8)
    func roundTrip(strongLength: Int) throws {
        for size in [1, 15, 16, 255, 256, 271, 272, 1000, 5000] {
            let made = try signature(randomBytes(size, seed: 5), strongLength: strongLength)
            let encoded = made.encode()
            #expect(encoded.count == made.request.signatureLength)
            #expect(try BlockSignature(decoding: encoded, for: made.request) == made)
            for count in encoded.indices {
                #expect(throws: DeltaError.truncated(.signature)) {
                    try BlockSignature(decoding: Array(encoded.prefix(count)), for: made.request)
                }
            }
            #expect(throws: DeltaError.trailing(.signature)) {
                try BlockSignature(decoding: encoded + [0], for: made.request)
            }
            for bit in 0..<encoded.count * 8 {
                var damaged = encoded
                damaged[bit / 8] ^= 1 << (bit % 8)
                let decoded = try BlockSignature(decoding: damaged, for: made.request)
                #expect(decoded != made && decoded.encode() == damaged)
            }
        }
    }

    @Test("the weak sum that rolls is the sum of each window")
    func rolling() {
        let content = randomBytes(2000, seed: 6)
        let factor = sums.leavingFactor(blockSize: 320)
        content.withUnsafeBytes { bytes in
            var sum = sums.rolling(bytes[part: 0..<320])
            for at in 0..<1600 {
                #expect(sum == sums.rolling(bytes[part: at..<at + 320]))
                sum = (sum &+ UInt64(bytes[at + 320]) &- UInt64(bytes[at]) &* factor) &* sums.multiplier
            }
        }
    }

    @Test("sums are as long as the odds of an accident ask for, and blocks long enough to hide their bytes")
    func parameters() {
        func parameters(_ base: UInt64, _ newLength: UInt64) -> [Int] {
            let request = SignatureRequest(base: 0..<base, newLength: newLength)
            return [request.blockSize, request.sumLength]
        }
        #expect(parameters(1000, 1000) == [1024, 8])
        #expect(parameters(16 << 10, 16 << 10) == [1024, 8])
        #expect(parameters(64 << 10, 64 << 10) == [1024, 8])
        #expect(parameters(256 << 10, 256 << 10) == [1024, 8])
        #expect(parameters(4 << 20, 4 << 20) == [1024, 9])
        #expect(parameters(16 << 20, 4 << 20) == [1024, 9])
        // The sums of a changed chunk cost half a block of its bytes.
        #expect(SignatureRequest(base: 0..<65536, newLength: 65536).signatureLength == 512)
    }

    @Test("requests of a peer that no honest one makes are refused")
    func badRequests() throws {
        func request(
            _ start: UInt64 = 100, _ length: UInt64 = 1000, block: Int = 256, strong: Int = 4
        ) throws -> SignatureRequest {
            try SignatureRequest(base: start, length: length, blockSize: block, strongLength: strong, baseSize: 1100)
        }
        #expect(try request().base == 100..<1100)
        for bad in [(101, 1000), (100, 0), (0, 1101), (.max, 1), (1, .max), (1101, 0)] as [(UInt64, UInt64)] {
            #expect(throws: DeltaError.badRequest) { try request(bad.0, bad.1) }
        }
        for block in [0, -256, 192, 255, 257, 4160, .max] {
            #expect(throws: DeltaError.badRequest) { try request(block: block) }
        }
        for strong in [0, 3, 9, -1] { #expect(throws: DeltaError.badRequest) { try request(strong: strong) } }
        let long = SignatureRequest.maximumLength
        #expect(throws: DeltaError.badRequest) {
            try SignatureRequest(base: 0, length: long + 1, blockSize: 256, strongLength: 4, baseSize: long + 1)
        }
    }
}
