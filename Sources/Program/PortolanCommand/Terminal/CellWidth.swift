/// Number of terminal cells that a text fills, exact enough to keep a line from wrapping.
enum CellWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first, !first.isASCII else { return 1 }
        return isWide(first) || character.unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }

    /// Longest beginning that fits, with an ellipsis if text was cut off.
    static func fitting(_ text: String, into cells: Int) -> String {
        guard of(text) > cells else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += of(character)
            guard used <= cells else { break }
            kept.append(character)
        }
        return cells > 0 ? kept + "…" : ""
    }

    /// Unicode's East Asian Wide and Fullwidth blocks, and the emoji.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
