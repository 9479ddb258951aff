/// A paragraph of an attributed string: it ends in a newline, or where a block ends without one.
struct AttributedParagraph {
    enum End {
        case newline(TextFormat)
        /// Another block begins with the next character.
        case block
        case text
    }

    var intent: PresentationIntent?
    var direction: AttributedString.WritingDirection?
    var pieces: [(text: String, format: TextFormat)] = []
    var end = End.text

    static func paragraphs(of string: AttributedString) -> [AttributedParagraph] {
        var paragraphs: [AttributedParagraph] = []
        var current = AttributedParagraph()
        func close(_ end: End) {
            current.end = end
            paragraphs.append(current)
            current = AttributedParagraph()
        }
        for run in string.runs {
            let format = TextFormat(run)
            // Lines are split by scalars: a run may end within a character.
            let lines = string.unicodeScalars[run.range].split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                if !line.isEmpty, !current.pieces.isEmpty, current.intent != run.presentationIntent { close(.block) }
                let endsInNewline = index < lines.count - 1
                if current.pieces.isEmpty, !line.isEmpty || endsInNewline {
                    current.intent = run.presentationIntent
                    current.direction = run.writingDirection
                }
                if !line.isEmpty { current.pieces.append((String(String.UnicodeScalarView(line)), format)) }
                if endsInNewline { close(.newline(format)) }
            }
        }
        if !current.pieces.isEmpty { close(.text) }
        return paragraphs
    }
}
