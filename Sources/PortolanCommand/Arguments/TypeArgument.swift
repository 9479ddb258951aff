import PortolanTrust
import UniformTypeIdentifiers

/// A content type as people write it: an identifier (`public.png`), an extension (`png`, `.png`) or a MIME type
/// (`image/png`).
enum TypeArgument {
    /// - Throws: `ArgumentFailure` that says what would have been understood.
    static func parse(_ text: String) throws(ArgumentFailure) -> UTType {
        let shown = DisplayText(text, limit: 80)
        if text.isEmpty { throw ArgumentFailure("A type is missing: \(understood).") }
        if text.contains("/") {
            guard let type = UTType(mimeType: text.lowercased()), !type.isDynamic else {
                throw ArgumentFailure("“\(shown)” is no MIME type this program knows; \(understood).")
            }
            return type
        }
        if let type = UTType(text) { return type }
        let tag = bare(text)
        if !tag.contains(".") {
            if let type = fileType(tag) { return type }
            throw ArgumentFailure("“\(shown)” is no extension this program knows; \(understood).")
        }
        // Whoever owns a domain may make up identifiers below it; nobody may make up ones in these two.
        let lowercase = text.lowercased()
        if ["public.", "com.apple."].contains(where: lowercase.hasPrefix) {
            throw ArgumentFailure("“\(shown)” is no type that exists; \(understood).")
        }
        guard let type = UTType(identifier: text, allowUndeclared: true) else {
            throw ArgumentFailure("“\(shown)” cannot be a type; \(understood).")
        }
        return type
    }

    /// As ``parse(_:)``, and also a tag that no type claims: its dynamic type.
    ///
    /// - Throws: `ArgumentFailure` that says what would have been understood.
    static func parseAny(_ text: String) throws(ArgumentFailure) -> UTType {
        do throws(ArgumentFailure) {
            return try parse(text)
        } catch {
            let dynamic =
                text.contains("/") ? UTType(mimeType: text.lowercased()) : UTType(filenameExtension: bare(text))
            guard !text.isEmpty, !bare(text).contains("."), let dynamic else { throw error }
            return dynamic
        }
    }

    private static func bare(_ tag: String) -> String { tag.hasPrefix(".") ? String(tag.dropFirst()) : tag }

    private static let understood = "write an identifier such as public.png, an extension such as png, or image/png"

    private static func fileType(_ tag: String) -> UTType? {
        [UTType.data, .package, .directory].lazy
            .compactMap { UTType(filenameExtension: tag, conformingTo: $0) }
            .first { !$0.isDynamic }
    }
}

/// Why an argument could not be understood, in one sentence.
struct ArgumentFailure: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}
