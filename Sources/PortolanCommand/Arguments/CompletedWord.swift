import ArgumentParser
import PortolanCrypto
import PortolanValues

/// A word that a shell offers, in the form in which the scripts of ArgumentParser hand it to the shell without anything
/// in it being run.
///
/// The script for bash expands what it is given, that for zsh takes what stands behind a colon for a description, and
/// all of them take each line for a word. Names are chosen by others.
struct CompletedWord {
    let text: String

    /// - Returns: nil for a text that no shell is given: one of several lines or of characters that do not show, one
    ///   that begins as an option does, and one with a backslash, which each shell reads in its own way.
    init?(_ text: String) {
        let isSafe = !text.isEmpty && !text.hasPrefix("-") && !text.contains("\\") && DisplayText.isHarmless(text)
        guard isSafe else { return nil }
        self.text = text
    }

    /// A device by its name, or by the beginning of its fingerprint where the name cannot be offered or would stand for
    /// a team.
    init(_ name: DeviceName, _ fingerprint: Fingerprint) {
        let named = name.text.hasPrefix("@") ? nil : CompletedWord(name.text)
        self = named ?? CompletedWord(beginningOf: fingerprint)
    }

    private init(beginningOf fingerprint: Fingerprint) {
        text = String(fingerprint.description.prefix(9))
    }

    /// - Parameter shell: nil gives the text as it is.
    func form(for shell: CompletionShell?) -> String {
        switch shell {
        case .bash: "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        case .zsh: text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
        default: text
        }
    }
}
