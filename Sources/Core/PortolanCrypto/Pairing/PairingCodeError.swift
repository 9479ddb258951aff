/// Reason why a text is no pairing code. Quoted parts of the text are plain letters and digits, safe to print.
public enum PairingCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The text is longer than any code with its separators.
    case tooLong
    /// The text has a character that no code has, or a digit that does not belong to the number at its beginning.
    case unexpectedCharacter(Unicode.Scalar)
    /// The text begins with a word.
    case numberMissing
    /// The number is not one of ``PairingCode/numbers``.
    case numberOutOfRange(String)
    /// The text has an unknown word; `nearest` are suggestions, at most three.
    case unknownWord(String, nearest: [String])
    /// The text has more or fewer words than ``PairingCode/wordCount``.
    case wrongWordCount(Int)

    public var description: String {
        switch self {
        case .empty:
            "A pairing code is a number and two words, such as 7-walnut-harbor; nothing was given."
        case .tooLong:
            "This is too long for a pairing code, which is a number and two words, such as 7-walnut-harbor."
        case .unexpectedCharacter(let character):
            "A pairing code is a number and two words in the letters a to z, such as 7-walnut-harbor; "
                + "\(Self.name(of: character)) has no place there."
        case .numberMissing:
            "A pairing code begins with its number, as in 7-walnut-harbor."
        case .numberOutOfRange(let digits):
            "A pairing code begins with a number from \(PairingCode.numbers.lowerBound) to "
                + "\(PairingCode.numbers.upperBound), not \(digits)."
        case .unknownWord(let word, let nearest) where nearest.isEmpty:
            "“\(word)” is no word of pairing codes; look at the code again and write a hyphen between its words."
        case .unknownWord(let word, let nearest):
            "“\(word)” is no word of pairing codes; was it "
                + nearest.map { "“\($0)”" }.joined(separator: " or ") + "?"
        case .wrongWordCount(let count):
            "A pairing code has two words behind its number, as in 7-walnut-harbor; this one has \(count)."
        }
    }

    private static func name(of character: Unicode.Scalar) -> String {
        if ("!"..."~").contains(character) { return "\"\(character)\"" }
        let digits = String(character.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
