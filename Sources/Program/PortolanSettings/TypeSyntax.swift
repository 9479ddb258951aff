import Portolan

/// A content type as people write it: an identifier (`public.png`), an extension (`png`, `.png`) or a MIME type
/// (`image/png`, `text/html; charset=utf-8`).
package enum TypeSyntax {
    /// - Throws: `ValueError` with the accepted forms.
    package static func parse(_ text: String) throws(ValueError) -> UTType {
        let shown = DisplayText(text, limit: 80)
        if text.isEmpty { throw ValueError("A type is missing: \(understood).") }
        if text.contains("/") {
            guard let type = mimeType(text), type.isKnown else {
                throw ValueError("“\(shown)” is no MIME type this program knows; \(understood).")
            }
            return type
        }
        if let type = UTType(text) { return type }
        let tag = bare(text)
        if !tag.contains(".") {
            if let type = fileType(tag) { return type }
            throw ValueError("“\(shown)” is no extension this program knows; \(understood).")
        }
        // The owner of a domain may define identifiers below it; in these two namespaces, users may define none.
        let lowercase = text.lowercased()
        if ["public.", "com.apple."].contains(where: lowercase.hasPrefix) {
            throw ValueError("“\(shown)” is no type that exists; \(understood).")
        }
        guard let type = UTType(identifier: text, allowUndeclared: true) else {
            throw ValueError("“\(shown)” cannot be a type; \(understood).")
        }
        return type
    }

    /// Parses a type like ``parse(_:)``; for a tag of which nothing is known, returns its dynamic type.
    ///
    /// - Throws: `ValueError` with the accepted forms.
    package static func parseAny(_ text: String) throws(ValueError) -> UTType {
        do throws(ValueError) {
            return try parse(text)
        } catch {
            let dynamic =
                text.contains("/") ? mimeType(text) : UTType(filenameExtension: bare(text))
            guard !text.isEmpty, !bare(text).contains("."), let dynamic else { throw error }
            return dynamic
        }
    }

    /// Parameters of a MIME type are passed over, unless a type is known by just these
    /// (`text/plain;charset=utf-8`).
    private static func mimeType(_ text: String) -> UTType? {
        let whole = String(text.lowercased().filter { !$0.isWhitespace })
        let known = UTType(mimeType: whole).flatMap { $0.isKnown ? $0 : nil }
        return known ?? UTType(mimeType: String(whole.prefix { $0 != ";" }))
    }

    private static func bare(_ tag: String) -> String { tag.hasPrefix(".") ? String(tag.dropFirst()) : tag }

    private static let understood = "write an identifier such as public.png, an extension such as png, or image/png"

    private static func fileType(_ tag: String) -> UTType? {
        [UTType.data, .package, .directory].lazy
            .compactMap { UTType(filenameExtension: tag, conformingTo: $0) }
            .first(where: \.isKnown)
    }
}
