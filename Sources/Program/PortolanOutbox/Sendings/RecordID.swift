import Portolan

/// Name of a transfer on the command line and in file names.
package struct RecordID: Decodable, Hashable, Sendable, CustomStringConvertible {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 8

    package let text: String

    package var description: String { text }

    package static func random() -> RecordID {
        RecordID(unchecked: String((0..<length).map { _ in letters.randomElement() ?? "a" }))
    }

    /// - Throws: `ValueError` for a text that is no such name.
    package init(_ text: String) throws(ValueError) {
        guard text.wholeMatch(of: /[a-z0-9]{1,64}/) != nil else {
            throw ValueError("“\(DisplayText(text, limit: 40))” names no transfer.")
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }
}
