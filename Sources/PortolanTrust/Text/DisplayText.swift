/// Text that came from somewhere else, made fit to be shown.
///
/// Names, titles and error texts of a peer go to terminals, logs and JSON readers, and a peer that may write control
/// characters there can move the cursor, forge lines, hide the end of a file name or reverse it. This type is the only
/// way such text reaches a person: what could do harm appears as `\u{1B}`, and the length is bounded.
///
/// ```swift
/// let title = DisplayText(offer.title, limit: 80)
/// print("\(title) from \(DisplayText(peer.name))")
/// ```
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// How many scalars are shown unless the caller says otherwise.
    public static let usualLimit = 200

    /// The text, safe for one line of a terminal.
    public let text: String

    public var description: String { text }

    /// - Parameter limit: how many of the original's Unicode scalars are shown; an ellipsis stands for the rest.
    public init(_ original: some StringProtocol, limit: Int = usualLimit) {
        self.init(original.unicodeScalars, limit: limit)
    }

    /// Bytes that should be UTF-8 but come from a peer; each byte that is not appears as `\xE9`.
    public init(bytes: some Collection<UInt8>, limit: Int = usualLimit) {
        var safe = ""
        var remaining = limit
        var decoder = UTF8Pieces(bytes.prefix(limit * 4 + 4))
        var context = EmojiContext()
        while let piece = decoder.next() {
            guard remaining > 0 else {
                safe += "…"
                break
            }
            remaining -= 1
            switch piece {
            case .scalar(let scalar): DisplayText.append(scalar, to: &safe, following: &context)
            case .invalid(let byte):
                context = EmojiContext()
                safe += "\\x" + DisplayText.hex(UInt32(byte), width: 2)
            }
        }
        text = safe
    }

    private init(_ scalars: some Sequence<Unicode.Scalar>, limit: Int) {
        var safe = ""
        var remaining = limit
        var context = EmojiContext()
        for scalar in scalars {
            guard remaining > 0 else {
                safe += "…"
                break
            }
            remaining -= 1
            DisplayText.append(scalar, to: &safe, following: &context)
        }
        text = safe
    }

    private static func append(_ scalar: Unicode.Scalar, to safe: inout String, following context: inout EmojiContext) {
        if isHarmful(scalar), !context.allows(scalar) {
            safe += "\\u{" + hex(scalar.value, width: 1) + "}"
        } else {
            safe.unicodeScalars.append(scalar)
        }
        context.advance(over: scalar)
    }

    private static func hex(_ value: UInt32, width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension DisplayText {
    /// Whether a scalar can change how the text around it is shown, or is itself not shown: the one list in the project.
    ///
    /// Controls (C0, DEL, C1), line and paragraph separators, bidirectional controls and every other format character,
    /// default-ignorables (zero-width spaces, fillers, variation selectors, tags), surrogates and non-characters.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        // Printable ASCII is nearly all there is; asking the property tables for it would cost the most.
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

    /// Whether nothing in `text` needs escaping, emoji sequences included.
    package static func isHarmless(_ text: some StringProtocol) -> Bool {
        var context = EmojiContext()
        for scalar in text.unicodeScalars {
            if isHarmful(scalar), !context.allows(scalar) { return false }
            context.advance(over: scalar)
        }
        return true
    }
}

/// Remembers whether the last scalar was an emoji: the joiner (U+200D) and the emoji selector (U+FE0F) hide nothing
/// directly behind one, and without them every family and every red heart would read as an escape.
private struct EmojiContext {
    private var followsEmoji = false

    func allows(_ scalar: Unicode.Scalar) -> Bool {
        followsEmoji && (scalar.value == 0x200D || scalar.value == 0xFE0F)
    }

    mutating func advance(over scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0xFE0F: break
        // A joiner is allowed once, so that a run of invisible ones still shows.
        case 0x200D: followsEmoji = false
        default: followsEmoji = !scalar.isASCII && scalar.properties.isEmoji
        }
    }
}

/// Splits bytes into valid UTF-8 scalars and the single bytes that are none.
private struct UTF8Pieces<Bytes: Collection<UInt8>> {
    enum Piece {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        let length =
            switch first {
            case 0x00...0x7F: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let candidate = rest.prefix(length)
        var decoder = Unicode.UTF8.ForwardParser()
        var bytes = candidate.makeIterator()
        if length > 0, candidate.count == length, case .valid(let encoded) = decoder.parseScalar(from: &bytes) {
            rest = rest.dropFirst(length)
            return .scalar(Unicode.UTF8.decode(encoded))
        }
        rest = rest.dropFirst()
        return .invalid(first)
    }
}
