import Testing

@testable import PortolanCrypto

@Suite struct SecretPieceTests {
    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    private func read(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { SecretBytes(hexadecimal: $0[...]).map(bytes) }
    }

    @Test("every byte is written as two digits and read again")
    func everyByte() {
        let all = Array(UInt8.min ... .max)
        let digits = all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(bytes(.joined([.digits(of: SecretBytes(copying: all))])) == Array(digits.utf8))
        #expect(read(digits) == all)
    }

    @Test("pieces follow each other, empty ones too")
    func order() {
        let secret = SecretBytes(copying: [0xAB, 1])
        let joined = SecretBytes.joined([.open([1]), .secret(secret), .open([]), .digits(of: secret), .open([2])])
        #expect(bytes(joined) == [1, 0xAB, 1] + Array("ab01".utf8) + [2])
        #expect(SecretBytes.joined([]).count == 0)
    }

    @Test("other characters do not pass for digits", arguments: ["a", "0g", "AB", " 0", "0x", "é", "00\u{0}0", "-1"])
    func refused(text: String) { #expect(read(text) == nil) }

    @Test func bothDigestFunctionsAgree() {
        let bytes = Array("abc".utf8)
        #expect(bytes.withUnsafeBytes { sha256($0) } == sha256([bytes]))
    }

    @Test func aWipedArrayIsZeros() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes == [0, 0, 0])
        wipe(&bytes)
        var none: [UInt8] = []
        wipe(&none)
        #expect(none.isEmpty)
    }
}
