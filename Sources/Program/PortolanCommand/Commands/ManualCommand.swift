import ArgumentParser
import Portolan

/// `portolan manual`: full documentation of a command, while its help has usage, examples and options.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "manual", "Show the manual of a command; 'help' is the short form.",
        examples: """
            portolan manual send
            portolan manual team invite
            portolan manual sync | less
            """,
        manual: "Where Portolan is installed as a package, man(1) has the same pages: man portolan-send.")

    @Argument(
        help: .value("command", "The words of the command; all commands if left out."),
        completion: .list(Root.configuration.subcommands.map { $0._commandName }))
    var words: [String] = []

    func validate() throws { _ = try command }

    func run() throws {
        let page = Root.helpMessage(for: try command, columns: ManualList.columns)
        try Terminal.output.tell(page: HelpPage.fitted(page) + "\n")
    }

    /// The command that the words name.
    private var command: any ParsableCommand.Type {
        get throws {
            var found: any ParsableCommand.Type = Root.self
            for word in words {
                let next = found.configuration.subcommands.first {
                    $0._commandName == word || $0.configuration.aliases.contains(word)
                }
                guard let next else {
                    throw ValidationError(
                        "There is no page for “\(DisplayText(word, limit: 40))”; 'portolan help' lists the commands.")
                }
                found = next
            }
            return found
        }
    }
}
