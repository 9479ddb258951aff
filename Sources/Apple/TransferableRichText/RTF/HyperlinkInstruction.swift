/// The field instruction `HYPERLINK "url" \l "place in it" \o "shown on hovering"` (Word's field codes).
struct HyperlinkInstruction {
    let url: URL

    /// Parses an instruction. Nil for other fields, and for an invalid URL.
    init?(_ instruction: String) {
        var words = Self.words(of: instruction)[...]
        guard words.popFirst()?.lowercased() == "hyperlink" else { return nil }
        var (address, fragment) = ("", "")
        while let word = words.popFirst() {
            switch word.lowercased() {
            case "\\l": fragment = words.popFirst().map { "#" + $0 } ?? ""
            case "\\o", "\\t": _ = words.popFirst()
            case "\\m", "\\n", "\\h": break
            default: if address.isEmpty { address = word }
            }
        }
        guard let url = URL(string: address + fragment) else { return nil }
        self.url = url
    }

    /// Splits an instruction at spaces outside quotation marks; within them a backslash escapes.
    private static func words(of instruction: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var (isQuoted, isEscaped, hasWord) = (false, false, false)
        for character in instruction.unicodeScalars {
            switch character {
            case _ where isEscaped:
                word.append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"":
                isQuoted.toggle()
                hasWord = true
            case " " where !isQuoted, "\t" where !isQuoted:
                if hasWord { words.append(String(word)) }
                word = .init()
                hasWord = false
            default:
                word.append(character)
                hasWord = true
            }
        }
        return hasWord ? words + [String(word)] : words
    }
}
