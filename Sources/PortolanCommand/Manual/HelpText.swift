/// Text about a command beside its one line and its options: a few examples in the help, all of it in the manual.
///
/// `portolan manual COMMAND` shows the latter, and `Config/package` makes pages for man(1) of it.
enum HelpText {
    /// Between the text and the examples of a page of the manual. `Config/packaging/manual` looks for it.
    static let heading = "Examples:"

    /// Line of a help text that does not know its command.
    static let more = more(of: "COMMAND")

    static func more(of command: String) -> String { "All of it: portolan manual \(command)" }

    /// True if this process was asked for the manual.
    private static let isForManual =
        ProgramWords.all.first == "manual" || ProgramWords.all.contains("--experimental-dump-help")

    /// - Parameters:
    ///   - examples: command lines that can be pasted, each with at most 78 columns.
    ///   - manual: further text for the manual.
    static func discussion(examples: String, manual: String = "") -> String {
        discussion(examples, manual, isForManual: isForManual)
    }

    static func discussion(_ examples: String, _ manual: String, isForManual: Bool) -> String {
        let lines = examples.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
        guard isForManual else { return manual.isEmpty ? lines : lines + "\n\n" + more }
        return (manual.isEmpty ? "" : manual + "\n\n") + "\(heading)\n\n\(lines)"
    }
}
