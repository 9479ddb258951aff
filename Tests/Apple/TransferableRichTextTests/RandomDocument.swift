import CoreTransferable
import TestSupport

/// Random attributed strings within the limits of RTF: blocks with and without newlines, nested lists, quotes, all
/// formats, all kinds of characters. Identities are numbered as the reader does.
struct RandomDocument {
    private var random: SeededGenerator
    private var text = AttributedString()
    private var identity = 0

    static func document(seed: UInt64) -> AttributedString {
        var document = RandomDocument(random: SeededGenerator(seed: seed))
        for _ in 0..<Int.random(in: 0...6, using: &document.random) { document.addBlocks() }
        return document.text
    }

    private init(random: SeededGenerator) {
        self.random = random
    }

    private mutating func addBlocks() {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: addPlain()
        case 1: addBlock(.header(level: .random(in: 1...9, using: &random)), in: [])
        case 2: addBlock(.paragraph, in: [])
        case 3: addBlock(.thematicBreak, in: [])
        case 4:
            addCode(in: [])
            // A code block follows code.
            addPlain()
        case 5:
            var quotes: [PresentationIntent.IntentType] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) { quotes.insert(new(.blockQuote), at: 0) }
            for _ in 0..<Int.random(in: 1...3, using: &random) { addBlock(.paragraph, in: quotes) }
            addList(in: quotes, depth: 1)
            addPlain()
        default:
            addList(in: [], depth: 1)
            addPlain()
        }
    }

    /// Adds a paragraph without an intent, with a newline at the end.
    private mutating func addPlain() {
        add(line(endsInNewline: true), intent: nil)
    }

    private mutating func addBlock(
        _ kind: PresentationIntent.Kind, in containers: [PresentationIntent.IntentType]
    ) {
        let intent = PresentationIntent(types: [new(kind)] + containers)
        add(line(endsInNewline: .random(using: &random)), intent: intent)
    }

    private mutating func addCode(in containers: [PresentationIntent.IntentType]) {
        let intent = PresentationIntent(types: [new(.codeBlock(languageHint: nil))] + containers)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            var line = line(endsInNewline: true)
            for run in line.runs {
                let rest = run.inlinePresentationIntent?.subtracting(.code)
                line[run.range].inlinePresentationIntent = rest == [] ? nil : rest
            }
            add(line, intent: intent)
        }
    }

    private mutating func addList(in containers: [PresentationIntent.IntentType], depth: Int) {
        let isOrdered = Bool.random(using: &random)
        let list = new(isOrdered ? .orderedList : .unorderedList)
        let start = isOrdered ? Int.random(in: 0...1200, using: &random) : 1
        for ordinal in start..<start + Int.random(in: 1...3, using: &random) {
            let inItem = [new(.listItem(ordinal: ordinal)), list] + containers
            addBlock(.paragraph, in: inItem)
            if Int.random(in: 0..<4, using: &random) == 0 { addBlock(.paragraph, in: inItem) }
            if Int.random(in: 0..<4, using: &random) == 0 { addCode(in: inItem) }
            if depth < 9, Int.random(in: 0..<3, using: &random) == 0 { addList(in: inItem, depth: depth + 1) }
            if Int.random(in: 0..<4, using: &random) == 0 { addBlock(.header(level: 2), in: inItem) }
        }
    }

    private mutating func new(_ kind: PresentationIntent.Kind) -> PresentationIntent.IntentType {
        identity += 1
        return PresentationIntent.IntentType(kind: kind, identity: identity)
    }

    private mutating func add(_ line: AttributedString, intent: PresentationIntent?) {
        var line = line
        line.presentationIntent = intent
        text.append(line)
    }

    private mutating func line(endsInNewline: Bool) -> AttributedString {
        var line = AttributedString()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            line.append(AttributedString(characters(), attributes: format()))
        }
        if endsInNewline { line.append(AttributedString("\n", attributes: format())) }
        return line
    }

    private mutating func characters() -> String {
        let special: [Unicode.Scalar] = [
            "\\", "{", "}", "\t", "\r", "\0", "\u{0C}", "\u{1B}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}", "\u{301}",
            "\u{2011}", "\u{2028}", "\u{2029}", "\u{200D}", "\u{FEFF}", "\u{FFFD}", "\u{F0B7}", "😀", "\u{10FFFF}", "؟",
            "日", "é", ";",
        ]
        var view = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: view.append(special.randomElement(using: &random) ?? " ")
            case 1:
                let value = UInt32.random(in: 0...0x10FFFF, using: &random)
                if let scalar = Unicode.Scalar(value), scalar != "\n" { view.append(scalar) }
            default: view.append(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random)))
            }
        }
        // A block needs at least one character.
        view.append("x")
        return String(view)
    }

    private mutating func format() -> AttributeContainer {
        var format = AttributeContainer()
        let intents: [InlinePresentationIntent] = [.emphasized, .stronglyEmphasized, .code, .strikethrough]
        let intent = intents.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        if !intent.isEmpty { format.inlinePresentationIntent = InlinePresentationIntent(intent) }
        if Int.random(in: 0..<6, using: &random) == 0 {
            format.link = URL(string: "https://a.example/\(UInt8.random(in: 0...255, using: &random))?q=%22%7B#f")
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            format.languageIdentifier = ["de", "en-GB", "zh-Hant", "sr-Latn-RS"].randomElement(using: &random)
        }
        return format
    }
}
