/// Builds the blocks around each paragraph, in the order of the paragraphs.
struct PresentationTree {
    /// Item of a list that the paragraph begins.
    struct Item {
        let list: Int
        /// Level of the list, from 0, the outermost.
        let level: Int
        let isOrdered: Bool
        /// The number of the list's first item.
        let start: Int
        /// Number of the item; nil for the number after that of the item before.
        let ordinal: Int?
    }

    private struct OpenList {
        let list: Int
        let level: Int
        let block: PresentationIntent.IntentType
        var item: PresentationIntent.IntentType
        var ordinal: Int
    }

    private var lastIdentity = 0
    private var quotes: [PresentationIntent.IntentType] = []
    private var lists: [OpenList] = []
    /// Block of code that the next paragraph may continue.
    private var code: PresentationIntent?

    /// Returns the intent of the next paragraph; nil for a plain one outside lists.
    mutating func intent(_ shape: ParagraphShape, item: Item?, endsBlock: Bool) -> PresentationIntent? {
        if shape.quotes != quotes.count { lists = [] }
        while quotes.count > shape.quotes { quotes.removeLast() }
        while quotes.count < shape.quotes { quotes.append(block(.blockQuote)) }
        if let item {
            begin(item)
        } else if shape.continuedLists > 0 {
            while lists.count > shape.continuedLists { lists.removeLast() }
        } else {
            lists = []
        }
        let containers = lists.reversed().flatMap { [$0.item, $0.block] } + quotes.reversed()
        let kind: PresentationIntent.Kind
        switch shape.leaf {
        case .plain:
            guard !containers.isEmpty else {
                code = nil
                return nil
            }
            kind = .paragraph
        case .body: kind = .paragraph
        case .header(let level): kind = .header(level: level)
        case .thematicBreak: kind = .thematicBreak
        case .code:
            let intent: PresentationIntent
            if let code, code.components.dropFirst().elementsEqual(containers) {
                intent = code
            } else {
                intent = PresentationIntent(types: [block(.codeBlock(languageHint: nil))] + containers)
            }
            code = endsBlock ? nil : intent
            return intent
        }
        code = nil
        return PresentationIntent(types: [block(kind)] + containers)
    }

    private mutating func begin(_ item: Item) {
        while let last = lists.last, last.level > item.level || last.level == item.level && last.list != item.list {
            lists.removeLast()
        }
        let last = lists.last.flatMap { $0.level == item.level ? $0.ordinal : nil }
        let ordinal = item.ordinal ?? last.map { $0 < Int.max ? $0 + 1 : $0 } ?? item.start
        if last == nil {
            let list = block(item.isOrdered ? .orderedList : .unorderedList)
            lists.append(
                OpenList(
                    list: item.list, level: item.level, block: list, item: block(.listItem(ordinal: ordinal)),
                    ordinal: ordinal))
        } else {
            lists[lists.count - 1].item = block(.listItem(ordinal: ordinal))
            lists[lists.count - 1].ordinal = ordinal
        }
    }

    private mutating func block(_ kind: PresentationIntent.Kind) -> PresentationIntent.IntentType {
        lastIdentity += 1
        return PresentationIntent.IntentType(kind: kind, identity: lastIdentity)
    }
}
