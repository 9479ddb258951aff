import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan shelf`: items that the agent shares.
struct ShelfCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "shelf", "Show what the agent shares: for whom, until when, and how often it was fetched.",
        examples: """
            portolan shelf
            portolan shelf --json
            portolan unshare --all
            """,
        manual: """
            'portolan share' puts something there where an agent runs, and 'portolan unshare' takes it off. An item \
            whose path leads to something else than when it was shared is withdrawn by itself; 'portolan events' tells \
            of that, and of each fetched item.

            With --json, each line is an object 'SharedItem' of the local API. Ends with 69 if no agent runs.
            """)

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let items = try await options.neededClient(console).shelf()
        for item in items {
            console.say(KeptItemLine.text(item))
            try console.emit(.shelfItem, item)
        }
        if items.isEmpty { console.remark("The agent shares nothing.") }
    }
}

/// `portolan unshare`.
struct UnshareCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "unshare", "Have the agent not share items any more.",
        examples: """
            portolan shelf                      # its identifier there
            portolan unshare 5f0c
            portolan unshare --all
            """,
        manual: """
            A fetch under way is sent to its end; fetched items stay with their receivers.

            With --json, each line is an object 'SharedItem' of the local API. Ends with 69 if no agent runs, or there is no such item.
            """)

    @Argument(
        help: .value("id", "Its identifier in 'portolan shelf', or the beginning of that."),
        completion: Completions.shelfItems)
    var ids: [String] = []

    @Flag(help: "Take everything off the shelf.")
    var all = false

    @OptionGroup var options: AgentSubcommandOptions

    func validate() throws {
        guard ids.isEmpty == all else { throw ValidationError("Say what is not to be shared any more: IDs, or --all.") }
    }

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        let shelf = try await client.shelf()
        // All identifiers are resolved first: if one is unknown, no item is withdrawn.
        let named = try ids.map { try ShortenedID(text: $0).only(among: shelf.map(\.id), "item", "on the shelf") }
        let meant = all ? shelf : shelf.filter { item in named.contains(item.id) }
        for item in meant {
            do {
                try await client.unshare(item.id)
            } catch let problem as AgentAPI.Problem where problem.status == 404 {
                // The item has been withdrawn or has expired meanwhile.
            }
            console.remark("“\(DisplayText(item.title, limit: 100))” is not shared any more.")
            try console.emit(.shelfItem, item)
        }
    }
}

/// An item on the agent's shelf in one line.
enum KeptItemLine {
    static func text(_ item: AgentAPI.SharedItem) -> String {
        let audience = DisplayText(item.audience ?? "all devices", limit: 200)
        let end = item.expires.map { ", until \(Human.minute($0))" } ?? ""
        let fetches = item.fetches == 1 ? "once" : "\(item.fetches) times"
        return "\(item.id)  “\(DisplayText(item.title, limit: 100))”  for \(audience)\(end), fetched \(fetches)"
    }
}
