/// Text read so far. The shape of a paragraph is known only at its end.
struct RTFText {
    /// Attributes that are constant within one run of the result.
    private struct Attributes: Equatable {
        var format = TextFormat()
        var intent: PresentationIntent?
        var direction: AttributedString.WritingDirection?
    }

    private struct Piece {
        var text: [UInt8]
        let format: TextFormat
    }

    /// Finished pieces of the paragraph; the last piece still grows.
    private var paragraph: [Piece] = []
    private var piece = Piece(text: [], format: TextFormat())
    private var tree = PresentationTree()
    private var result = AttributedString()
    /// Text of equal attributes is appended to the result at once: each append takes about 50 µs.
    private var run: [UInt8] = []
    private var attributes = Attributes()
    private var changes = 0

    private static let mostChanges = 100_000

    /// Appends UTF-8.
    mutating func append(_ text: some Sequence<UInt8>, format: TextFormat) throws {
        if format != piece.format { try endPiece(format) }
        piece.text += text
    }

    private mutating func endPiece(_ format: TextFormat) throws {
        if !piece.text.isEmpty {
            guard paragraph.count < Self.mostChanges else { throw Self.changesTooOften }
            paragraph.append(piece)
        }
        piece = Piece(text: [], format: format)
    }

    mutating func endParagraph(
        _ shape: ParagraphShape, item: PresentationTree.Item?, direction: AttributedString.WritingDirection?,
        endsBlock: Bool
    ) throws {
        try endPiece(piece.format)
        guard !paragraph.isEmpty else { return }
        let intent = tree.intent(shape, item: item, endsBlock: endsBlock)
        for var piece in paragraph {
            var format = piece.format
            if shape.leaf == .code { format.style.remove(.code) }
            let attributes = Attributes(format: format, intent: intent, direction: direction)
            if attributes == self.attributes {
                run += piece.text
            } else {
                try endRun()
                swap(&run, &piece.text)
                self.attributes = attributes
            }
        }
        paragraph = []
    }

    mutating func finished() throws -> AttributedString {
        try endRun()
        return result
    }

    private mutating func endRun() throws {
        guard !run.isEmpty else { return }
        changes += 1
        guard changes <= Self.mostChanges else { throw Self.changesTooOften }
        var container = attributes.format.attributes
        container.presentationIntent = attributes.intent
        container.writingDirection = attributes.direction
        result.append(AttributedString(String(decoding: run, as: UTF8.self), attributes: container))
        run = []
    }

    private static let changesTooOften = TransferError.malformed(
        .rtf, "too finely formatted: it changes more than \(mostChanges) times")
}
