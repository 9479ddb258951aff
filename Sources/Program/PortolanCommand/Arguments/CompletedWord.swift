import ArgumentParser
import PortolanCrypto
import PortolanValues

/// Word that a shell completes to, escaped so that the scripts of ArgumentParser cannot run any part of it.
///
/// The script for bash expands its words, the one for zsh treats text after a colon as a description, and all of them
/// treat each line as a word. Other people choose the names.
struct CompletedWord {
    let text: String

    /// - Returns: nil for a text that is never completed to: one with line breaks, invisible characters or a backslash,
    ///   which each shell interprets differently, and one that begins like an option.
    init?(_ text: String) {
        let isSafe = !text.isEmpty && !text.hasPrefix("-") && !text.contains("\\") && DisplayText.isHarmless(text)
        guard isSafe else { return nil }
        self.text = text
    }

    /// Device by its name; by the beginning of its fingerprint if the name cannot be completed to or would mean a team.
    init(_ name: DeviceName, _ fingerprint: Fingerprint) {
        let named = name.text.hasPrefix("@") ? nil : CompletedWord(name.text)
        self = named ?? CompletedWord(beginningOf: fingerprint)
    }

    private init(beginningOf fingerprint: Fingerprint) {
        text = String(fingerprint.description.prefix(9))
    }

    /// - Parameter shell: nil returns the text unchanged.
    func form(for shell: CompletionShell?) -> String {
        switch shell {
        case .bash: "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        case .zsh: text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
        default: text
        }
    }
}
