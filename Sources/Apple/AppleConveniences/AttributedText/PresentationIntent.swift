/// Purpose of a paragraph: a header, an item of a list, a line of code; and the blocks that contain it.
///
/// Foundation has this type on Apple's systems and not on Linux; names are the same here.
public struct PresentationIntent: Hashable, Sendable, Codable {
    public enum Kind: Hashable, Sendable, Codable {
        case paragraph
        /// Header; level 1 is the most important.
        case header(level: Int)
        case orderedList
        case unorderedList
        /// The item's number in its list, usually from 1.
        case listItem(ordinal: Int)
        case codeBlock(languageHint: String?)
        case blockQuote
        case thematicBreak
        case table(columns: [TableColumn])
        case tableHeaderRow
        case tableRow(rowIndex: Int)
        /// Cell of a table; columns are numbered from 0.
        case tableCell(columnIndex: Int)
    }

    public struct TableColumn: Hashable, Sendable, Codable {
        public enum Alignment: Hashable, Sendable, Codable {
            case left, center, right
        }

        public var alignment: Alignment

        public init(alignment: Alignment) {
            self.alignment = alignment
        }
    }

    /// A block. Text of the same identity belongs to the same block.
    public struct IntentType: Hashable, Sendable, Codable {
        public var kind: Kind
        public var identity: Int

        public init(kind: Kind, identity: Int) {
            self.kind = kind
            self.identity = identity
        }
    }

    /// The blocks that the text lies in, the innermost first.
    public var components: [IntentType]

    public var count: Int { components.count }

    public init(_ kind: Kind, identity: Int, parent: PresentationIntent? = nil) {
        components = [IntentType(kind: kind, identity: identity)] + (parent?.components ?? [])
    }

    public init(types: [IntentType]) {
        components = types
    }
}
