/// Purpose of a stretch of text within a paragraph: emphasised, code, struck through.
///
/// Foundation has this type on Apple's systems and not on Linux; names and raw values are the same here.
public struct InlinePresentationIntent: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Set in italics, as a rule.
    public static let emphasized = InlinePresentationIntent(rawValue: 1 << 0)
    /// Set in bold, as a rule.
    public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 1 << 1)
    /// Set in a font of fixed pitch, as a rule.
    public static let code = InlinePresentationIntent(rawValue: 1 << 2)
    public static let strikethrough = InlinePresentationIntent(rawValue: 1 << 5)
    /// Line end of the source that is a space in the text.
    public static let softBreak = InlinePresentationIntent(rawValue: 1 << 6)
    public static let lineBreak = InlinePresentationIntent(rawValue: 1 << 7)
    public static let inlineHTML = InlinePresentationIntent(rawValue: 1 << 8)
    public static let blockHTML = InlinePresentationIntent(rawValue: 1 << 9)
}
