import UniformTypeIdentifiers

/// Content type as described by a peer: its identifier, and ancestors for a receiver that does not know it.
public struct OfferedType: Hashable, Sendable {
    /// The type's identifier, such as `public.png`.
    public let identifier: String
    /// Types that the type conforms to, nearest first, without itself.
    public let ancestors: [String]
    /// File name extensions without the dot, the preferred one first.
    public let extensions: [String]
    /// MIME types, the preferred one first.
    public let mimeTypes: [String]
    /// Description for people. Peer text: shown through `DisplayText` only.
    public let description: String?

    public init(
        identifier: String, ancestors: [String] = [], extensions: [String] = [], mimeTypes: [String] = [],
        description: String? = nil
    ) throws(InvalidValue) {
        try Self.checkTokens([identifier], "A type identifier")
        try InvalidValue.checkCount(ancestors.count, "ancestors of a type", maximum: Limits.ancestors)
        try InvalidValue.checkCount(extensions.count, "extensions of a type", maximum: Limits.ancestors)
        try InvalidValue.checkCount(mimeTypes.count, "MIME types of a type", maximum: Limits.ancestors)
        try Self.checkTokens(ancestors, "A type identifier")
        try Self.checkTokens(extensions, "A file name extension")
        try Self.checkTokens(mimeTypes, "A MIME type", slashes: true)
        if let description { try InvalidValue.checkText(description, "A type's description") }
        self.identifier = identifier
        self.ancestors = ancestors
        self.extensions = extensions
        self.mimeTypes = mimeTypes
        self.description = description
    }

    private static func checkTokens(_ tokens: [String], _ what: String, slashes: Bool = false) throws(InvalidValue) {
        for token in tokens { try InvalidValue.checkToken(token, what, slashes: slashes) }
    }
}

extension OfferedType {
    /// Describes a type of this machine for a peer that may not know it.
    public init(_ type: UTType) throws(InvalidValue) {
        // A type has more supertypes than any of its supertypes has, so that this order is "nearest first".
        let nearestFirst = type.supertypes.map { (identifier: $0.identifier, depth: $0.supertypes.count) }
            .sorted { ($1.depth, $0.identifier) < ($0.depth, $1.identifier) }
        try self.init(
            identifier: type.identifier,
            ancestors: nearestFirst.prefix(Limits.ancestors).map(\.identifier),
            extensions: Self.tags(of: type, .filenameExtension, preferred: type.preferredFilenameExtension),
            mimeTypes: Self.tags(of: type, .mimeType, preferred: type.preferredMIMEType),
            description: type.localizedDescription)
    }

    private static func tags(of type: UTType, _ tagClass: UTTagClass, preferred: String?) -> [String] {
        let others = (type.tags[tagClass] ?? []).filter { $0 != preferred }
        return Array(([preferred].compactMap(\.self) + others).prefix(Limits.ancestors))
    }

    /// The type as declared on this machine; nil for an unknown one.
    public var localType: UTType? { UTType(identifier) }

    /// Returns true if the type conforms to `other`.
    ///
    /// For a type that this machine knows, only local declarations count, so that no peer can present a program as a
    /// picture. For an unknown type, the ancestors named by the peer count, again by local declarations if there are
    /// any.
    public func conforms(to other: UTType) -> Bool {
        var types = AcceptedTypes([other])
        return types.accepts(self)
    }
}
