/// Text from another device or program, made fit to be shown.
///
/// Names, titles and error texts of a peer go to terminals, logs and JSON readers, and a peer that may write control
/// characters there can move the cursor, forge lines, hide the end of a file name or reverse it. With quotation marks
/// and blanks it can close the quotation around its text, and imitate the program's words. This type is the only way
/// such text reaches a person: all these characters are escaped, like `\u{1B}`, and the length is bounded.
///
/// ```swift
/// let title = DisplayText(offer.title, limit: 80)
/// print("“\(title)” from “\(DisplayText(peer.name))”")
/// ```
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// Default number of scalars that are shown.
    public static let usualLimit = 200

    /// The text, safe for one line of a terminal.
    public let text: String

    public var description: String { text }

    /// Text for use between the quotation marks `“` and `”` of a sentence: it contains neither these nor invisible
    /// characters, except single spaces between its words.
    ///
    /// - Parameters:
    ///   - original: bytes that are encoded as in ``PathText`` appear as `\xE9`.
    ///   - limit: number of characters shown, escapes counted by their length; an ellipsis replaces the rest.
    public init(_ original: some StringProtocol, limit: Int = usualLimit) {
        guard PathText.isPlain(original) else {
            text = DisplayText(bytes: PathText.bytes(of: String(original)), limit: limit).text
            return
        }
        var writer = DisplayWriter(.quoted, limit: limit)
        for scalar in original.unicodeScalars where !writer.isFull { writer.put(scalar) }
        text = writer.end()
    }

    /// Text from a peer's bytes, which should be UTF-8; each invalid byte appears as `\xE9`.
    public init(bytes: some Collection<UInt8>, limit: Int = usualLimit) {
        var writer = DisplayWriter(.quoted, limit: limit)
        var decoder = UTF8Pieces(bytes)
        while !writer.isFull, let piece = decoder.next() {
            switch piece {
            case .scalar(let scalar): writer.put(scalar)
            case .invalid(let byte): writer.put(invalid: byte)
            }
        }
        text = writer.end()
    }

    /// Sentence of this program, with its own quotation marks, in which a peer's text is already a `DisplayText`.
    ///
    /// Line breaks and bidirectional controls are escaped; quotation marks and spaces are not.
    public init(sentence: some StringProtocol, limit: Int = usualLimit) {
        var writer = DisplayWriter(.sentence, limit: limit)
        for scalar in sentence.unicodeScalars where !writer.isFull { writer.put(scalar) }
        text = writer.end()
    }

    /// Text of this program in several lines, such as an error that lists addresses, in one line.
    package init(oneLine text: some StringProtocol, limit: Int = usualLimit) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
        self.init(sentence: lines.joined(separator: " "), limit: limit)
    }

    /// Sentence of another device, for use between our quotation marks: its own ones become single ones.
    package init(said text: some StringProtocol, limit: Int = usualLimit) {
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.init(lines.replacing("\u{201C}", with: "\u{2018}").replacing("\u{201D}", with: "\u{2019}"), limit: limit)
    }

    /// Line of a longer text from another device, shown with a margin rather than between quotation marks: its
    /// spaces and quotation marks are not escaped.
    package init(line: some StringProtocol, limit: Int = usualLimit) {
        var writer = DisplayWriter(.line, limit: limit)
        for scalar in line.unicodeScalars where !writer.isFull { writer.put(scalar) }
        text = writer.end()
    }
}

extension DisplayText {
    /// True if a scalar can change how the text around it is shown, or is itself not shown: the one list in the
    /// project.
    ///
    /// Controls (C0, DEL, C1), line and paragraph separators, bidirectional controls and every other format character,
    /// default-ignorables (zero-width spaces, fillers, variation selectors, tags), surrogates and non-characters.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        // Most text is printable ASCII, for which a look-up in the property tables would take most of the time.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isBidiControl || properties.isNoncharacterCodePoint {
            return true
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// True if a scalar is shown as space. Only the single space between words can be counted by a person.
    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return false }
        switch scalar.value {
        // Braille without dots, a note without its head, and the filler of Khitan.
        case 0x2800, 0x1D159, 0x16FE4: return true
        default: return scalar.properties.generalCategory == .spaceSeparator
        }
    }

    /// True if a scalar is one of the quotation marks around a peer's text, or looks similar.
    static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x201C, 0x201D, 0x201F, 0x2033, 0x2036, 0x275D, 0x275E, 0x301D, 0x301E, 0xFF02, 0x1F676, 0x1F677: true
        default: false
        }
    }

    /// True if nothing in `text` needs escaping, emoji sequences included.
    package static func isHarmless(_ text: some StringProtocol) -> Bool {
        var context = EmojiContext()
        for scalar in text.unicodeScalars {
            if isHarmful(scalar), !context.allows(scalar) { return false }
            context.advance(over: scalar)
        }
        return true
    }
}
