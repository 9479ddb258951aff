/// Folder `mime` of shared-mime-info, read by any of its files.
protocol MIMEFolder: Sendable {
    /// MIME types for which less important folders are ignored.
    var closedTypes: Set<String> { get }
    /// - Parameter filenameExtension: in lower case; likewise in the functions below.
    func types(ofExtension filenameExtension: String) -> [MIMEGlob]
    func types(ofFileNamed name: String) -> [MIMEGlob]
    func extensions(of type: String) -> [MIMEGlob]
    /// Returns the canonical name of the type that goes by `alias`.
    func type(ofAlias alias: String) -> String?
    func aliases(of type: String) -> [String]
    /// Returns the MIME types of which `type` is a special form.
    func parents(of type: String) -> [String]
}

/// MIME type of a pattern, or pattern of a MIME type, with its weight.
struct MIMEGlob: Hashable, Sendable {
    /// Pattern of a MIME type for which less important folders are ignored.
    static let closing = "__NOGLOBS__"

    var value: String
    var weight: Int

    /// Returns the extension of a pattern, in lower case: `gz` of `*.gz`. Only whole names and names that end in an
    /// extension are used; other patterns do not determine an extension.
    static func filenameExtension(ofPattern pattern: String) -> String? {
        guard pattern.hasPrefix("*.") else { return nil }
        let filenameExtension = pattern.dropFirst(2).lowercased()
        return isLiteral(filenameExtension) ? filenameExtension : nil
    }

    /// Returns true if a text without capitals has no special meaning in a pattern, and can be an extension.
    static func isLiteral(_ text: String) -> Bool {
        !text.isEmpty && !text.utf8.contains { special.contains($0) }
            && TypeIdentifier.isPossible(tag: text, in: .filenameExtension)
    }

    private static let special = Array("*?[]/\\".utf8)
}
