/// RFC 4648 section 6, lower case, without padding: every 5 bits are one symbol.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The text for some bytes; a last incomplete group is filled with zero bits.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: symbols(of: bytes).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Encodes bytes as values 0...31.
    package static func symbols(of bytes: [UInt8]) -> [UInt8] {
        var symbols: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                symbols.append(UInt8(bits >> bitCount & 31))
            }
            bits &= (1 << bitCount) - 1
        }
        if bitCount > 0 { symbols.append(UInt8(bits << (5 - bitCount) & 31)) }
        return symbols
    }

    /// Decodes a text to values, in either case, hyphens skipped; nil if it has another character.
    package static func symbols(in text: String) -> [UInt8]? {
        var symbols: [UInt8] = []
        for character in text.utf8 where character != UInt8(ascii: "-") {
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): symbols.append(character - UInt8(ascii: "a"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbols.append(character - UInt8(ascii: "A"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): symbols.append(character - UInt8(ascii: "2") + 26)
            default: return nil
            }
        }
        return symbols
    }

    /// Decodes values to bytes; nil if there are leftover bits other than padding of less than a byte.
    package static func bytes(_ symbols: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for symbol in symbols {
            bits = bits << 5 | Int(symbol)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(bits >> bitCount & 255))
            }
            bits &= (1 << bitCount) - 1
        }
        return bitCount < 5 && bits == 0 ? bytes : nil
    }
}
