/// Rules for identifiers and tags of types.
enum TypeIdentifier {
    /// Longest identifier, in bytes of UTF-8. Longer ones are not in use, and would cost memory.
    static let maximumLength = 255

    /// Returns true for ASCII letters and digits, `.`, `-` and `_`, and visible characters beyond ASCII.
    static func isWellFormed(_ identifier: String) -> Bool {
        guard !identifier.isEmpty, identifier.utf8.count <= maximumLength else { return false }
        if identifier.utf8.allSatisfy(isPlain) { return true }
        return identifier.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII ? isPlain(UInt8(scalar.value)) : isVisible(scalar)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns true if a tag can stand in a file name, a header or a list without being mistaken for something else.
    ///
    /// The empty extension is that of a file without one; dynamic identifiers for it are in circulation.
    static func isPossible(tag: String, in tagClass: UTTagClass) -> Bool {
        guard tag.utf8.count <= maximumLength else { return false }
        let isExtension = tagClass == .filenameExtension
        guard !tag.isEmpty else { return isExtension }
        return tag.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                ? scalar.value >= 0x20 && scalar.value != 0x7F && !(isExtension && scalar == "/") : isVisible(scalar)
        }
    }

    /// Returns false for scalars that control the direction of text, and for invisible blanks.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: true
        }
    }
}
