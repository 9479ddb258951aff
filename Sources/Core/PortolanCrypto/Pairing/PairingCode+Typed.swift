extension PairingCode {
    /// Longest text that is parsed, in bytes; a code has 20 at most.
    public static let maximumTextLength = 64

    /// Parses a typed code.
    ///
    /// Case does not matter, nor do separators between the parts: hyphens and other dashes, underscores, spaces, line
    /// ends, or nothing. `7-walnut-harbor`, `07 Walnut Harbor` and `7walnutharbor` are the same code.
    ///
    /// - Throws: ``PairingCodeError``, which names an unknown word and the nearest known ones.
    public init(_ text: String) throws(PairingCodeError) {
        let typed = try Typed(text)
        if typed.digits.isEmpty { throw typed.runs.isEmpty ? .empty : .numberMissing }
        guard let number = typed.number else { throw .numberOutOfRange(typed.digits) }
        let (words, rest) = PairingWords.reading(typed.letters)
        guard rest.isEmpty else {
            // Separators between the words show the limits of the unknown word.
            let unknown = typed.runs.lazy.map { PairingWords.reading($0).rest }.first { !$0.isEmpty } ?? rest
            throw .unknownWord(unknown, nearest: PairingWords.nearest(to: unknown))
        }
        guard words.count == Self.wordCount else { throw .wrongWordCount(words.count) }
        self.init(number: number, words: words)
    }

    /// Returns the completions of a partial code, in the form of ``text`` and in alphabetical order.
    ///
    /// One word is completed at a time: `7-wal` gives `7-wallet-`, `7-walnut-` and `7-walrus-`, and `7-walnut-harb`
    /// gives `7-walnut-harbor`. The first word brings its hyphen, since another has to follow. The result is empty
    /// without a number, and for a text that begins no code.
    public static func completions(of prefix: String) -> [String] {
        guard let typed = try? Typed(prefix), let number = typed.number else { return [] }
        let (words, rest) = PairingWords.reading(typed.letters)
        func text(_ words: [String]) -> String {
            let text = PairingCode(number: number, words: words).text
            return words.count < wordCount ? text + "-" : text
        }
        switch words.count {
        case wordCount where rest.isEmpty:
            return [text(words)]
        case ..<wordCount where rest.isEmpty && !typed.endsWithSeparator:
            // The number may get another digit. A word is complete, because no word is a prefix of another.
            return words.isEmpty ? [] : [text(words)]
        case ..<wordCount:
            return PairingWords.beginning(with: rest).map { text(words + [$0]) }
        default:
            return []
        }
    }
}

/// Typed text, split into its parts before they are looked up.
private struct Typed {
    /// Digits at the beginning.
    var digits = ""
    /// Letters between separators, in lower case.
    var runs: [String] = []
    /// True if the last character is a separator.
    var endsWithSeparator = false

    var letters: String { runs.joined() }

    var number: Int? { Int(digits).flatMap { PairingCode.numbers.contains($0) ? $0 : nil } }

    init(_ text: String) throws(PairingCodeError) {
        guard text.utf8.count <= PairingCode.maximumTextLength else { throw .tooLong }
        for character in text.unicodeScalars {
            switch character {
            case "0"..."9" where runs.isEmpty && (digits.isEmpty || !endsWithSeparator):
                digits.unicodeScalars.append(character)
                endsWithSeparator = false
            case "a"..."z", "A"..."Z":
                if runs.isEmpty || endsWithSeparator { runs.append("") }
                runs[runs.count - 1] += String(character).lowercased()
                endsWithSeparator = false
            case _ where Self.separates(character):
                endsWithSeparator = true
            default:
                throw .unexpectedCharacter(character)
            }
        }
    }

    private static func separates(_ character: Unicode.Scalar) -> Bool {
        character == "_" || character.properties.isWhitespace
            || character.properties.generalCategory == .dashPunctuation
    }
}
