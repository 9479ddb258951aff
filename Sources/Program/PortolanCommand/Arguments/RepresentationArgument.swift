import Portolan
import PortolanSettings

/// Representation of the item, as an `--as` option describes it: `TYPE[@VISIBILITY]=PATH`.
///
/// ```
/// public.html@team=note.html    md=note.md    text/plain=-
/// ```
struct RepresentationArgument: Sendable, Hashable {
    let type: UTType
    let visibility: Visibility
    /// A file or folder, or `-` for standard input.
    let path: String

    /// - Throws: `ValueError` that names the column of the first mistake, counted from 1.
    static func parse(_ text: String) throws(ValueError) -> RepresentationArgument {
        guard let equals = separator(in: text) else {
            throw failure(text, at: text.endIndex, "“=” and a path are missing; write TYPE[@VISIBILITY]=PATH.")
        }
        let path = text[text.index(after: equals)...]
        guard !path.isEmpty else {
            throw failure(text, at: text.endIndex, "the path is missing; write TYPE[@VISIBILITY]=PATH.")
        }
        let head = text[..<equals]
        let at = head.firstIndex(of: "@")
        let visibility = try at.map { at throws(ValueError) in
            try self.visibility(in: text, from: head.index(after: at), to: equals)
        }
        let type = try translating(TypeSyntax.parse(String(head[..<(at ?? equals)]))) { (error: ValueError) in
            failure(text, at: text.startIndex, error.description)
        }
        return RepresentationArgument(type: type, visibility: visibility ?? .all, path: String(path))
    }

    /// The “=” before the path, which may contain further ones. A type has one only in parameters of a MIME type, after
    /// a semicolon.
    private static func separator(in text: String) -> String.Index? {
        var rest = text[...]
        while let equals = rest.firstIndex(of: "=") {
            guard rest[..<equals].contains(";") else { return equals }
            rest = rest[rest.index(after: equals)...]
        }
        return nil
    }

    private static func visibility(
        in text: String, from start: String.Index, to end: String.Index
    ) throws(ValueError) -> Visibility {
        let word = String(text[start..<end])
        guard let visibility = Visibility(word) else {
            let words = Visibility.allCases.map(\.description).joined(separator: ", ")
            throw failure(text, at: start, "“\(DisplayText(word, limit: 40))” is no visibility; it is one of \(words).")
        }
        return visibility
    }

    private static func failure(_ text: String, at index: String.Index, _ sentence: String) -> ValueError {
        let column = text.distance(from: text.startIndex, to: index) + 1
        return ValueError("Column \(column) of “\(DisplayText(text, limit: 120))”: \(sentence)")
    }
}
