import PortolanValues

/// Words of a peer's as lines behind a margin, which no word of this program has: fit for a terminal, and no line of
/// them can be taken for one of ours.
struct ShownText: Hashable, Sendable {
    /// Longer texts are documents, which are stored.
    static let byteLimit = 4096
    /// More lines would push what was said before out of sight.
    static let lineLimit = 60
    private static let margin = "  "
    private static let tab = 8

    /// Without the margin; nothing in them controls a terminal.
    private let content: [String]
    /// True if the lines equal the text: it has no tab or other control character, and no character that looks like
    /// another one.
    let isExact: Bool

    /// - Returns: nil for what is no short text: for bytes that are not UTF-8, or hold a NUL, and where there is
    ///   nothing to see.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.byteLimit, let text = String(validating: bytes, as: UTF8.self),
            !text.utf8.contains(0), text.contains(where: { !$0.isWhitespace })
        else { return nil }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        guard lines.count <= Self.lineLimit else { return nil }
        var isExact = true
        content = lines.map { line in
            // A line may end as on Windows.
            let original = String(line.last == "\r" ? line.dropLast() : line)
            let shown = DisplayText(line: Self.spaced(original), limit: Self.byteLimit).text
            if shown != original { isExact = false }
            return shown
        }
        self.isExact = isExact
    }

    /// True if the first line that is not blank begins with the title.
    func begins(with title: String) -> Bool {
        content.first { $0.contains { $0 != " " } }?.hasPrefix(title) ?? false
    }

    /// Spaces in place of tabs, and of other blanks.
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

    /// The lines, each behind the margin.
    ///
    /// - Parameter width: cells of a terminal, between whose words a longer line is broken, so that none begins without
    ///   the margin. A longer word stays whole, such as an address that is copied: it holds no blanks, and reads as no
    ///   sentence. nil breaks no line.
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

    /// A word without the spaces behind it, which are not seen at a break.
    private static func unpadded(_ word: String) -> String {
        var end = word.endIndex
        while end > word.startIndex, word[word.index(before: end)] == " " { end = word.index(before: end) }
        return String(word[..<end])
    }

    /// Each word with the spaces behind it; those before the first word are a word.
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
