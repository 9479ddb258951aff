import ArgumentParser
import PortolanValues

/// End of the program where a command line cannot be followed: in the form of every failure, with the status of wrong
/// usage.
enum UsageFailure {
    /// Longest usage line that is shown; a longer one is left to the help.
    private static let width = 80

    /// Sentence, whole text and status for an error of ArgumentParser; nil if the error is a normal end, such as help.
    ///
    /// - Parameter words: in the order of ``WordOrder``.
    static func end(
        for error: any Error, in words: [String], below root: any ParsableCommand.Type
    ) -> (sentence: String, text: String, status: ExitCode)? {
        if error is ExitCode { return nil }
        let status = root.exitCode(for: error)
        guard status == .validationFailure || status == .success else {
            let sentence = whole(root.message(for: error))
            return (sentence, "portolan: \(sentence)", status)
        }
        let mistake = UsageMistake(words, below: root)
        let help = "  See '\(mistake.typed) --help' for more information."
        if status == .success {
            guard !mistake.asksForHelp, let sentence = mistake.sentence else { return nil }
            return (sentence, "portolan: \(sentence)\n\(help)", .validationFailure)
        }
        let sentence = mistake.sentence ?? whole(root.message(for: error))
        let usage = root.fullMessage(for: error, columns: width).split(separator: "\n")
            .first { $0.hasPrefix("Usage: ") && $0.count <= width }
            .map { DisplayText(sentence: $0).text }
        let lines = ["portolan: \(sentence)", usage, help].compactMap(\.self)
        return (sentence, lines.joined(separator: "\n"), status)
    }

    /// Sentence of ArgumentParser, which has no full stop and may contain typed words.
    private static func whole(_ message: String) -> String {
        let lines = message.split(separator: "\n").map { DisplayText(sentence: $0, limit: 1000).text }
        let text = lines.joined(separator: "\n")
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
