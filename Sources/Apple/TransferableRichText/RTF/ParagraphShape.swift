/// Paragraph style: the part of a presentation intent that RTF expresses by the name of a style, without the lists of
/// which the paragraph begins an item. The names are those of Word's own styles, and of LibreOffice's for the thematic
/// break.
struct ParagraphShape: Hashable {
    enum Leaf: Hashable {
        /// A paragraph without an intent.
        case plain
        case body
        case header(level: Int)
        case code
        case thematicBreak
    }

    var leaf = Leaf.plain
    /// Number of block quotes around the paragraph.
    var quotes = 0
    /// Number of lists around a paragraph that continues an item; else 0.
    var continuedLists = 0

    /// RTF has nine levels of lists and of headers.
    static let deepest = 9

    /// Name of the style; nil for a paragraph without an intent.
    var styleName: String? {
        var words: [String] = []
        if quotes > 0 { words.append(quotes == 1 ? "Quote" : "Quote \(quotes)") }
        if continuedLists > 0 {
            words.append(continuedLists == 1 ? "List Continue" : "List Continue \(continuedLists)")
        }
        switch leaf {
        case .plain: break
        case .body: if words.isEmpty { words.append("Body Text") }
        case .header(let level): words.append("heading \(level)")
        case .code: words.append("HTML Preformatted")
        case .thematicBreak: words.append("Horizontal Line")
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    init(leaf: Leaf = .plain, quotes: Int = 0, continuedLists: Int = 0) {
        self.leaf = leaf
        self.quotes = quotes
        self.continuedLists = continuedLists
    }

    /// Parses the name of a style; unknown names are plain paragraphs.
    init(styleName: String) {
        var words = styleName.lowercased().split(separator: " ")[...]
        func take(_ names: String...) -> Bool {
            guard let name = names.first(where: { words.starts(with: $0.split(separator: " ")) }) else { return false }
            words = words.dropFirst(name.split(separator: " ").count)
            return true
        }
        func takeNumber() -> Int? {
            guard let number = words.first.flatMap({ Int($0) }), (1...Self.deepest).contains(number) else { return nil }
            words = words.dropFirst()
            return number
        }
        var shape = ParagraphShape(leaf: .body)
        if take("quote", "quotations") { shape.quotes = takeNumber() ?? 1 }
        if take("list continue") { shape.continuedLists = takeNumber() ?? 1 }
        if take("heading") {
            shape.leaf = takeNumber().map { .header(level: $0) } ?? .body
        } else if take("html preformatted", "preformatted text") {
            shape.leaf = .code
        } else if take("horizontal line") {
            shape.leaf = .thematicBreak
        } else if shape.quotes == 0, shape.continuedLists == 0, !take("body text", "text body") {
            shape.leaf = .plain
        }
        self = words.isEmpty ? shape : ParagraphShape()
    }
}
