/// Format of a stretch of text within a paragraph, as far as RTF expresses it.
struct TextFormat: Hashable {
    struct Style: OptionSet, Hashable {
        let rawValue: UInt8

        static let bold = Style(rawValue: 1)
        static let italic = Style(rawValue: 2)
        static let strikethrough = Style(rawValue: 4)
        /// A font of fixed pitch.
        static let code = Style(rawValue: 8)
    }

    var style: Style = []
    var link: URL?
    /// Windows' number of the language.
    var language: Int?

    private static let intents: [(Style, InlinePresentationIntent)] = [
        (.bold, .stronglyEmphasized), (.italic, .emphasized), (.strikethrough, .strikethrough), (.code, .code),
    ]

    init() {}

    init(_ run: AttributedString.Runs.Run) {
        let intent = run.inlinePresentationIntent ?? []
        for (style, meaning) in Self.intents where intent.contains(meaning) { self.style.insert(style) }
        link = run.link
        language = run.languageIdentifier.flatMap(WindowsLanguage.number)
    }

    var attributes: AttributeContainer {
        var attributes = AttributeContainer()
        var intent: InlinePresentationIntent = []
        for (style, meaning) in Self.intents where self.style.contains(style) { intent.insert(meaning) }
        if !intent.isEmpty { attributes.inlinePresentationIntent = intent }
        attributes.link = link
        attributes.languageIdentifier = language.flatMap(WindowsLanguage.identifier)
        return attributes
    }
}
