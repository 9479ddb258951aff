import Testing

@testable import PortolanCrypto

@Suite struct WycheproofTests {
    private struct File<Case: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]

        struct Group: Decodable {
            let tests: [Case]
        }
    }

    private struct KeyExchange: Decodable {
        let tcId: Int
        let `public`, `private`, shared: Hex
        let flags: [String]
        let result: String
    }

    private struct Sealing: Decodable {
        let tcId: Int
        let key, iv, aad, msg, ct, tag: Hex
        let result: String
    }

    @Test func x25519() throws {
        let file = try vectors("x25519_test", as: File<KeyExchange>.self)
        var (agreed, refused) = (0, 0)
        for test in file.testGroups.flatMap(\.tests) {
            let own = NoiseKeyPair(privateKey: SecretBytes(copying: test.private.bytes))
            let peer = NoisePublicKey(bytes: test.public.bytes)
            if test.flags.contains("ZeroSharedSecret") {
                #expect(throws: NoiseError.lowOrderPoint, "case \(test.tcId)") { try own.sharedSecret(with: peer) }
                refused += 1
            } else {
                #expect(test.result != "invalid", "case \(test.tcId)")
                let shared = try own.sharedSecret(with: peer)
                #expect(shared == SecretBytes(copying: test.shared.bytes), "case \(test.tcId)")
                agreed += 1
            }
        }
        #expect(file.numberOfTests == 518)
        #expect((agreed, refused) == (487, 31))
    }

    @Test func chaCha20Poly1305OfTheHandshake() throws {
        let counts = try forEachSealing { test in
            let key = SecretBytes(copying: test.key.bytes)
            let sealed = test.ct.bytes + test.tag.bytes
            if test.result == "valid" {
                let (nonce, header) = (test.iv.bytes, test.aad.bytes)
                #expect(
                    ChaChaPoly.encrypt(test.msg.bytes, key: key, nonce: nonce, associatedData: header) == sealed,
                    "case \(test.tcId)")
                let opened = try ChaChaPoly.decrypt(sealed, key: key, nonce: nonce, associatedData: header)
                #expect(opened == test.msg.bytes, "case \(test.tcId)")
            } else {
                #expect(throws: NoiseError.forged, "case \(test.tcId)") {
                    try ChaChaPoly.decrypt(sealed, key: key, nonce: test.iv.bytes, associatedData: test.aad.bytes)
                }
            }
        }
        #expect(counts == [true: 256, false: 60])
    }

    @Test func chaCha20Poly1305OfTheRecords() throws {
        let counts = try forEachSealing { test in
            let cipher = RecordCipher(key: SecretBytes(copying: test.key.bytes), suite: .chacha20poly1305)
            let words = test.iv.bytes.withUnsafeBytes { $0.loadUnaligned(as: (UInt32, UInt32, UInt32).self) }
            let nonce = RecordNonce(words: words)
            if test.result == "valid" {
                var text = test.msg.bytes
                var tag = [UInt8](repeating: 0, count: 16)
                text.withUnsafeMutableBytes { text in
                    tag.withUnsafeMutableBytes { tag in
                        test.aad.bytes.withUnsafeBytes { header in
                            cipher.seal(text, tag: tag, nonce: nonce, authenticating: header)
                        }
                    }
                }
                #expect(text == test.ct.bytes && tag == test.tag.bytes, "case \(test.tcId)")
            }
            var text = test.ct.bytes
            let error = text.withUnsafeMutableBytes { text in
                test.tag.bytes.withUnsafeBytes { tag in
                    test.aad.bytes.withUnsafeBytes { header in
                        do throws(RecordError) {
                            try cipher.open(text, tag: tag, nonce: nonce, authenticating: header)
                            return RecordError?.none
                        } catch {
                            return error
                        }
                    }
                }
            }
            #expect(error == (test.result == "valid" ? nil : .forged), "case \(test.tcId)")
            if error == nil { #expect(text == test.msg.bytes, "case \(test.tcId)") }
        }
        #expect(counts == [true: 256, false: 60])
    }

    /// Runs the cases with nonces of 12 bytes and counts how many were valid and how many not.
    private func forEachSealing(_ check: (Sealing) throws -> Void) throws -> [Bool: Int] {
        let file = try vectors("chacha20_poly1305_test", as: File<Sealing>.self)
        #expect(file.numberOfTests == 325)
        var counts: [Bool: Int] = [:]
        for test in file.testGroups.flatMap(\.tests) where test.iv.bytes.count == ChaChaPoly.nonceLength {
            try check(test)
            counts[test.result == "valid", default: 0] += 1
        }
        return counts
    }
}
