/// Writes a ``DisplayText`` scalar by scalar, and escapes characters that may not be shown.
struct DisplayWriter {
    enum Use {
        /// Between our quotation marks.
        case quoted
        /// A line of this program.
        case sentence
        /// A line of a longer text, with a margin.
        case line
    }

    /// Most marks on one letter. Scripts need up to four; more of them cover the lines above and below.
    private static let marks = 4

    private let use: Use
    private var room: Int
    private var text = ""
    /// A space whose next character is not known yet.
    private var hasSpace = false
    private var followsSpace = false
    private var marksInRow = marks
    private var context = EmojiContext()
    private(set) var isFull = false

    /// - Parameter limit: characters that are shown.
    init(_ use: Use, limit: Int) {
        self.use = use
        room = limit
    }

    mutating func put(_ scalar: Unicode.Scalar) {
        defer {
            context.advance(over: scalar)
            followsSpace = scalar == " "
        }
        if use == .quoted, scalar == " " {
            // Another space, or the end, may follow.
            let stands = !followsSpace && !text.isEmpty
            flushSpace(as: " ")
            if stands { hasSpace = true } else { append(Self.escape(scalar)) }
            marksInRow = 0
            return
        }
        flushSpace(as: " ")
        if isShown(scalar) { append(String(scalar)) } else { append(Self.escape(scalar)) }
    }

    mutating func put(invalid byte: UInt8) {
        flushSpace(as: " ")
        context = EmojiContext()
        followsSpace = false
        marksInRow = 0
        append("\\x" + Self.hex(UInt32(byte), width: 2))
    }

    /// The whole text.
    mutating func end() -> String {
        // A space at the end would be invisible.
        flushSpace(as: Self.escape(" "))
        return text
    }

    private mutating func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if DisplayText.isHarmful(scalar) { return context.allows(scalar) }
        guard use != .sentence else { return true }
        if DisplayText.isBlank(scalar) || use == .quoted && DisplayText.isDelimiter(scalar) {
            marksInRow = 0
            return false
        }
        guard Self.isMark(scalar) else {
            marksInRow = 0
            return true
        }
        // Without a letter before it, it would sit on our own quotation mark.
        marksInRow += 1
        return marksInRow <= Self.marks && !text.isEmpty
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    private mutating func flushSpace(as shown: String) {
        guard hasSpace else { return }
        hasSpace = false
        append(shown)
    }

    private mutating func append(_ shown: String) {
        guard !isFull else { return }
        let length = shown.unicodeScalars.count
        guard length <= room else {
            text += "…"
            isFull = true
            return
        }
        room -= length
        text += shown
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{" + hex(scalar.value, width: 1) + "}" }

    private static func hex(_ value: UInt32, width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Notes whether the last scalar was an emoji. The joiner (U+200D) and the emoji selector (U+FE0F) hide nothing
/// directly after an emoji, and without them many emoji would be escaped.
struct EmojiContext {
    private var followsEmoji = false

    func allows(_ scalar: Unicode.Scalar) -> Bool {
        followsEmoji && (scalar.value == 0x200D || scalar.value == 0xFE0F)
    }

    mutating func advance(over scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0xFE0F: break
        // A joiner is allowed once, so that a run of invisible ones is still escaped.
        case 0x200D: followsEmoji = false
        default: followsEmoji = !scalar.isASCII && scalar.properties.isEmoji
        }
    }
}
