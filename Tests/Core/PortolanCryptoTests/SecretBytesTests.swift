import Testing

@testable import PortolanCrypto

@Suite struct SecretBytesTests {
    @Test func holdsTheGivenBytes() {
        let secret = SecretBytes(copying: [1, 2, 3])
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test func isEqualOnlyToTheSameBytes() {
        #expect(SecretBytes(copying: [1, 2, 3]) == SecretBytes(copying: [1, 2, 3]))
        #expect(SecretBytes(copying: [1, 2, 3]) != SecretBytes(copying: [1, 2, 4]))
        #expect(SecretBytes(copying: [1, 2, 3]) != SecretBytes(copying: [1, 2]))
        #expect(SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
    }

    @Test func isNeverPrinted() {
        let secret = SecretBytes(copying: [71, 72, 73])
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(text.contains("not shown"))
            for byte in ["71", "72", "73"] { #expect(!text.contains(byte)) }
        }
    }

    @Test func isReadOnlyAfterItIsFilled() async {
        await #expect(processExitsWith: .failure) {
            let secret = SecretBytes(copying: [1, 2, 3])
            secret.withUnsafeBytes { bytes in
                UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.storeBytes(of: 9, as: UInt8.self)
            }
        }
    }

    /// RFC 4231, test cases 1 to 3.
    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
        ] as [([UInt8], [UInt8], Hex)])
    func authenticatesAsRFC4231(key: [UInt8], message: [UInt8], code: Hex) {
        let computed = SHA256.authenticate(message, key: SecretBytes(copying: key))
        #expect(computed == SecretBytes(copying: code.bytes))
    }
}
