extension AttributeScopes.FoundationAttributes {
    @frozen public enum InlinePresentationIntentAttribute: CodableAttributedStringKey {
        public typealias Value = InlinePresentationIntent
        public static let name = "NSInlinePresentationIntent"
    }

    @frozen public enum PresentationIntentAttribute: CodableAttributedStringKey {
        public typealias Value = PresentationIntent
        public static let name = "NSPresentationIntent"
    }
}

extension AttributeScopes {
    /// The two attributes that Foundation's scope has on Apple's systems and lacks on Linux, and that scope itself.
    /// `text.inlinePresentationIntent = .code` works as it does there.
    public struct PresentationAttributes: AttributeScope {
        public let inlinePresentationIntent: FoundationAttributes.InlinePresentationIntentAttribute
        public let presentationIntent: FoundationAttributes.PresentationIntentAttribute
        public let foundation: FoundationAttributes
    }

    public var presentation: PresentationAttributes.Type { PresentationAttributes.self }
}

extension AttributeDynamicLookup {
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.PresentationAttributes, Key>
    ) -> Key { self[Key.self] }
}
