import Foundation

/// Stored description of an offered item that waits for a decision.
package struct InboxDescription: Codable, Hashable, Sendable {
    package var title: String
    /// Identifiers of the types of all its forms, in the sender's order.
    package var types: [String]
    /// Size of the form that would be taken, in bytes; nil if its sender does not know it.
    package var bytes: UInt64?
    package var folder: Bool
    /// The sender's message about it.
    package var message: String?
    /// Name of the form that would be taken; nil if its sender gives none.
    package var name: String?
    /// About how many bytes a folder has, by its sender.
    package var estimatedBytes: UInt64?

    /// JSON, equal for equal descriptions.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// True if two descriptions in JSON are of the same item, so that a decision about one applies to the other. The
    /// message and the estimate are ignored.
    static func areOfSameItem(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard var one = decoded(one), let other = decoded(other) else { return false }
        one.message = other.message
        one.estimatedBytes = other.estimatedBytes
        return one == other
    }

    private static func decoded(_ text: String) -> InboxDescription? {
        try? JSONDecoder().decode(InboxDescription.self, from: Data(text.utf8))
    }
}
