/// RFC 4648 section 6, lower case, without padding: every 5 bits are one symbol.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The text for some bytes; a last incomplete group is filled with zero bits.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: symbols(of: bytes).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Encodes bytes as values 0...31.
    package static func symbols(of bytes: [UInt8]) -> [UInt8] {
        let (symbols, bits, count) = regrouped(bytes, of: 8, to: 5)
        return count > 0 ? symbols + [UInt8(bits << (5 - count) & 31)] : symbols
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
        let (bytes, bits, bitCount) = regrouped(symbols, of: 5, to: 8)
        return bitCount < 5 && bits == 0 ? bytes : nil
    }

    /// Splits a row of values of `width` bits into values of `size` bits.
    ///
    /// - Returns: the values, and the bits that are left over with their number.
    private static func regrouped(
        _ values: [UInt8], of width: Int, to size: Int
    ) -> (values: [UInt8], bits: Int, count: Int) {
        var (result, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        for value in values {
            bits = bits << width | Int(value)
            count += width
            while count >= size {
                count -= size
                result.append(UInt8(bits >> count & (1 << size - 1)))
            }
            bits &= (1 << count) - 1
        }
        return (result, bits, count)
    }
}
