/// Writes an attributed string as RTF 1.9.1: ASCII, the same bytes for the same string.
struct RTFWriter {
    static func document(_ string: AttributedString) -> Data {
        var writer = RTFWriter()
        writer.write(AttributedParagraph.paragraphs(of: string)[...])
        return writer.document
    }

    /// Private destination that other readers skip: the `\par` behind it ends a block and stands for no character.
    static let blockEnd = "portolanblock"

    private var body: [UInt8] = []
    /// Styles in use; the number of a style is its index plus one.
    private var styles: [ParagraphShape] = []
    private var styleNumbers: [ParagraphShape: Int] = [:]
    private var lists: [List] = []
    /// Number of `\ls`, from 1, by the list's identity.
    private var listNumbers: [Int: Int] = [:]
    private var begunItems: Set<Int> = []

    private struct List {
        let isOrdered: Bool
        let level: Int
        let start: Int
    }

    private mutating func write(_ paragraphs: ArraySlice<AttributedParagraph>) {
        var rest = paragraphs
        while let paragraph = rest.first {
            guard let table = TablePlace(paragraph.intent)?.table else {
                write(paragraph)
                rest = rest.dropFirst()
                continue
            }
            let inTable = rest.prefix { TablePlace($0.intent)?.table == table }
            writeTable(inTable)
            rest = rest.dropFirst(inTable.count)
        }
    }
}

// MARK: - Paragraphs

extension RTFWriter {
    private mutating func write(_ paragraph: AttributedParagraph) {
        let blocks = BlockStack(paragraph.intent)
        var shape = blocks.shape
        var listWords = ""
        if let item = blocks.items.last {
            if begunItems.insert(item.identity).inserted {
                listWords = begin(item, level: blocks.items.count - 1)
            } else {
                shape.continuedLists = blocks.items.count
            }
        }
        put("\\pard\\plain")
        if let style = number(of: shape) { put("\\s\(style)") }
        if case .header(let level) = shape.leaf { put("\\outlinelevel\(level - 1)") }
        switch paragraph.direction {
        case .leftToRight: put("\\ltrpar")
        case .rightToLeft: put("\\rtlpar")
        default: break
        }
        let indent = 720 * (blocks.items.count + shape.quotes)
        if indent > 0 { put("\\li\(indent)") }
        put(listWords)
        put(Self.font(of: shape) + " ")
        if let item = blocks.items.last, !listWords.isEmpty {
            put("{\\listtext " + (item.isOrdered ? "\(item.ordinal)." : "\\u8226?") + "\\tab}")
        }
        var pieces = paragraph.pieces[...]
        // A newline joins the last group if its format is equal: a link with a newline as its only text is no link.
        var last: (text: String, format: TextFormat)?
        if case .newline(let format) = paragraph.end {
            last = pieces.last?.format == format ? pieces.popLast() : ("", format)
        }
        for (text, format) in pieces { write(format, in: shape) { $0.put(escaping: text) } }
        if let (text, format) = last {
            write(format, in: shape) {
                $0.put(escaping: text)
                $0.put("\\par\n")
            }
        }
        if case .block = paragraph.end { put("{\\*\\\(Self.blockEnd)}\\par\n") }
    }

    /// Returns the words that begin an item of a list.
    private mutating func begin(_ item: BlockStack.Item, level: Int) -> String {
        let number: Int
        if let known = listNumbers[item.list] {
            number = known
        } else {
            lists.append(List(isOrdered: item.isOrdered, level: level, start: item.ordinal))
            number = lists.count
            listNumbers[item.list] = number
        }
        return "\\fi-360\\ls\(number)\\ilvl\(level)"
    }

    private mutating func number(of shape: ParagraphShape) -> Int? {
        guard shape.styleName != nil else { return nil }
        if let known = styleNumbers[shape] { return known }
        styles.append(shape)
        styleNumbers[shape] = styles.count
        return styles.count
    }

    /// Returns face and size (in half points) of a paragraph; the reader ignores them.
    private static func font(of shape: ParagraphShape) -> String {
        switch shape.leaf {
        case .header(let level): "\\f0\\fs\(max(48 - 6 * (level - 1), 24))"
        case .code: "\\f1\\fs22"
        case .plain, .body, .thematicBreak: "\\f0\\fs24"
        }
    }

    /// Writes content in a group with its format, or without a group if the format is empty.
    private mutating func write(_ format: TextFormat, in shape: ParagraphShape, content: (inout RTFWriter) -> Void) {
        var words = ""
        if format.style.contains(.bold) { words += "\\b" }
        if format.style.contains(.italic) { words += "\\i" }
        if format.style.contains(.strikethrough) { words += "\\strike" }
        if format.style.contains(.code), shape.leaf != .code { words += "\\f1" }
        if let language = format.language { words += "\\lang\(language)" }
        if let link = format.link {
            put("{\\field{\\*\\fldinst HYPERLINK \"")
            // Backslashes are escaped in the instruction, too.
            put(escaping: link.absoluteString.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))
            put("\"}{\\fldrslt\(words) ")
            content(&self)
            put("}}")
        } else if words.isEmpty {
            content(&self)
        } else {
            put("{\(words) ")
            content(&self)
            put("}")
        }
    }
}

// MARK: - Tables

extension RTFWriter {
    /// Largest number of columns: Word's limit.
    private static let mostColumns = 63

    private mutating func writeTable(_ paragraphs: ArraySlice<AttributedParagraph>) {
        var rest = paragraphs
        while let row = rest.first.flatMap({ TablePlace($0.intent) }) {
            let inRow = rest.prefix { TablePlace($0.intent)?.row == row.row }
            writeRow(inRow, columns: row.columns)
            rest = rest.dropFirst(inRow.count)
        }
    }

    private mutating func writeRow(_ paragraphs: ArraySlice<AttributedParagraph>, columns: Int) {
        // Cells without text have no paragraph; the place of each paragraph shows which cells are missing.
        var cells: [[AttributedParagraph]] = []
        var current: Int?
        for paragraph in paragraphs {
            guard let place = TablePlace(paragraph.intent) else { continue }
            if place.cell != current || cells.isEmpty {
                while cells.count < min(place.column, Self.mostColumns - 1) { cells.append([]) }
                cells.append([])
                current = place.cell
            }
            cells[cells.count - 1].append(paragraph)
        }
        while cells.count < min(columns, Self.mostColumns) { cells.append([]) }
        put("\\trowd\\trgaph108")
        for index in 1...cells.count { put("\\cellx\(8640 * index / cells.count)") }
        put("\n")
        for cell in cells {
            put("\\pard\\plain\\intbl\\f0\\fs24 ")
            for (index, paragraph) in cell.enumerated() {
                for (text, format) in paragraph.pieces {
                    write(format, in: ParagraphShape()) { $0.put(escaping: text) }
                }
                if index < cell.count - 1 { put("\\line ") }
            }
            put("\\cell\n")
        }
        put("\\row\n")
    }
}

// MARK: - The document

extension RTFWriter {
    private var document: Data {
        var document = RTFWriter()
        document.put("{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0\n")
        document.put("{\\fonttbl{\\f0\\fswiss\\fcharset0 Helvetica;}{\\f1\\fmodern\\fprq1\\fcharset0 Courier New;}}\n")
        document.put("{\\stylesheet{Normal;}")
        for (index, shape) in styles.enumerated() {
            let level = if case .header(let level) = shape.leaf { "\\outlinelevel\(level - 1)" } else { "" }
            document.put("{\\s\(index + 1)\(level)\\sbasedon0 \(shape.styleName ?? "Normal");}")
        }
        document.put("}\n")
        if !lists.isEmpty {
            document.put("{\\*\\listtable")
            for (index, list) in lists.enumerated() { document.put(list, number: index + 1) }
            document.put("}\n{\\*\\listoverridetable")
            for number in 1...lists.count {
                document.put("{\\listoverride\\listid\(number)\\listoverridecount0\\ls\(number)}")
            }
            document.put("}\n")
        }
        document.body += body
        document.put("}\n")
        return Data(document.body)
    }

    private mutating func put(_ list: List, number: Int) {
        put("{\\list\\listtemplateid\(number)")
        for level in 0...list.level {
            put("{\\listlevel\\levelnfc\(list.isOrdered ? 0 : 23)\\leveljc0\\levelfollow0\\levelstartat\(list.start)")
            put(
                list.isOrdered
                    ? "{\\leveltext\\'02\\'0\(level).;}{\\levelnumbers\\'01;}"
                    : "{\\leveltext\\'01\\u8226?;}{\\levelnumbers;}")
            put("\\fi-360\\li\(720 * (level + 1))}")
        }
        put("\\listid\(number)}")
    }

    private mutating func put(_ text: String) { body += text.utf8 }

    /// Writes text so that a reader gives the same characters back.
    private mutating func put(escaping text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "{", "}":
                body.append(UInt8(ascii: "\\"))
                body.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\t": put("\\tab ")
            case "\u{2028}": put("\\line ")
            case "\u{0C}": put("\\page ")
            case " "..."~": body.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                for unit in UTF16.encode(scalar) ?? .init() { put("\\u\(Int16(bitPattern: unit))?") }
            }
        }
    }
}
