import Crypto
import Foundation
import PortolanValues
import TestSupport
import Testing

@testable import PortolanCrypto

/// The record layer against a second implementation, written from the specification with swift-crypto's public
/// interface alone, and against constants that a third one can use.
@Suite struct RecordVectorTests {
    /// A direction with the secret 00 01 … 1f: the first record, and the first under the next key.
    private static let pinned: [(suite: RecordSuite, number: UInt64, key: Hex, record: Hex)] = [
        (
            .aes256gcm, 0, "01d7de4331742816aff53e2cb11cd411723b976caba17c3621cc8cfb5b2cc9f2",
            "02000018d7e213f7ae2208457648f6ccb58177179274308e0a3cf700"
        ),
        (
            .aes256gcm, 1 << 16, "0433e239d441c2dbc00206801a2e138bb2c4cc8126df61026acd5f4ece46ec96",
            "02000018aff3ec257d85e3e17b2cecbcbadfbb3ab527348aac7a95eb"
        ),
        (
            .chacha20poly1305, 0, "2874b1a61c8fa936a253cd1a9b1e6a2f55457d6dd72d1a6623aec67313588c0e",
            "0200001850ca90fa14951620ca4a13150d5e6b0fd3d2293d0f8a7e9e"
        ),
        (
            .chacha20poly1305, 1 << 16, "398130e9c885ed869c555039724b7019025caf65666716bd3786b336dc1b658a",
            "0200001819000e1bd3b717de332f2df3cb03905e128132984f8d6401"
        ),
    ]

    @Test(arguments: pinned)
    func recordsAreAsPinned(suite: RecordSuite, number: UInt64, key: Hex, record: Hex) {
        let payload = Array("portolan".utf8)
        #expect(Hexadecimal.text(Reference.key(suite, number)) == Hexadecimal.text(key.bytes))
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite, firstRecord: number)
        #expect(Hexadecimal.text(sealer.record(2, payload)) == Hexadecimal.text(record.bytes))
    }

    @Test(arguments: RecordSuite.allCases, [0, 1, 255, 256, (1 << 16) - 1, 1 << 16, (5 << 16) + 77] as [UInt64])
    func aSecondImplementationSealsTheSame(suite: RecordSuite, number: UInt64) throws {
        var generator = SeededGenerator(seed: number)
        for size in [0, 1, 16, 100, 4096] {
            let payload = generator.bytes(size)
            var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite, firstRecord: number)
            let expected = try Reference.record(suite, number, type: 3, payload)
            #expect(sealer.record(3, payload) == expected, "\(size) bytes")
        }
    }

    @Test func aesIsTheStandardsAES() throws {
        // Test cases 13 and 14 of the GCM specification (McGrew and Viega): key, nonce and plaintext are all zeros.
        for (size, ciphertext, tag): (Int, Hex, Hex) in [
            (0, "", "530f8afbc74536b9a963b4f1c4cb738b"),
            (16, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"),
        ] {
            let cipher = RecordCipher(key: SecretBytes(copying: [UInt8](repeating: 0, count: 32)), suite: .aes256gcm)
            var text = [UInt8](repeating: 0, count: size)
            var computed = [UInt8](repeating: 0, count: 16)
            text.withUnsafeMutableBytes { text in
                computed.withUnsafeMutableBytes { tag in
                    cipher.seal(
                        text, tag: tag, nonce: RecordNonce(record: 0),
                        authenticating: UnsafeRawBufferPointer(start: nil, count: 0))
                }
            }
            #expect(text == ciphertext.bytes && computed == tag.bytes)
        }
    }
}

/// Direct implementation of the specification, with copies wherever convenient.
private enum Reference {
    static func key(_ suite: RecordSuite, _ record: UInt64) -> [UInt8] {
        var secret = [UInt8](0..<32)
        for _ in 0..<record >> 16 { secret = hmac(secret, "portolan/1 next") }
        return hmac(secret, "portolan/1 key", [suite.rawValue])
    }

    static func record(_ suite: RecordSuite, _ number: UInt64, type: UInt8, _ payload: [UInt8]) throws -> [UInt8] {
        let length = UInt32(payload.count + 16)
        let header = [type] + (0..<3).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        let nonce = [0, 0, 0, 0] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        let key = SymmetricKey(data: key(suite, number))
        switch suite {
        case .aes256gcm:
            let box = try AES.GCM.seal(payload, using: key, nonce: .init(data: nonce), authenticating: header)
            return header + box.ciphertext + box.tag
        case .chacha20poly1305:
            let box = try Crypto.ChaChaPoly.seal(payload, using: key, nonce: .init(data: nonce), authenticating: header)
            return header + box.ciphertext + box.tag
        }
    }

    private static func hmac(_ key: [UInt8], _ text: String, _ more: [UInt8] = []) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: Array(text.utf8) + more, using: SymmetricKey(data: key)))
    }
}
