extension UTType {
    /// The type that files with this extension have, among those conforming to `supertype`.
    ///
    /// Where no declared type claims the extension, the result is a dynamic type conforming to `supertype`. The
    /// default leaves out folders and packages (`.app`, `.textbundle`); ask for ``package`` or ``directory`` to find
    /// those.
    /// - Parameter filenameExtension: without the dot. Nil comes back for one that no file name can have.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type with this media type, among those conforming to `supertype`; a dynamic one where none is declared.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The best of ``types(tag:tagClass:conformingTo:)``, or nil for a tag that cannot be one.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let best = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
        self = best
    }

    /// Every declared type with this tag that conforms to `supertype` (nil asks for no conformance), likeliest first.
    ///
    /// Types the system owns come before types it only knows of. Without a declared type the result is one dynamic
    /// type that names the tag and conforms to `supertype`. It is empty only for a tag that cannot be one: an
    /// extension with `/` or NUL in it, an empty tag of another class.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        guard isPossible(tag, in: tagClass) else { return [] }
        let declared = TypeCatalog.identifiers(tagged: tag, in: tagClass).map(UTType.init(known:))
            .filter { type in supertype.map(type.conforms(to:)) ?? true }
        guard declared.isEmpty else { return declared }
        let dynamic = DynamicIdentifier(
            supertypes: supertype.map { [$0.identifier] } ?? [], tags: [tagClass: [tagClass.normalized(tag)]])
        return [UTType(known: dynamic.identifier)]
    }

    /// The tags of this type by class, preferred first.
    public var tags: [UTTagClass: [String]] {
        declaration?.tags ?? dynamicIdentifier?.tags ?? [:]
    }

    /// The extension to give a file of this type, without the dot: `jpeg`, `mp4`, `txt`.
    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

    /// The media type to state for content of this type.
    public var preferredMIMEType: String? { tags[.mimeType]?.first }

    private static func isPossible(_ tag: String, in tagClass: UTTagClass) -> Bool {
        if tagClass == .filenameExtension {
            // Empty is the extension of a file without one; dynamic identifiers for it are in circulation.
            return !tag.unicodeScalars.contains { $0 == "/" || $0 == "\0" }
        }
        return !tag.isEmpty && !tag.unicodeScalars.contains("\0")
    }
}
