extension UTType {
    /// Type of files with this extension, among those conforming to `supertype`.
    ///
    /// If no declared type claims the extension, the result is a dynamic type conforming to `supertype`. The default
    /// leaves out folders and packages (`.app`, `.textbundle`); ask for ``package`` or ``directory`` to find those.
    /// - Parameter filenameExtension: without the dot. The result is nil for an extension that no file name can have.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type with this media type, among those conforming to `supertype`; a dynamic one where none is declared.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The best of ``types(tag:tagClass:conformingTo:)``, or nil for a tag that cannot be one.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let best = TypeRegistry.shared.type(tag: tag, tagClass: tagClass, conformingTo: supertype) else {
            return nil
        }
        self = best
    }

    /// Returns every declared type with this tag that conforms to `supertype` (nil asks for no conformance), likeliest
    /// first.
    ///
    /// The system's own types come first, then those that their owners declared, those the system knows of, and those
    /// that other programs declared. If none is declared, shared-mime-info is asked: it may know a declared type by its
    /// MIME type. Otherwise the result is one dynamic type that names the tag and conforms to `supertype`, or to the
    /// supertypes from shared-mime-info. It is empty only for a tag that cannot be one: longer than 255 bytes or with
    /// invisible characters, an extension with `/` in it, an empty tag of another class.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        TypeRegistry.shared.types(tag: tag, tagClass: tagClass, conformingTo: supertype)
    }

    /// True if a declaration or shared-mime-info says what the type is.
    package var isKnown: Bool { TypeRegistry.shared.isKnown(self) }

    /// The tags of this type by class, preferred first.
    public var tags: [UTTagClass: [String]] {
        TypeRegistry.shared.tags(of: self)
    }

    /// The extension to give a file of this type, without the dot: `jpeg`, `mp4`, `txt`.
    public var preferredFilenameExtension: String? {
        TypeRegistry.shared.preferredTag(of: self, in: .filenameExtension)
    }

    /// The media type to state for content of this type.
    public var preferredMIMEType: String? { TypeRegistry.shared.preferredTag(of: self, in: .mimeType) }
}
