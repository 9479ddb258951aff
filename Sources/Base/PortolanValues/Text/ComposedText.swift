import Foundation

extension StringProtocol {
    /// The text in Unicode's composed form (NFC). ASCII is already in that form, and most names are ASCII.
    package var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? String(self) : precomposedStringWithCanonicalMapping
    }
}
