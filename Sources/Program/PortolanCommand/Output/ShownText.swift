import PortolanValues

/// Text of a peer as lines with a margin that the program's own lines do not have: safe for a terminal, and no line of
/// it can be mistaken for the program's.
struct ShownText: Hashable, Sendable {
    /// Longer texts are documents, which are stored.
    static let byteLimit = 4096
    /// Most lines; more would push earlier output out of sight.
    static let lineLimit = 60
    private static let margin = "  "
    private static let tab = 8

    /// Lines without the margin; nothing in them controls a terminal.
    private let content: [String]

    /// - Returns: nil for bytes that are not UTF-8 or contain a NUL, and for a text that is too long or has no visible
    ///   character.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.byteLimit, let text = String(validating: bytes, as: UTF8.self),
            !text.utf8.contains(0), text.contains(where: { !$0.isWhitespace })
        else { return nil }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        guard lines.count <= Self.lineLimit else { return nil }
        content = lines.map { line in
            // A line may end as on Windows.
            let original = String(line.last == "\r" ? line.dropLast() : line)
            return DisplayText(line: Self.spaced(original), limit: Self.byteLimit).text
        }
    }

    /// True if the first line that is not blank begins with the title.
    func begins(with title: String) -> Bool {
        content.first { $0.contains { $0 != " " } }?.hasPrefix(title) ?? false
    }

    /// Replaces tabs and other blanks by spaces.
    private static func spaced(_ line: String) -> String {
        var spaced = ""
        for character in line {
            if character == "\t" {
                spaced += String(repeating: " ", count: tab - spaced.count % tab)
            } else if let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
                DisplayText.isBlank(scalar)
            {
                spaced += " "
            } else {
                spaced.append(character)
            }
        }
        return spaced
    }

    /// The lines, each with the margin.
    ///
    /// - Parameter width: width of the terminal: longer lines are broken between words, so that no line begins without
    ///   the margin. A longer word, such as an address that is copied, is not broken: without blanks it cannot look
    ///   like a sentence. Nil breaks no line.
    func lines(width: Int?) -> [String] {
        content.flatMap { line in
            guard let width else { return [line] }
            return Self.broken(line, into: max(width - Self.margin.count, 20))
        }.map { Self.margin + $0 }
    }

    private static func broken(_ line: String, into cells: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for word in words(line) {
            if used > 0, used + CellWidth.of(unpadded(word)) > cells {
                lines.append(unpadded(current))
                (current, used) = ("", 0)
            }
            current += word
            used += CellWidth.of(word)
        }
        return lines + [current]
    }

    /// Word without its trailing spaces, which are invisible at a line break.
    private static func unpadded(_ word: String) -> String {
        var end = word.endIndex
        while end > word.startIndex, word[word.index(before: end)] == " " { end = word.index(before: end) }
        return String(word[..<end])
    }

    /// Words with their trailing spaces; spaces before the first word are a separate word.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var current = ""
        for character in line {
            if character != " ", current.last == " " {
                words.append(current)
                current = ""
            }
            current.append(character)
        }
        return current.isEmpty ? words : words + [current]
    }
}
