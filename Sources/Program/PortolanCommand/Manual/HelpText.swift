import ArgumentParser

/// Text about a command in addition to its abstract and options: the help has a few of its examples, the manual all of
/// it.
///
/// `portolan manual COMMAND` shows the manual, and `Config/package` makes man(1) pages from it.
enum HelpText {
    /// Heading between the text and the examples of a manual page. `Config/packaging/manual` searches for it.
    static let heading = "Examples:"

    /// Reference to the manual, for a help text that does not know its command.
    static let more = more(of: "COMMAND")

    static func more(of command: String) -> String { "All of it: portolan manual \(command)" }

    /// True if this process was asked for the manual.
    fileprivate static let isForManual = isForReader || ProgramWords.all.contains("--experimental-dump-help")
    fileprivate static let isForReader = ProgramWords.all.first == "manual"

    static func discussion(_ examples: String, _ manual: String, isForManual: Bool) -> String {
        let lines = examples.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
        guard isForManual else { return manual.isEmpty ? lines : lines + "\n\n" + more }
        return (manual.isEmpty ? "" : manual + "\n\n") + "\(heading)\n\n\(lines)"
    }
}

extension CommandConfiguration {
    /// - Parameters:
    ///   - examples: command lines that can be pasted, each with at most 78 columns.
    ///   - manual: further text for the manual.
    init(
        _ name: String, _ abstract: String, examples: String, manual: String = "", version: String = "",
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        // man(1) breaks lines itself.
        let text = HelpText.isForReader ? ManualList.wrapped(manual, columns: ManualList.columns) : manual
        self.init(
            commandName: name, abstract: abstract,
            discussion: HelpText.discussion(examples, text, isForManual: HelpText.isForManual), version: version,
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    }
}

extension ArgumentHelp {
    /// Help of an argument that has a value, with the value's name.
    static func value(_ name: String, _ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: name) }
}
