import ArgumentParser
import Portolan

/// `portolan help exit-codes`: a page, and not a command that does anything.
struct ExitCodesPage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exit-codes", abstract: "Meanings of the exit status of every command.",
        discussion: page)

    /// Exit statuses of all commands, and those of single commands.
    static var page: String {
        """
        \(ExitStatus.table)

        'portolan doctor' ends with the number of the first fault that it finds:

        \(Cause.table)
        """
    }

    func run() throws { try Terminal.output.tell(page: Self.page + "\n") }
}

/// `portolan help json-output`: a page, and not a command that does anything.
struct JSONOutputPage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json-output", abstract: "Lines of --json: their kinds and fields.",
        discussion: """
            Each line is one JSON object (RFC 8259) in UTF-8. Its field “event” names its kind; the other fields of \
            that kind are always there. Fields and kinds may be added in later versions: skip unknown ones. Text that \
            came from a peer has its control and invisible characters written out as \\u{1B}. Times are as \
            2026-03-09T13:05:00Z.

            Of objects of the agent's local API, and of the lines about its service and about folders, fields without a value \
            are left out; 'share/doc/portolan/events.schema.json' lists them.

            \(page)
            """)

    /// Content of `Protocol/events.schema.json` in words.
    static var page: String {
        let events = NodeEvent.kinds.values.map { kind in
            let fields = kind.fields.map { "      \($0.name): \($0.meaning)" }
            return (["  \(kind.word)  (\(kind.meaning))"] + fields).joined(separator: "\n")
        }
        let objects = ObjectKind.allCases.map { "  \($0.word)  (\($0.meaning))" }
        return (events + objects).sorted().joined(separator: "\n")
    }

    func run() throws { try Terminal.output.tell(page: Self.page + "\n") }
}
