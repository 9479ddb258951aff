extension RTFReader {
    mutating func apply(_ name: String, _ parameter: Int?) throws {
        let word = RTFKeyword.all[name]
        guard state.destination != .skipped else {
            if case .withUnicode? = word, let outside = state.outsideTwice { state.destination = outside }
            return
        }
        if state.mayBePassedOver {
            state.mayBePassedOver = false
            switch word {
            case .destination, .fieldResult, .withUnicode, .blockEnd: break
            default:
                state.destination = .skipped
                return
            }
        }
        guard let word, !tables.apply(word, parameter, in: state.destination) else { return }
        if case .character(let character) = word {
            if fallbackLeft > 0 { fallbackLeft -= 1 } else { try emit(character) }
            return
        }
        fallbackLeft = 0
        switch word {
        case .space(let character): try emit(character)
        case .unicode:
            guard let parameter else { return }
            for character in characters.take(unicode: parameter) { try emit(character) }
            fallbackLeft = state.fallbackLength
        case .fallbackLength: state.fallbackLength = max(parameter ?? 1, 0)
        case .codePage(let number): tables.documentCodePage = number ?? parameter ?? 1252
        case .font: state.font = parameter
        case .defaultFont: tables.defaultFont = parameter ?? 0
        case .style(let style):
            if parameter == 0 { state.format.style.remove(style) } else { state.format.style.insert(style) }
        case .hidden: state.isHidden = parameter != 0
        case .plain:
            state.format.style = []
            state.format.language = nil
            state.isHidden = false
            state.font = nil
        case .language:
            state.format.language = parameter.flatMap { WindowsLanguage.identifier(of: $0) == nil ? nil : $0 }
        case .destination(let destination):
            if destination == .listText { listText = "" }
            state.destination = destination
        case .fieldResult: if let link = state.fieldLink { state.format.link = link }
        case .twice:
            state.outsideTwice = state.destination
            state.destination = .skipped
        case .attachment:
            // In `{{\NeXTGraphic …}¬}` the sign stands for the attachment.
            state.destination = .skipped
            if enclosing.count > 2 { enclosing[enclosing.count - 1].destination = .skipped }
        case .blockEnd:
            endsBlock = true
            state.destination = .skipped
        default: try applyToParagraph(word, parameter)
        }
    }

    private mutating func applyToParagraph(_ word: RTFKeyword, _ parameter: Int?) throws {
        switch word {
        case .oldList(let isOrdered) where state.destination == .oldList:
            enclosing[enclosing.count - 1].paragraph.list = isOrdered ? Self.oldNumbers : Self.oldBullets
        case .paragraphDefaults: state.paragraph = ParagraphState()
        case .paragraphStyle: state.paragraph.style = parameter
        case .outlineLevel: state.paragraph.outlineLevel = parameter
        case .list: state.paragraph.list = parameter == 0 ? nil : parameter
        case .listLevel: state.paragraph.listLevel = min(max(parameter ?? 0, 0), ParagraphShape.deepest - 1)
        case .direction(let rightToLeft): state.paragraph.direction = rightToLeft ? .rightToLeft : .leftToRight
        case .inTable: state.paragraph.isInTable = parameter != 0
        case .paragraphEnd where state.destination == .text:
            guard state.paragraph.isInTable else {
                owesTab = false
                if !endsBlock { try text.append(CollectionOfOne(UInt8(ascii: "\n")), format: format) }
                return try endParagraph()
            }
            try emit("\u{2028}")
        case .cellEnd where state.destination == .text:
            try payTab()
            owesTab = true
        case .rowEnd where state.destination == .text:
            owesTab = false
            try text.append(CollectionOfOne(UInt8(ascii: "\n")), format: TextFormat())
            try text.endParagraph(
                ParagraphShape(), item: nil, direction: state.paragraph.direction, endsBlock: false)
        default: break
        }
    }

    mutating func apply(_ symbol: UInt8) throws {
        guard state.destination != .skipped else { return }
        let character: Unicode.Scalar
        switch symbol {
        case UInt8(ascii: "*"):
            state.mayBePassedOver = true
            return
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return try apply("par", nil)
        case UInt8(ascii: "\t"): return try apply("tab", nil)
        case UInt8(ascii: "~"): character = "\u{A0}"
        case UInt8(ascii: "-"): character = "\u{AD}"
        case UInt8(ascii: "_"): character = "\u{2011}"
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): character = Unicode.Scalar(symbol)
        default: return
        }
        if fallbackLeft > 0 { fallbackLeft -= 1 } else { try emit(character) }
    }

    /// List number for bullets of RTF 1.5 and before, whose lists have no numbers of their own.
    private static let oldBullets = -1
    private static let oldNumbers = -2
}

// MARK: - Paragraphs

extension RTFReader {
    mutating func endParagraph() throws {
        let paragraph = state.paragraph
        let style = tables.style(paragraph.style)
        var shape = style.shape
        if shape.leaf == .plain || shape.leaf == .body, let level = paragraph.outlineLevel ?? style.outlineLevel,
            (0..<ParagraphShape.deepest).contains(level)
        {
            shape.leaf = .header(level: level + 1)
        }
        var item: PresentationTree.Item?
        if let list = paragraph.list {
            let level = tables.listLevel(paragraph.listLevel, ofList: list)
            item = PresentationTree.Item(
                list: list, level: paragraph.listLevel, isOrdered: list == Self.oldNumbers || level.isOrdered,
                start: level.start, ordinal: Self.number(in: listText))
        }
        try text.endParagraph(shape, item: item, direction: paragraph.direction, endsBlock: endsBlock)
        listText = ""
        endsBlock = false
    }

    /// Parses the first number in the text shown before an item.
    private static func number(in listText: String) -> Int? {
        let digits = listText.utf8.drop { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
