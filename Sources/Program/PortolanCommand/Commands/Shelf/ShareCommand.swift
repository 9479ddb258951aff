import ArgumentParser
import Portolan
import PortolanClient
import PortolanProtocol
import PortolanSettings

/// `portolan share`: has the agent share items, or shares them until stopped.
struct ShareCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "share", "Keep items on offer; others list and fetch them when they want them.",
        examples: """
            portolan share plan.html --as md=plan.md --to @acme
            portolan share photos/ --discoverable team
            portolan share plan.html --to @acme --for 7d   # by the agent
            """,
        manual: """
            Others see what is there for them with 'portolan ls NAME', and fetch it with 'portolan get NAME:ITEM'. \
            Items that a peer may not see are not listed and cannot be fetched; its rights are looked at for each \
            request, and while an item is sent. A file is given as it is at that time, and may be replaced by another \
            one of the same owner in the same folder. An item whose path leads to something else than when it was \
            shared, such as over a symbolic link, is withdrawn, and that is said here.

            Here paths and --as make one item of several forms if there is one path, which is then the best form.

            Where an agent runs for this home, it gets the items and keeps them, also when it is started anew; this ends with 0 when \
            they are safe there, and 'portolan unshare ID' takes them back. Without an agent, with --no-agent, and with options about the \
            network or converters, which are a process's own, they are shared until this is stopped.

            'portolan receive --share PATH' receives as well, in one process and on one port. Ctrl-C ends it with 0.

            \(SharePage.text)
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "The audience of items without one of their own: @team or @team/group; all devices if left out.",
            valueName: "@team[/group]"),
        completion: Completions.audiences, transform: TeamTarget.parse)
    var to: TeamTarget?

    @Option(
        name: .customLong("for"), help: .value("time", "Take them off after so long: 90s, 12h, 7d."),
        transform: DurationSyntax.withinAYear)
    var lasting: Duration?

    @OptionGroup var agent: AgentOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        if !options.isOnePathInForms { try options.checkTitle() }
        if options.readsStandardInput || options.text.contains("-") {
            throw ValidationError("Standard input can be read once, so it cannot stay on offer; use 'portolan send'.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        if let client = try await agent.client(settings, console) {
            if let option = ownOption {
                console.diagnose("\(option) is not the agent's, so this process shares until it is stopped.")
            } else if try await give(to: client, settings, console) {
                return
            }
        }
        try await shareHere(settings, console)
    }

    /// An option that was given and that the agent's node cannot follow.
    private var ownOption: String? {
        if listening.port != nil { return "--port" }
        if listening.name != nil { return "--name" }
        if listening.discoverable != nil { return "--discoverable" }
        if network.chosenInterfaces != nil { return "--interface" }
        if network.discovery != nil { return "--discovery" }
        return options.usesConverters ? nil : "--no-converters"
    }

    // MARK: - By the agent

    /// Gives the items to the agent to share.
    ///
    /// - Returns: false if the agent could not take one of them; then none is given.
    private func give(to client: AgentClient, _ settings: Settings, _ console: Console) async throws -> Bool {
        let node = try await Node(settings.node(nil, items: options))
        var documents: [[UInt8]] = []
        for item in try await options.sharedItems(of: node, for: to) {
            do {
                documents.append(try await node.kept(item).document())
            } catch let error as NodeError where error.kind == .badInput {
                return sharesHere(because: error.description, console)
            } catch let error as ValueError {
                return sharesHere(because: error.description, console)
            }
        }
        let expires = lasting.map { Date().addingTimeInterval(TimeInterval($0.components.seconds)) }
        for document in documents {
            let item = try await client.share(AgentAPI.NewSharedItem(document: Data(document), expires: expires))
            let end = item.expires.map { " until \(Human.minute($0))" } ?? ""
            console.say(
                "“\(DisplayText(item.title, limit: 100))” is kept on offer by the agent\(end). "
                    + "'portolan unshare \(item.id)' takes it back."
            )
            if let id = ItemID(item.id) { console.emit(\.shared, .init(id, title: item.title)) }
        }
        return true
    }

    private func sharesHere(because reason: String, _ console: Console) -> Bool {
        let sentence = DisplayText(sentence: reason, limit: 500)
        console.diagnose("The agent cannot keep it, so this process shares until it is stopped. \(sentence)")
        return false
    }

    // MARK: - By this process

    private func shareHere(_ settings: Settings, _ console: Console) async throws {
        var configuration = try listening.configuration(settings, network, items: options)
        configuration.idleTime = ReceiveCommand.idleTime
        configuration.takesOtherPorts = listening.port == nil
        let node = try await Node(configuration)
        let items = try await options.sharedItems(of: node, for: to)
        let reporter = ShareReporter(console, node: node)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await node.share(items) { reporter.report($0) } }
                if let lasting { tasks.addTask { try await Task.sleep(for: lasting) } }
                defer { tasks.cancelAll() }
                try await tasks.next()
            }
        } catch is CancellationError {
            // Stopping is how sharing ends.
        }
        await node.close()
    }
}

extension ItemID {
    /// The identifier of an item on the agent's shelf.
    fileprivate init?(_ id: AgentAPI.ID) {
        self.init(withUnsafeBytes(of: id.bits.bigEndian) { Array($0) })
    }
}

extension ItemOptions {
    /// The items to share: one path and `--as` are forms of one item, and all are restricted to `target`.
    func sharedItems(of node: Node, for target: TeamTarget?) async throws -> [Item] {
        var items = try await items(of: node, to: target)
        if isOnePathInForms, items.count == 2 {
            items[0].representations += items[1].representations
            items.remove(at: 1)
        }
        return if let target { try await node.items(items, for: target) } else { items }
    }
}
