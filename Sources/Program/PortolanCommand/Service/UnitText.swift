import Portolan

/// Words as files of systemd spell them.
enum UnitText {
    /// Quotes an argument of a command, so that the started program gets exactly this word.
    ///
    /// - Throws: `ValueError` for control characters.
    static func argument(_ text: String) throws(ValueError) -> String {
        try value(text).replacing("$", with: "$$")
    }

    /// Quotes the path of a program, in which variables are not expanded.
    ///
    /// - Throws: `ValueError` for control characters.
    static func program(_ path: String) throws(ValueError) -> String { try value(path) }

    /// Quotes a word in the value of a setting: a path, or an assignment.
    ///
    /// - Throws: `ValueError` for control characters.
    static func value(_ text: String) throws(ValueError) -> String {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw ValueError("“\(DisplayText(text, limit: 200))” cannot stand in a unit: it has control characters.")
        }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
        let isPlain = escaped.utf8.allSatisfy { isPlainByte($0) } && !escaped.isEmpty
        return isPlain ? escaped : "\"\(escaped)\""
    }

    /// True if a byte needs no quotation at any position.
    private static func isPlainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "%/._-=:+,".utf8.contains(byte)
        }
    }
}
