/// Token of an RTF document (RTF 1.9.1, "RTF Syntax").
enum RTFToken: Equatable {
    case open
    case close
    /// `\name` or `\name123`; the name is empty if it is longer than any known word.
    case word(String, Int?)
    /// A backslash and one character that is no letter.
    case symbol(UInt8)
    /// `\'xx`
    case hexadecimal(UInt8)
    /// Range of plain bytes, in the current code page.
    case text(Range<Int>)
}

/// Splits a document into tokens. Binary data behind `\bin` is skipped.
struct RTFTokens {
    let bytes: [UInt8]
    /// Offset of the next token.
    private(set) var position = 0

    private static let longestWord = 32

    init(bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        position = start
    }

    /// Returns the next token; nil at the end of the document.
    mutating func next() throws -> RTFToken? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"):
                position += 1
                return .open
            case UInt8(ascii: "}"):
                position += 1
                return .close
            case UInt8(ascii: "\\"):
                if let token = try control() { return token }
            case 0, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                position += 1
            default:
                let start = position
                while position < bytes.count, !Self.endsText(bytes[position]) { position += 1 }
                return .text(start..<position)
            }
        }
        return nil
    }

    private static func endsText(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    /// Reads the control word or symbol at a backslash; nil if it has no effect.
    private mutating func control() throws -> RTFToken? {
        let start = position
        position += 1
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        guard Self.isLetter(first) else {
            position += 1
            guard first == UInt8(ascii: "'") else { return .symbol(first) }
            guard position + 1 < bytes.count, let high = Self.digit(bytes[position]),
                let low = Self.digit(bytes[position + 1])
            else { return nil }
            position += 2
            return .hexadecimal(high << 4 | low)
        }
        let nameStart = position
        while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
        let name =
            position - nameStart <= Self.longestWord ? String(decoding: bytes[nameStart..<position], as: UTF8.self) : ""
        let parameter = parameter()
        if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        guard name == "bin", let length = parameter, length > 0 else { return .word(name, parameter) }
        guard length <= bytes.count - position else {
            throw TransferError.malformed(
                .rtf,
                "incomplete: \\bin at byte \(start) announces \(length) bytes where \(bytes.count - position) follow")
        }
        position += length
        return nil
    }

    /// Reads the parameter of a word, limited to 32 bits.
    private mutating func parameter() -> Int? {
        var digits = position
        let isNegative = digits < bytes.count && bytes[digits] == UInt8(ascii: "-")
        if isNegative { digits += 1 }
        var value: Int?
        while digits < bytes.count, case let digit = bytes[digits] &- UInt8(ascii: "0"), digit < 10 {
            value = min((value ?? 0) * 10 + Int(digit), Int(Int32.max))
            digits += 1
        }
        guard let value else { return nil }
        position = digits
        return isNegative ? -value : value
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
