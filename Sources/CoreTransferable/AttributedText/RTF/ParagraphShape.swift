/// What a paragraph is, apart from the lists it begins an item of: the part of a presentation intent that RTF says with
/// the name of a paragraph style. The names are those of Word's own styles, and of LibreOffice's for the thematic
/// break.
struct ParagraphShape: Hashable {
    enum Leaf: Hashable {
        /// Nothing was said of the paragraph.
        case plain
        case body
        case header(level: Int)
        case code
        case thematicBreak
    }

    var leaf = Leaf.plain
    /// How many block quotes it lies in.
    var quotes = 0
    /// How many lists it lies in, where it goes on with an item that has begun; else 0.
    var continuedLists = 0

    /// RTF has nine levels of lists and of headers.
    static let deepest = 9

    /// Nil for a paragraph of which nothing is said.
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

    /// A style of which nothing is known is a plain paragraph.
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
