import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan events`: the agent's journal.
struct EventsCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "events", "Show what happened, from the agent's journal.",
        examples: """
            portolan events
            portolan events --since 1764069000123 --json
            portolan events --since newest --follow
            """,
        manual: """
            Each entry has a cursor; --since CURSOR shows the entries behind it, and none is left out. Entries are kept for 90 days, \
            and at most 1 GB of them; a cursor of entries that are no longer kept ends with 69, but 0 begins with the first that is \
            kept. --follow goes on with the next agent, where one starts within a minute.

            With --json, each line is an object 'Event' of the local API.
            """)

    @Option(
        help: ArgumentHelp(
            "Show entries behind this one; 'newest' for those that are still to come. All if left out.",
            valueName: "cursor"),
        transform: PositionArgument.parse)
    var since: PositionArgument?

    @Flag(help: "Go on with entries as they come, until stopped.")
    var follow = false

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        var position = since?.position ?? .oldest
        if follow {
            // Stopping is how following ends.
            do {
                try await client.follow(from: position, patience: WaitOptions.patience) { event in
                    try show(event, on: console)
                    return console.hasReader
                }
            } catch is CancellationError {}
            return
        }
        while true {
            let page = try await client.events(from: position)
            for event in page.events { try show(event, on: console) }
            guard !page.events.isEmpty, console.hasReader else { return }
            position = .after(page.next)
        }
    }

    private func show(_ event: AgentAPI.Event, on console: Console) throws {
        let fields = event.body.summary
        let transfer = event.transfer.map { " \(DisplayText($0, limit: 60))" } ?? ""
        console.say(
            "\(event.cursor)  \(Human.minute(event.at))  \(DisplayText(event.kind, limit: 60))\(transfer)  "
                + DisplayText(sentence: fields, limit: 1000).text)
        try console.emit(.journalEntry, event)
    }
}

/// Position in the journal, in the form of the command line.
struct PositionArgument: Sendable {
    let position: AgentAPI.Position

    static func parse(_ text: String) throws(ValueError) -> PositionArgument {
        if text == "newest" { return PositionArgument(position: .newest) }
        guard let cursor = Int64(text), cursor >= 0 else {
            throw ValueError("“\(DisplayText(text, limit: 40))” is no cursor; it is a number, or 'newest'.")
        }
        return PositionArgument(position: .after(cursor))
    }
}

extension JSONValue {
    /// Fields of an object in one line: `name: report.pdf, size: 12`.
    var summary: String {
        switch self {
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.summary)" }.joined(separator: ", ")
        case .array(let values): "[\(values.map(\.summary).joined(separator: "; "))]"
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .null: "-"
        }
    }
}
