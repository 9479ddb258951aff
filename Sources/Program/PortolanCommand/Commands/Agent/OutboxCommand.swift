import ArgumentParser
import Portolan
import PortolanClient
import PortolanOutbox
import PortolanSettings

/// `portolan outbox`: parcels that wait for their receivers.
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "outbox", "List, show, cancel and retry the agent's deliveries.",
        examples: """
            portolan outbox
            portolan outbox show 5f0c          # the beginning of an ID is enough
            portolan outbox retry 5f0c
            portolan outbox --json
            """,
        manual: """
            'portolan send --queue' puts something into it. 'waiting' goes out when its receiver is there, 'running' is on its \
            way; 'delivered', 'failed', 'expired' and 'cancelled' are over, and stay listed for 90 days; with a receipt, for 400.

            'show' says of each stored item whether its receiver has signed for it, as agents do. Such a receipt can be \
            shown to others ('portolan receipt check').

            The sendings of commands, running and interrupted, stand below, as 'portolan transfers' lists them: that command \
            stops and forgets one, and 'portolan resume' goes on with one.

            An ID of a parcel may be shortened to its beginning. With --json, each line of a parcel is an object 'Parcel' of the local API, \
            and each of a command's sending is 'transfer'.
            """,
        subcommands: [
            OutboxListCommand.self, OutboxShowCommand.self, OutboxCancelCommand.self, OutboxRetryCommand.self,
        ],
        defaultSubcommand: OutboxListCommand.self)
}

/// `portolan outbox list`.
struct OutboxListCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "list", "Show all parcels, the oldest first, and then the sendings of commands.",
        examples: """
            portolan outbox list
            portolan outbox list --json
            """)

    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        var isEmpty = true
        try await agent.neededClient(settings, console).forEachParcel { parcel in
            isEmpty = false
            console.say(ParcelLine.text(parcel))
            try console.emit(.parcel, parcel)
        }
        for record in try await sendings(settings, console) {
            isEmpty = false
            console.say(TransferState(record).line)
            console.emit(\.transfer, TransferState(record))
        }
        if isEmpty { console.remark("The outbox is empty.") }
    }

    /// The sendings of commands. A register that cannot be read is complained of, and the parcels are listed all the
    /// same.
    private func sendings(_ settings: Settings, _ console: Console) async throws -> [TransferRecord] {
        do {
            return try await TransferRegister(settings.home).contents(settings, console).transfers
        } catch {
            try Task.checkCancellation()
            console.diagnose("The sendings of commands are not listed. \(error)")
            return []
        }
    }
}

/// `portolan outbox show`.
struct OutboxShowCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "show", "Show one parcel, and the outcome of each of its items.",
        examples: "portolan outbox show 5f0c")

    @OptionGroup var choice: NamedParcel
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        let parcel = try await client.parcel(choice.id(at: client))
        console.say(ParcelLine.text(parcel))
        console.say("  queued \(Human.minute(parcel.created)), \(parcel.attempts) attempts")
        if let expires = parcel.expires { console.say("  expires \(Human.minute(expires))") }
        for settlement in parcel.settlements ?? [] {
            let title = parcel.titles.indices.contains(settlement.item) ? parcel.titles[settlement.item] : "item"
            let reason = settlement.reason.map { ": \($0)" } ?? ""
            let member = settlement.name.map { "“\(DisplayText($0, limit: 100))”, " } ?? ""
            let outcome = "\(settlement.outcome)\(DisplayText(sentence: reason, limit: 1000))"
            console.say("  \(member)\(DisplayText(title, limit: 100)): \(outcome)")
            guard let receipt = settlement.receipt else { continue }
            let line = ReceiptLine.text(
                receipt, of: settlement.name ?? parcel.target, isValid: settlement.receiptIsValid ?? false)
            console.say("    \(line)")
        }
        try console.emit(.parcel, parcel)
    }
}

/// `portolan outbox cancel`.
struct OutboxCancelCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "cancel", "Have a parcel not delivered any more.",
        examples: "portolan outbox cancel 5f0c",
        manual: "Items that the receiver has stored already stay there.")

    @OptionGroup var choice: NamedParcel
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await choice.change(options, console) { try await $0.cancel($1) }
    }
}

/// `portolan outbox retry`.
struct OutboxRetryCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "retry", "Try a parcel again now, also one that failed, expired or was cancelled.",
        examples: "portolan outbox retry 5f0c",
        manual: "Items that the receiver has stored are not sent again.")

    @OptionGroup var choice: NamedParcel
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        try await choice.change(options, console) { try await $0.retry($1) }
    }
}

/// The parcel that a command is about.
struct NamedParcel: ParsableArguments {
    @Argument(
        help: .value("id", "Its identifier in 'portolan outbox', or the beginning of that."),
        completion: Completions.parcels)
    var text: String

    /// - Throws: `CommandFailure` if no parcel is meant, or several are.
    func id(at client: AgentClient) async throws -> AgentAPI.ID { try await Self.id(text, at: client) }

    /// Changes the parcel by a closure, and tells what became of it.
    fileprivate func change(
        _ options: AgentSubcommandOptions, _ console: Console,
        _ body: (AgentClient, AgentAPI.ID) async throws -> AgentAPI.Parcel
    ) async throws {
        let client = try options.neededClient(console)
        let parcel = try await body(client, id(at: client))
        console.remark(ParcelLine.text(parcel))
        try console.emit(.parcel, parcel)
    }

    static func id(_ text: String, at client: AgentClient) async throws -> AgentAPI.ID {
        if let id = AgentAPI.ID(text) { return id }
        var found: [AgentAPI.ID] = []
        try await client.forEachParcel { found.append($0.id) }
        return try ShortenedID(text: text).only(
            among: found, "parcel", "in the outbox; 'portolan transfers' shows sendings of commands")
    }
}

/// A parcel of the outbox in one line.
enum ParcelLine {
    static func text(_ parcel: AgentAPI.Parcel) -> String {
        let titles = parcel.titles.prefix(3).map { DisplayText($0, limit: 60).text }.joined(separator: ", ")
        let more = parcel.titles.count > 3 ? " and \(parcel.titles.count - 3) more" : ""
        let reason = parcel.reason.map { " (\(DisplayText(sentence: $0, limit: 1000)))" } ?? ""
        return
            "\(parcel.id)  \(parcel.state.rawValue)  \(titles)\(more) to “\(DisplayText(parcel.target, limit: 100))”\(reason)"
    }
}

extension AgentClient {
    /// Calls `body` with each parcel of the outbox, page by page.
    func forEachParcel(_ body: (AgentAPI.Parcel) throws -> Void) async throws {
        var query = AgentAPI.Query()
        repeat {
            let page = try await outbox(query)
            for parcel in page.parcels { try body(parcel) }
            query.after = page.next
        } while query.after != nil
    }
}
