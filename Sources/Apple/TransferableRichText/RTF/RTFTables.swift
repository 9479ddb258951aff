/// The tables at the head of a document: fonts, styles and lists.
struct RTFTables {
    private struct Font {
        var codePage: Int?
        var isFixedPitch = false
    }

    private struct Style {
        var shape = ParagraphShape()
        var outlineLevel: Int?
    }

    struct ListLevel {
        var isOrdered = true
        var start = 1
    }

    /// Code page of the document; Windows-1252 by default.
    var documentCodePage = 1252
    var defaultFont = 0
    private var fonts: [Int: Font] = [:]
    private var styles: [Int: Style] = [:]
    private var lists: [Int: [ListLevel]] = [:]
    /// Numbers of lists: `\ls` to `\listid`.
    private var overrides: [Int: Int] = [:]

    // Entry that is being read.
    private var name = ""
    private var font = 0
    private var styleNumber = 0
    private var style = Style()
    private var levels: [ListLevel] = []
    private var listIdentity: Int?

    /// Number of entries of fonts and styles, repeated numbers included.
    private var entries = 0

    private static let mostEntries = 65_536
    private static let longestName = 256
}

// MARK: - Lookup

extension RTFTables {
    func isFixedPitch(font: Int) -> Bool { fonts[font]?.isFixedPitch ?? false }

    func codePage(font: Int?) -> Int { fonts[font ?? defaultFont]?.codePage ?? documentCodePage }

    /// Returns the shape of a style and its level in the outline, from 0.
    func style(_ number: Int?) -> (shape: ParagraphShape, outlineLevel: Int?) {
        let style = number.flatMap { styles[$0] } ?? Style()
        return (style.shape, style.outlineLevel)
    }

    /// Returns a level of a list; bullets if the list is not described.
    func listLevel(_ level: Int, ofList list: Int) -> ListLevel {
        let levels = overrides[list].flatMap { lists[$0] } ?? []
        return levels.indices.contains(level) ? levels[level] : ListLevel(isOrdered: false)
    }
}

// MARK: - Reading them

extension RTFTables {
    mutating func append(_ character: Unicode.Scalar, in destination: RTFReader.Destination) {
        guard character == ";" else {
            if name.utf8.count < Self.longestName { name.unicodeScalars.append(character) }
            return
        }
        entries += 1
        guard entries <= Self.mostEntries else { return name = "" }
        switch destination {
        case .fonts:
            if Self.isFixedPitch(fontName: name) { fonts[font]?.isFixedPitch = true }
        case .styles:
            style.shape = ParagraphShape(styleName: name)
            styles[styleNumber] = style
            beginStyle()
        default: break
        }
        name = ""
    }

    /// Begins a style; without a number it is the normal one.
    mutating func beginStyle() {
        name = ""
        styleNumber = 0
        style = Style()
    }

    mutating func beginFont(_ number: Int) {
        name = ""
        font = number
        if fonts.count < Self.mostEntries { fonts[number] = Font() }
    }

    /// - Returns: true if the word belongs to the tables.
    mutating func apply(_ word: RTFKeyword, _ parameter: Int?, in destination: RTFReader.Destination) -> Bool {
        switch (destination, word) {
        case (.fonts, .font): beginFont(parameter ?? 0)
        case (.fonts, .fixedPitch): fonts[font]?.isFixedPitch = true
        case (.fonts, .pitch): if parameter == 1 { fonts[font]?.isFixedPitch = true }
        case (.fonts, .charset): fonts[font]?.codePage = parameter.flatMap(CodePage.number(forCharset:))
        case (.fonts, .fontCodePage): fonts[font]?.codePage = parameter
        case (.styles, .paragraphStyle): styleNumber = parameter ?? 0
        case (.styles, .outlineLevel): style.outlineLevel = parameter
        case (.lists, .newList): levels = []
        case (.lists, .newListLevel): if levels.count < ParagraphShape.deepest { levels.append(ListLevel()) }
        case (.lists, .listNumbering):
            // Number format 23 is a bullet, 255 is none.
            if !levels.isEmpty { levels[levels.count - 1].isOrdered = parameter != 23 && parameter != 255 }
        case (.lists, .listStart): if !levels.isEmpty { levels[levels.count - 1].start = parameter ?? 1 }
        case (.lists, .listIdentity):
            if let parameter, lists.count < Self.mostEntries { lists[parameter] = levels }
        case (.listOverrides, .listIdentity): listIdentity = parameter
        case (.listOverrides, .list):
            if let parameter, overrides.count < Self.mostEntries { overrides[parameter] = listIdentity }
        case (.fonts, _), (.styles, _), (.lists, _), (.listOverrides, _):
            if case .destination = word { return false }
        default: return false
        }
        return true
    }

    /// Some writers omit that the pitch of a font is fixed, so its name decides.
    private static func isFixedPitch(fontName: String) -> Bool {
        let name = fontName.lowercased()
        return ["courier", "menlo", "monaco", "consolas", "sfmono", "sf mono"].contains { name.hasPrefix($0) }
            || name.contains("mono") && !name.hasPrefix("monotype")
    }
}
