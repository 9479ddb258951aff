import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan inbox`: offers of peers to the agent.
struct InboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "inbox", "List, show, accept and decline items that peers offered to the agent.",
        examples: """
            portolan inbox
            portolan inbox show 7
            portolan inbox accept 7 --into ~/Projects
            portolan inbox decline 7 --say "Not before Monday."
            portolan inbox forget 7      # offered again, the policy decides anew
            portolan inbox --json
            """,
        manual: """
            'waiting' waits for your decision, until its deadline, when the policy decides; 'accepted' is fetched when its sender \
            offers it again; 'received' is stored; 'quarantined' is stored apart, until you accept or decline it; 'declined' is \
            declined whenever its sending is tried again. An item that you declined is also declined in later sendings, while \
            the policy asks about them. All that is over stays listed for 90 days.

            An ID is a number, and never used again. An item that is offered again with another title, type or size is another one, \
            with a number of its own. With --json, each line is an object 'InboxItem' of the local API.
            """,
        subcommands: [
            InboxListCommand.self, InboxShowCommand.self, InboxAcceptCommand.self, InboxDeclineCommand.self,
            InboxForgetCommand.self,
        ],
        defaultSubcommand: InboxListCommand.self)
}

/// `portolan inbox list`.
struct InboxListCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "list", "Show all items, the oldest first.",
        examples: """
            portolan inbox list
            portolan inbox list --waiting
            """)

    @Flag(help: "Show only items that wait for your decision.")
    var waiting = false

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        var query = AgentAPI.Query(states: waiting ? ["waiting", "quarantined"] : [])
        var isEmpty = true
        repeat {
            let page = try await client.inbox(query)
            for item in page.items {
                isEmpty = false
                console.say(InboxLine.text(item))
                try console.emit(.inboxItem, item)
            }
            query.after = page.next
        } while query.after != nil
        if isEmpty { console.remark(waiting ? "No item waits for a decision." : "The inbox is empty.") }
    }
}

/// `portolan inbox show`.
struct InboxShowCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "show", "Show one item, with its sender's description.",
        examples: "portolan inbox show 7")

    @OptionGroup var choice: NamedInboxItem
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let item = try await options.neededClient(console).item(choice.id)
        console.say(InboxLine.text(item))
        console.say("  key \(item.peer), offered \(Human.minute(item.at))")
        if let rule = item.rule { console.say("  by \(DisplayText(rule, limit: 100))") }
        if item.state == .waiting, let deadline = item.deadline, let fallback = item.fallback {
            console.say("  until \(Human.minute(deadline)), then: \(DisplayText(fallback, limit: 40))")
        }
        if let path = item.path { console.say("  \(DisplayText(path, limit: 4096))") }
        if case .object(let offer)? = item.offer {
            for (name, value) in offer.sorted(by: { $0.key < $1.key }) where name != "title" {
                console.say("  \(DisplayText(name, limit: 40)): \(DisplayText(value.summary, limit: 1000))")
            }
        }
        try console.emit(.inboxItem, item)
    }
}

/// `portolan inbox accept`.
struct InboxAcceptCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "accept", "Take an item that waits, or move one out of the quarantine.",
        examples: """
            portolan inbox accept 7
            portolan inbox accept 7 8 9 --into ~/Projects
            """,
        manual: """
            A waiting item is fetched when its sender offers it again, as an agent does by itself, and at once if it \
            is in sight. It is not taken if it is another one by then.
            """)

    @OptionGroup var choice: NamedInboxItems

    @Option(
        help: ArgumentHelp(
            "Folder that it goes to, made if it is not there. The one that the policy names if left out.",
            valueName: "dir"),
        completion: .directory)
    var into: String?

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let folder = try into.map { URL(fileURLWithPath: try WorkingFolder.absolute($0)).path }
        try await choice.change(options, console) { client, id in try await client.accept(id, into: folder) }
    }
}

/// `portolan inbox decline`.
struct InboxDeclineCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "decline", "Decline an item for good, or remove one from the quarantine.",
        examples: """
            portolan inbox decline 7 --say "Not before Monday."
            """,
        manual: "A sender that offers it again is told so.")

    @OptionGroup var choice: NamedInboxItems

    @Option(help: .value("sentence", "A sentence for the sender."))
    var say: String?

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await choice.change(options, console) { client, id in try await client.decline(id, detail: say) }
    }
}

/// `portolan inbox forget`.
struct InboxForgetCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "forget", "Remove an item from the list.",
        examples: "portolan inbox forget 7 8",
        manual: "A stored file stays where it is. An item that is offered again is decided about anew.")

    @OptionGroup var choice: NamedInboxItems
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await choice.change(options, console, saying: "Forgotten: ") { client, id in
            let item = try await client.item(id)
            try await client.forget(id)
            return item
        }
    }
}

/// The item of the inbox that a command is about.
struct NamedInboxItem: ParsableArguments {
    @Argument(
        help: .value("id", "Its number in 'portolan inbox'."),
        completion: Completions.inboxItems, transform: InboxNumber.parse)
    var id: AgentAPI.ID
}

/// The items of the inbox that a command is about.
struct NamedInboxItems: ParsableArguments {
    @Argument(
        help: .value("id", "Numbers in 'portolan inbox'."),
        completion: Completions.inboxItems, transform: InboxNumber.parse)
    var ids: [AgentAPI.ID]

    /// Changes each item by a closure, tells what became of it, and continues after an error.
    ///
    /// - Parameter beginning: beginning of the line about an item.
    fileprivate func change(
        _ options: AgentSubcommandOptions, _ console: Console, saying beginning: String = "",
        _ body: (AgentClient, AgentAPI.ID) async throws -> AgentAPI.InboxItem
    ) async throws {
        let client = try options.neededClient(console)
        var failure: (any Error)?
        for id in ids {
            do {
                let item = try await body(client, id)
                console.remark(beginning + InboxLine.text(item))
                try console.emit(.inboxItem, item)
            } catch {
                failure = failure ?? error
                try Task.checkCancellation()
            }
        }
        if let failure { throw failure }
    }
}

/// Number of an item of the inbox, as the command line writes it: decimal, or as the local API does.
enum InboxNumber {
    static func parse(_ text: String) throws(ValueError) -> AgentAPI.ID {
        if let id = AgentAPI.ID(text) { return id }
        guard let number = Int64(text), number > 0 else {
            throw ValueError("“\(DisplayText(text, limit: 40))” is no number of an item; 'portolan inbox' shows them.")
        }
        return AgentAPI.ID(UInt128(number))
    }
}

/// An item of the inbox in one line.
enum InboxLine {
    static func text(_ item: AgentAPI.InboxItem) -> String {
        let size = item.size.map { ", \(Human.size($0))" } ?? ""
        let reason = item.reason.map { " (\(DisplayText(sentence: $0, limit: 1000)))" } ?? ""
        return
            "\(item.id.bits)  \(item.state.rawValue)  \(DisplayText(item.title, limit: 100)) from "
            + "“\(DisplayText(item.sender, limit: 100))”\(size)\(reason)"
    }
}
