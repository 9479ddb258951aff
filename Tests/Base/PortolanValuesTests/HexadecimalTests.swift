import PortolanValues
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteRoundTrips() {
        let all = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(all)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
        #expect(Hexadecimal.bytes(text) == all)
        #expect(Hexadecimal.digits(of: all) == Array(text.utf8))
        #expect(Hexadecimal.bytes(inEitherCase: text.uppercased()) == all)
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test(
        "text in another form is refused",
        arguments: ["0", "0A", "0g", "+f", " f", "0x", "0x1f", "f\u{301}0", "０１"])
    func refuses(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test("only the case may be another one", arguments: ["0", "0g", "+f", "-1", " f", "0X", "@a", "`a", "AG"])
    func refusesInEitherCase(text: String) {
        #expect(Hexadecimal.bytes(inEitherCase: text) == nil)
    }

    @Test func aNumberHasAllOfItsDigits() {
        #expect(Hexadecimal.text(0x1F as UInt8) == "1f")
        #expect(Hexadecimal.text(0 as UInt16) == "0000")
        #expect(Hexadecimal.text(UInt128.max) == String(repeating: "f", count: 32))
        #expect(Hexadecimal.number("00ff", as: UInt16.self) == 255)
        #expect(Hexadecimal.number(String(repeating: "f", count: 32), as: UInt128.self) == .max)
        for text in ["ff", "+0ff", "00FF", "000ff", "00fg", ""] {
            #expect(Hexadecimal.number(text, as: UInt16.self) == nil, "\(text)")
        }
    }
}
