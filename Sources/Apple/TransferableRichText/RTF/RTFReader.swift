/// Reads RTF 1.9.1 as Word, LibreOffice, Cocoa and others write it: strict about groups, which show that the document
/// is complete, and lenient about their contents.
struct RTFReader {
    /// - Throws: `TransferError` with the place in the document.
    static func text(of data: Data) throws -> AttributedString {
        guard data.count <= largest else {
            throw TransferError.malformed(.rtf, "too large: \(data.count) bytes, and \(largest) is the most")
        }
        var reader = RTFReader(bytes: [UInt8](data))
        return try reader.read()
    }

    private static let largest = 64 << 20
    private static let deepest = 1000

    /// Destination of the text of a group.
    enum Destination {
        case text, skipped, fonts, styles, lists, listOverrides, instruction, listText, oldList
    }

    /// Properties that a group inherits and that its end restores.
    struct State {
        var destination = Destination.text
        /// Destination before `\upr`.
        var outsideTwice: Destination?
        /// True if the group began with `\*`.
        var mayBePassedOver = false
        var format = TextFormat()
        var isHidden = false
        var font: Int?
        /// Number of replacement characters behind `\u` for readers without Unicode.
        var fallbackLength = 1
        /// Link of the field around the group.
        var fieldLink: URL?
        var paragraph = ParagraphState()
    }

    struct ParagraphState {
        var style: Int?
        /// Level in the outline, from 0; 9 stands for none.
        var outlineLevel: Int?
        /// Number of `\ls`; below 0 for a list of RTF 1.5 and before.
        var list: Int?
        var listLevel = 0
        var direction: AttributedString.WritingDirection?
        var isInTable = false
    }

    private var tokens: RTFTokens
    var state = State()
    var enclosing: [State] = []
    var tables = RTFTables()
    var text = RTFText()
    var characters = RTFCharacters()

    /// Number of replacement characters of the last `\u` that are still to be skipped.
    var fallbackLeft = 0
    private var instruction = ""
    /// Text shown before the paragraph as its number.
    var listText = ""
    /// True if the next `\par` ends a block and stands for no character.
    var endsBlock = false
    /// True if a cell has ended and its row may not have, so that a tab may follow.
    var owesTab = false

    private init(bytes: [UInt8]) {
        tokens = RTFTokens(bytes: bytes)
    }

    private mutating func read() throws -> AttributedString {
        try begin()
        while let token = try tokens.next() {
            switch token {
            case .open:
                fallbackLeft = 0
                try endCharacter()
                guard enclosing.count < Self.deepest else {
                    throw TransferError.malformed(
                        .rtf, "nested more than \(Self.deepest) groups deep, at byte \(tokens.position)")
                }
                enclosing.append(state)
                state.mayBePassedOver = false
                if state.destination == .styles { tables.beginStyle() }
            case .close:
                fallbackLeft = 0
                try endCharacter()
                guard enclosing.count > 1 else {
                    try endParagraph()
                    return try text.finished()
                }
                var outer = enclosing.removeLast()
                if state.destination == .instruction, outer.destination != .instruction {
                    outer.fieldLink = HyperlinkInstruction(instruction)?.url
                    instruction = ""
                }
                state = outer
            case .word(let name, let parameter):
                if name != "u" { try endCharacter() }
                try apply(name, parameter)
            case .symbol(let symbol):
                try endCharacter()
                try apply(symbol)
            case .hexadecimal(let byte):
                if fallbackLeft > 0 { fallbackLeft -= 1 } else { try take(byte) }
            case .text(let range):
                let used = min(fallbackLeft, range.count)
                fallbackLeft -= used
                try take(range.dropFirst(used))
            }
        }
        throw TransferError.malformed(
            .rtf, "incomplete: it ends at byte \(tokens.position) with \(enclosing.count) groups still open")
    }

    /// Reads `{\rtf`, behind a byte order mark and white space at most.
    private mutating func begin() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = tokens.bytes.starts(with: mark) ? mark.count : 0
        tokens = RTFTokens(bytes: tokens.bytes, from: start)
        var token = try tokens.next()
        while case .text(let range) = token, tokens.bytes[range].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            token = try tokens.next()
        }
        guard token == .open, case .word("rtf", _) = try tokens.next() else {
            throw TransferError.malformed(.rtf, "not rich text: it does not begin with {\\rtf")
        }
        enclosing.append(state)
    }
}

// MARK: - Characters

extension RTFReader {
    /// Adds a character to the destination of the group.
    mutating func emit(_ character: Unicode.Scalar) throws {
        switch state.destination {
        case .text:
            guard !state.isHidden else { return }
            try payTab()
            try text.append(UTF8.encode(character) ?? .init(), format: format)
        case .fonts, .styles: tables.append(character, in: state.destination)
        case .instruction:
            if instruction.utf8.count < Self.longestInstruction { instruction.unicodeScalars.append(character) }
        case .listText:
            if listText.utf8.count < Self.longestListText { listText.unicodeScalars.append(character) }
        case .skipped, .lists, .listOverrides, .oldList: break
        }
    }

    private static let longestInstruction = 8192
    private static let longestListText = 32

    mutating func payTab() throws {
        guard owesTab else { return }
        owesTab = false
        try text.append(CollectionOfOne(UInt8(ascii: "\t")), format: TextFormat())
    }

    var format: TextFormat {
        var format = state.format
        if let font = state.font, tables.isFixedPitch(font: font) { format.style.insert(.code) }
        return format
    }

    private mutating func take(_ range: Range<Int>) throws {
        let bytes = tokens.bytes[range]
        if state.destination == .text, !state.isHidden, !characters.isPending, bytes.allSatisfy({ $0 < 0x80 }) {
            guard !bytes.isEmpty else { return }
            try payTab()
            try text.append(bytes, format: format)
        } else if state.destination != .skipped {
            for byte in bytes { try take(byte) }
        }
    }

    private mutating func take(_ byte: UInt8) throws {
        guard state.destination != .skipped else { return }
        for character in characters.take(byte, codePage: tables.codePage(font: state.font)) { try emit(character) }
    }

    /// Ends an incomplete character with the replacement character.
    mutating func endCharacter() throws {
        for character in characters.end() { try emit(character) }
    }
}
