import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan wait`: until something has happened at the agent.
struct WaitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "wait", "Wait until an item is here, a peer is in sight, the outbox is empty, or folders are alike.",
        examples: """
            portolan wait item 7 --timeout 1h     # item 7 of the inbox is stored
            portolan wait item                    # the next item is stored
            portolan wait peer laptop --timeout 60s
            portolan wait outbox 5f0c             # it is delivered
            portolan wait sync-idle Notes         # nothing is left to do in the folder
            """,
        manual: """
            Ends with 0 when it has come, at once if it has before, and with 75 when the time is over. The agent of this home has to run; it may be restarted meanwhile.
            """,
        subcommands: [
            WaitItemCommand.self, WaitPeerCommand.self, WaitOutboxCommand.self, WaitSyncIdleCommand.self,
        ])
}

/// Option for the longest time that a command waits.
struct WaitOptions: ParsableArguments {
    @Option(
        help: .value("time", "Give up after so long: 60s, 10m, 2h, 3d. Without it, it waits on."),
        transform: DurationSyntax.withinAYear)
    var timeout: Duration?

    /// Time for which followers of the journal wait for the next agent, as after an upgrade.
    static let patience = Duration.seconds(60)

    /// Follows the journal until `look` returns a value.
    ///
    /// - Parameters:
    ///   - kinds: prefixes of the kinds of entries after which `look` is called again.
    ///   - lack: as in ``within(else:_:)``.
    ///   - look: called at once with nil, and after each such entry.
    /// - Throws: `CommandFailure` when the time is over; errors of `look` and the agent.
    func wait<Value: Sendable>(
        at client: AgentClient, after kinds: [String], else lack: String,
        until look: @escaping @Sendable (AgentAPI.Event?) async throws -> Value?
    ) async throws -> Value {
        try await within(else: lack) { try await Self.follow(client, kinds, look) }
    }

    /// Runs `body` within the allowed time.
    ///
    /// - Parameter lack: beginning of the sentence when the time is over; continued by “within 10m.”
    /// - Throws: `CommandFailure` when the time is over; errors of `body`.
    func within<Value: Sendable>(
        else lack: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let timeout else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { tasks.cancelAll() }
            guard let value = try await tasks.next() ?? nil else {
                throw CommandFailure(.interrupted, "\(lack) within \(timeout.asArgument).")
            }
            return value
        }
    }

    private static func follow<Value: Sendable>(
        _ client: AgentClient, _ kinds: [String], _ look: @Sendable (AgentAPI.Event?) async throws -> Value?
    ) async throws -> Value {
        // The position is taken before the first look, so that no event between the look and the following is missed.
        let position = AgentAPI.Position.after(try await client.status().journal.newest)
        if let value = try await look(nil) { return value }
        var found: Value?
        try await client.follow(from: position, patience: Self.patience) { event in
            guard kinds.contains(where: event.kind.hasPrefix) else { return true }
            found = try await look(event)
            return found == nil
        }
        guard let found else {
            try Task.checkCancellation()
            throw AgentClientError.closed
        }
        return found
    }
}

/// `portolan wait item`.
struct WaitItemCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "item", "Wait until an item of the inbox is stored.",
        examples: """
            portolan wait item 7 --timeout 1h
            portolan wait item
            """,
        manual: """
            Ends with 80 if it is declined or forgotten. With --json: the object 'InboxItem' of the local API.
            """)

    @Argument(
        help: .value("id", "Its number in 'portolan inbox'; the next one that is stored if left out."),
        completion: Completions.inboxItems, transform: InboxNumber.parse)
    var id: AgentAPI.ID?

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        let id = id
        let lack = id.map { "Item \($0.bits) of the inbox has not come" } ?? "No item has come into the inbox"
        let item = try await waiting.wait(at: client, after: ["inbox."], else: lack) { event -> AgentAPI.InboxItem? in
            guard let id = id ?? event?.inboxItem else { return nil }
            let item: AgentAPI.InboxItem
            do {
                item = try await client.item(id)
            } catch let problem as AgentAPI.Problem where problem.status == 404 && event != nil {
                if self.id == nil { return nil }
                throw CommandFailure(.declined, "Item \(id.bits) of the inbox was forgotten.")
            }
            switch item.state {
            case .received: return item
            case .quarantined where self.id == nil: return item
            case .declined where self.id != nil: throw CommandFailure(.declined, InboxLine.text(item))
            case .failed where self.id != nil: throw CommandFailure(.inputOutput, InboxLine.text(item))
            case .waiting, .accepted, .quarantined, .declined, .failed: return nil
            }
        }
        console.remark(InboxLine.text(item))
        if let path = item.path { console.put(exactly: DisplayText(path, limit: 4096).text) }
        try console.emit(.inboxItem, item)
    }
}

/// `portolan wait peer`.
struct WaitPeerCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "peer", "Wait until a peer is in sight.",
        examples: "portolan wait peer laptop --timeout 60s",
        manual: "With --json: a line 'peer', as of 'portolan peers'.")

    @Argument(
        help: .value("peer", "A name, or the beginning of a fingerprint (8 characters or more)."),
        completion: Completions.peers)
    var name: String

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        let name = name
        // Of many strangers, some have no entry of their own.
        let kinds = ["peer.appeared", "peers.appeared"]
        let lack = "“\(DisplayText(name, limit: 100))” has not come into sight"
        let peer = try await waiting.wait(at: client, after: kinds, else: lack) { _ -> AgentAPI.Peer? in
            try await client.peers().first { peer in
                let found = [peer.name, peer.announcedName ?? peer.name].map { name in
                    Peer(
                        name: name, fingerprint: peer.fingerprint.flatMap { Fingerprint(parsing: $0) },
                        addresses: [], foundBy: peer.foundBy)
                }
                return !Node.peers(meantBy: name, among: found).isEmpty
            }
        }
        console.remark("“\(DisplayText(peer.name, limit: 100))” is there.")
        console.emit(\.peer, try .init(peer))
    }
}

/// `portolan wait outbox`.
struct WaitOutboxCommand: AgentSubcommand {
    static let configuration = CommandConfiguration(
        "outbox", "Wait until a parcel is delivered, or all are over.",
        examples: """
            portolan wait outbox 5f0c --timeout 2h
            portolan wait outbox
            """,
        manual: """
            Ends with 82 if the parcel failed, expired or was cancelled. With --json: the object 'Parcel' of the local API.
            """)

    @Argument(
        help: ArgumentHelp(
            "Its identifier in 'portolan outbox', or the beginning of that. If left out, nothing waits or is on its way any more.",
            valueName: "id"),
        completion: Completions.parcels)
    var id: String?

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var options: AgentSubcommandOptions

    func perform(_ console: Console) async throws {
        let client = try options.neededClient(console)
        guard let id else {
            let lack = "The parcels of the outbox are not over"
            _ = try await waiting.wait(at: client, after: ["outbox."], else: lack) { _ -> Bool? in
                let counts = try await client.status().outbox
                return counts.waiting + counts.running == 0 ? true : nil
            }
            return console.remark("The outbox is done.")
        }
        let parcel = try await NamedParcel.id(id, at: client)
        let lack = "Parcel \(DisplayText(id, limit: 100)) has not been delivered"
        let ended = try await waiting.wait(at: client, after: ["outbox."], else: lack) { _ -> AgentAPI.Parcel? in
            let found = try await client.parcel(parcel)
            return [.waiting, .running].contains(found.state) ? nil : found
        }
        try console.emit(.parcel, ended)
        guard ended.state == .delivered else { throw CommandFailure(.notDelivered, ParcelLine.text(ended)) }
        console.remark(ParcelLine.text(ended))
    }
}

extension AgentAPI.Event {
    /// The item of the inbox that it is about.
    fileprivate var inboxItem: AgentAPI.ID? {
        guard case .object(let fields) = body, case .integer(let number)? = fields["id"], number > 0 else { return nil }
        return AgentAPI.ID(UInt128(number))
    }
}
