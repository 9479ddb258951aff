import Foundation
import Testing

@testable import PortolanCrypto

@Suite struct DeviceKeyTests {
    /// RFC 8032 section 7.1, tests 1 to 3.
    private static let rfc8032: [(seed: Hex, publicKey: Hex, message: Hex, signature: Hex)] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ]

    @Test(arguments: rfc8032)
    func signsAsRFC8032(seed: Hex, publicKey: Hex, message: Hex, signature: Hex) throws {
        let key = try DeviceKey(seed: seed.bytes)
        #expect(key.publicKey.bytes == publicKey.bytes)
        #expect(key.signature(for: message.bytes) == signature.bytes)
        #expect(try DevicePublicKey(bytes: publicKey.bytes).isValidSignature(signature.bytes, for: message.bytes))
        #expect(key.withSeed { Array($0) } == seed.bytes)
    }

    @Test func signatureIsValidOnlyForItsMessageAndKeyUnchanged() {
        let key = DeviceKey.generate()
        let message = Array("from this device".utf8)
        let signature = key.signature(for: message)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
        #expect(!DeviceKey.generate().publicKey.isValidSignature(signature, for: message))
        for position in signature.indices {
            var changed = signature
            changed[position] ^= 1 << UInt8(position % 8)
            #expect(!key.publicKey.isValidSignature(changed, for: message), "byte \(position)")
        }
        for length in 0..<70 where length != 64 {
            let resized = Array((signature + signature).prefix(length))
            #expect(!key.publicKey.isValidSignature(resized, for: message), "\(length) bytes")
        }
    }

    @Test func twoGeneratedKeysDiffer() {
        #expect(DeviceKey.generate().publicKey != DeviceKey.generate().publicKey)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func keysOfWrongLengthAreRefused(length: Int) {
        let bytes = [UInt8](repeating: 1, count: length)
        let error = KeyError.wrongLength(expected: 32, actual: length)
        #expect(throws: error) { try DeviceKey(seed: bytes) }
        #expect(throws: error) { try DevicePublicKey(bytes: bytes) }
    }

    /// Encodings that no honest device can have: points of small order, in and out of canonical form, a point outside
    /// the main subgroup, a coordinate that is not on the curve, one that is not reduced.
    @Test(
        arguments: [
            "0100000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "0200000000000000000000000000000000000000000000000000000000000000",
            "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ] as [Hex])
    func invalidKeyBytesAreRefused(bytes: Hex) {
        #expect(throws: KeyError.notAKey) { try DevicePublicKey(bytes: bytes.bytes) }
    }

    @Test func isStoredAsHexadecimalText() throws {
        let key = try DeviceKey(seed: Self.rfc8032[0].seed.bytes).publicKey
        let stored = try JSONEncoder().encode([key])
        #expect(
            String(decoding: stored, as: UTF8.self)
                == "[\"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\"]")
        #expect(try JSONDecoder().decode([DevicePublicKey].self, from: stored) == [key])
    }

    @Test(arguments: ["[\"\"]", "[\"d75a\"]", "[7]", "[\"\(String(repeating: "00", count: 32))\"]", "[\"xyz\"]"])
    func invalidStoredKeyIsRefused(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([DevicePublicKey].self, from: Data(text.utf8))
        }
    }
}
