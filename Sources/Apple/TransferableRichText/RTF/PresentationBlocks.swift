/// A presentation intent in the form of RTF: block quotes around lists around one paragraph.
struct BlockStack {
    struct Item {
        let list: Int
        let isOrdered: Bool
        let identity: Int
        let ordinal: Int
    }

    var shape = ParagraphShape()
    /// The items that the paragraph lies in, the outermost first.
    var items: [Item] = []

    init(_ intent: PresentationIntent?) {
        var list: (identity: Int, isOrdered: Bool)?
        for block in intent?.components.reversed() ?? [] {
            switch block.kind {
            case .blockQuote: shape.quotes = min(shape.quotes + 1, ParagraphShape.deepest)
            case .orderedList: list = (block.identity, true)
            case .unorderedList: list = (block.identity, false)
            case .listItem(let ordinal):
                guard let list, items.count < ParagraphShape.deepest else { continue }
                items.append(
                    Item(list: list.identity, isOrdered: list.isOrdered, identity: block.identity, ordinal: ordinal))
            case .header(let level): shape.leaf = .header(level: min(max(level, 1), ParagraphShape.deepest))
            case .codeBlock: shape.leaf = .code
            case .thematicBreak: shape.leaf = .thematicBreak
            case .paragraph: shape.leaf = .body
            case .table, .tableRow, .tableHeaderRow, .tableCell: break
            }
        }
        if shape.leaf == .plain, shape.quotes > 0 || !items.isEmpty { shape.leaf = .body }
    }
}

/// Position of a paragraph in a table.
struct TablePlace {
    let table: Int
    let columns: Int
    let row: Int
    let cell: Int
    let column: Int

    /// Nil for a paragraph outside tables.
    init?(_ intent: PresentationIntent?) {
        var (table, row, cell): (Int?, Int?, Int?)
        var (columns, column) = (0, 0)
        for block in intent?.components ?? [] {
            switch block.kind {
            case .table(let all): (table, columns) = (block.identity, all.count)
            case .tableRow, .tableHeaderRow: row = block.identity
            case .tableCell(let index): (cell, column) = (block.identity, index)
            default: break
            }
        }
        guard let table, let row, let cell else { return nil }
        (self.table, self.columns, self.row, self.cell, self.column) = (table, columns, row, cell, column)
    }
}
