/// Bytes as lower-case hexadecimal text and back.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes a text stands for, in either case; `nil` for an odd count of digits or any other character.
    static func bytes(_ text: String) -> [UInt8]? {
        var halves: [UInt8] = []
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): halves.append(character - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): halves.append(character - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): halves.append(character - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        guard halves.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    }
}
