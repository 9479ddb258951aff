import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan receive`.
struct ReceiveCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "receive", "Be visible to others and receive into a folder, until stopped.",
        examples: """
            portolan receive --into ~/Drop
            portolan receive 7-walnut-harbor       # the code that 'portolan send' shows
            portolan receive --accept public.image --accept public.text --once --yes
            portolan receive --from laptop --from @contacts
            portolan receive --once --yes --wait 10m
            portolan receive --from @acme --discoverable team
            portolan receive --yes --output - | tar x      # one item, as it comes
            """,
        manual: """
            With the code that 'portolan send' shows without --to, it takes the items of that machine and no others, \
            and ends. It ends with 69 where no machine shows such a code within 60 seconds, or one that did offers \
            nothing for 75, or does not come back within 10 minutes after a connection broke; --wait says another \
            time.

            For each offer it asks at the terminal, with the sender, its fingerprint, the items, their sizes, and the \
            representation that it would take. Without a terminal and without --yes it declines everything.

            A device whose name is known here with another key is taken from if a person at the terminal says so, and \
            is kept under its name with a number, “debian (2)”. With --yes, there is no such person, and it is \
            declined, unless it is a member of one of your teams; it is told why, and so are you.

            Of each item it takes the first representation, in the sender's order, whose type is a kind of one that \
            --accept names. A partial item is never visible, and the sender is told that an item is stored when it is \
            on the disk. An existing file is never replaced: the new one becomes “name (2).ext”. Only a folder that \
            was received from the same place before is brought up to date: in it, files that are unchanged since are \
            replaced by the sender's new versions.

            Short text that was sent as text ('send --text') is shown as well as stored, unless it has more than \
            \(ShownText.byteLimit) bytes. A file is stored and not shown, with any content.

            With --output - one item is written to standard output and it ends: with 0 if the item is whole, with 74 \
            if it broke off, for written bytes cannot be taken back. All else is said on standard error, --json \
            included. Folders are declined, and so is all but the first of several items. While the output has no \
            reader, the sender waits. An item for a team or group stays so in a regular file; one that cannot keep it \
            is not written to. A pipe or terminal keeps nothing: the item is written, and standard error says whom it \
            is for.

            The partial of a transfer that broke off is kept, hidden in the same folder, for 7 days or as long as the \
            configuration says, and its sender can go on with it; 'portolan transfers' shows it. You are not asked \
            again about an accepted item, and --once goes on waiting for it.

            With --once or --output, it ends with 23 if parts of a stored item were left out, such as files that the \
            sender could not read; they are reported.

            Where an agent runs for this home, both receive, each on a port of its own; that is said on standard error, \
            unless --no-agent is given.

            With --wait, it ends when nothing has come for so long: with 69 if nothing was received, or not all that \
            --once or --output waits for, else with 0. A transfer under way and a question at the terminal are not \
            broken off, and an offer of which no item is taken makes the time no longer. It does not go with --share.

            Ctrl-C ends it with 0, or with 75 if that broke off a transfer, which is kept all the same, or if --once or --output \
            still waited.

            \(ReceivePage.text)
            """)

    @OptionGroup var entered: CodeArguments

    @Option(
        help: ArgumentHelp(
            "The folder to receive into, made if missing; by default the configured inbox, else ~/Portolan.",
            valueName: "dir"),
        completion: .directory)
    var into: String?

    @Option(
        help: .value("type", "A type that can be taken; may be given several times. Without it, everything."),
        transform: TypeSyntax.parse)
    var accept: [UTType] = []

    @Option(
        help: .value("-", "Write the one item that is taken to standard output, for which - stands."),
        transform: OutputArgument.parse)
    var output: OutputArgument?

    @Option(
        help: ArgumentHelp(
            "Receive at most so many bytes a second from each sender: 500K, 20M, 1G (units of 1024); the configured limit if left out.",
            valueName: "rate"),
        transform: RateSyntax.parse)
    var limitRate: UInt64?

    @Option(
        help: ArgumentHelp(
            "Leave so much free on the file system that is stored on: 500M, 2G (units of 1024); as configured if left out, or 1 % of it and at most 256M.",
            valueName: "size"),
        transform: SizeSyntax.parse)
    var reserve: UInt64?

    @Option(
        help: ArgumentHelp(
            "Take no item larger than this: 500M, 2G (units of 1024); as configured if left out, or any size.",
            discussion:
                "Binds folders and streams, too, whose size is not known when they are offered: they fail when they grow larger.",
            valueName: "size"),
        transform: SizeSyntax.parse)
    var maxSize: UInt64?

    @Flag(help: "End after the first offer of which something was received.")
    var once = false

    @OptionGroup var omissions: OmissionOptions

    @Flag(
        name: .shortAndLong,
        help: "Take all items that can be taken without asking, from all but a new device with a known name.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Take items from these without asking, and none from other devices; several times for more.",
            discussion: """
                A device by its name here or the beginning of its fingerprint, @contacts for all contacts, @team or @team/group for its members.
                """,
            valueName: "who"),
        completion: Completions.sources, transform: SourceArgument.parse)
    var from: [SourceArgument] = []

    @Option(
        name: .customLong("share"),
        help: ArgumentHelp(
            "Keep this file or folder on offer meanwhile; may be given several times. 'portolan share' says more.",
            valueName: "path"),
        completion: .file())
    var sharedPaths: [String] = []

    @Option(
        help: ArgumentHelp(
            "End when nothing has come for so long: 90s, 10m, 1h; without end if left out.",
            discussion: """
                With a code, also the time in which the machine that shows it has to be found; \(CodeSearch.usualWait.asArgument) if left out.
                """,
            valueName: "time"),
        transform: DurationSyntax.parse)
    var wait: Duration?

    @OptionGroup var search: CodePlace
    @OptionGroup var agent: AgentOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        if !from.isEmpty, yes {
            throw ValidationError("--from takes without asking from some, --yes from all devices; give one of them.")
        }
        if entered.source != nil, !from.isEmpty || !sharedPaths.isEmpty {
            throw ValidationError("A code is for one offer of the device that shows it; leave --from and --share out.")
        }
        if entered.source == nil, search.place != nil {
            throw ValidationError("--at belongs to a code; leave it out where none is given.")
        }
        if output != nil, into != nil {
            throw ValidationError("--into stores in a folder, --output writes to standard output; give one of them.")
        }
        if output != nil, !sharedPaths.isEmpty {
            throw ValidationError("--output ends with its one item, so that nothing stays on offer; leave --share out.")
        }
        if wait != nil, !sharedPaths.isEmpty {
            throw ValidationError("--wait would end it while a peer fetches an item of --share; give one of them.")
        }
        if output != nil, reserve != nil {
            throw ValidationError("--reserve is about the folder that is stored in; leave it out with --output.")
        }
    }

    /// Standard output belongs to the item, if one is written there.
    func makeConsole() -> Console {
        shared.makeConsole(output: output == nil ? .output : .diagnostics)
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        try await tellOfAgent(settings, console)
        var configuration = try listening.configuration(settings, network)
        // A command that ends by itself keeps no session for another offer.
        if !endsWithOffer, output == nil, wait == nil { configuration.idleTime = Self.idleTime }
        if entered.source != nil { try checkDiscovery(configuration) }
        let node = try await Node(configuration)
        let types = accept.isEmpty ? settings.file.accept : accept
        let met = try await meet(node, settings, console)
        let sources: [Source]? = if let met { [.device(met.fingerprint)] } else { try await sources(node) }
        let decider = Decider(console, trust: sources != nil ? .chosen : yes ? .everybody : .nobody)
        let options = settings.receiveOptions(limitRate: limitRate, reserve: reserve, maximumSize: maxSize)
        let inbox = output == nil ? try folder(settings) : ReceivedItem.output
        let reporter = ReceiveReporter(console, node: node, inbox: inbox)
        let watch = OfferWatch(countsDeclined: met != nil)
        var items: [Item] = []
        for path in sharedPaths { items.append(try await .file(at: path)) }
        do {
            try await withTaskCancellationHandler {
                try await receiving(reporter, sharing: items, at: node, console) { [self] in
                    if let met {
                        try await endWithoutOffer(of: met, watch)
                    } else if let wait {
                        try await endWithoutArrival(for: wait, watch)
                    }
                } _: { [self] in
                    if output == nil {
                        try await node.receive(into: inbox, accepting: types, from: sources, options: options) {
                            offer in
                            await decider.decide(on: offer)
                        } onStored: { item in
                            await reporter.show(item)
                        } events: { event in
                            watch.report(event)
                            reporter.report(event)
                        }
                    } else {
                        try await node.receive(to: STDOUT_FILENO, accepting: types, from: sources, options: options) {
                            offer in
                            await decider.decide(on: offer)
                        } events: { event in
                            watch.report(event)
                            reporter.report(event)
                        }
                    }
                }
            } onCancel: {
                reporter.stop()
            }
        } catch is CancellationError {
            // Stopping is the normal end of receiving; only an interrupted item changes the status, and an offer that
            // the command still waited for.
            let waited = endsWithOffer || output != nil
            guard waited ? reporter.wasComplete : !reporter.brokeSomethingOff else { throw CancellationError() }
        }
        await node.close()
        guard endsWithOffer || output != nil else { return }
        let status = omissions.status(reporter.hasOmissions ? .incomplete : .done)
        try console.end(status)
    }

    /// True if the command ends after items of one offer were received.
    var endsWithOffer: Bool { once || entered.source != nil }

    /// Enters the code, if one was given.
    ///
    /// - Returns: the device that shows it, the only permitted sender; nil without a code.
    private func meet(_ node: Node, _ settings: Settings, _ console: Console) async throws -> MetDevice? {
        guard let source = entered.source else { return nil }
        let code = try await source.read(console)
        // The device that shows the code searches for this one's key, and would find the agent, which does not know the
        // code.
        guard try await agent.ofHome(settings) == nil else {
            throw CommandFailure(
                .usage,
                "The agent of this home would get the items. End it first ('portolan agent stop'), or make the other device a "
                    + "contact: 'portolan pair'.")
        }
        let reporter = CodeReporter(console: console)
        if search.place == nil {
            console.remark(
                "Looking for the machine that shows the code, for \(searchWait.asArgument) at most. Ctrl-C ends it.")
        }
        let met = try await node.meet(with: code, at: search.place, wait: searchWait) { reporter.report($0) }
        console.remark("The code is that of “\(met.name)”. Its items are taken, and no others.")
        return met
    }

    /// - Throws: `CommandFailure` where the device that shows a code could not find this one.
    private func checkDiscovery(_ configuration: Node.Configuration) throws(CommandFailure) {
        let advice = "Here: portolan receive. On the machine that sends: portolan send … --to HOST:PORT"
        try CodeDiscovery.check(configuration, else: advice)
        guard configuration.discoverability == .nobody else { return }
        throw CommandFailure(
            .unreachable,
            "No device can find this one, and the one that shows the code has to: give --discoverable everyone. \(advice)"
        )
    }

    /// Tells the user that a running agent of the home receives as well, so that items may go to either.
    private func tellOfAgent(_ settings: Settings, _ console: Console) async throws {
        guard let policy = try await agent.running(settings)?.policy() else { return }
        let rules =
            policy.text == nil
            ? "by its defaults, for there is no “\(DisplayText(policy.path, limit: 1000))”"
            : "by the rules of “\(DisplayText(policy.path, limit: 1000))”"
        console.diagnose(
            "The agent of this home receives as well, \(rules). 'portolan inbox' shows its items, not this command.")
    }

    /// Time for which a long-running command keeps an idle session with a peer.
    static let idleTime = Duration.seconds(60)

    /// Runs `body` until it is stopped, or until the end that `--once` sets.
    ///
    /// - Parameter ending: wait for the end, if a code was entered or a time given.
    private func receiving(
        _ reporter: ReceiveReporter, sharing items: [Item], at node: Node, _ console: Console,
        ending: @escaping @Sendable () async throws -> Void, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await body() }
            if !items.isEmpty {
                let sharing = ShareReporter(console, node: nil)
                tasks.addTask { try await node.share(items) { sharing.report($0) } }
            }
            if entered.source != nil || wait != nil { tasks.addTask { try await ending() } }
            // Writing to standard output ends by itself.
            if endsWithOffer, output == nil {
                tasks.addTask { await reporter.waitUntilSomethingWasReceived() }
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
            try Task.checkCancellation()
        }
    }

    /// - Throws: `NodeError` if there is no such device, team or group.
    private func sources(_ node: Node) async throws -> [Source]? {
        guard !from.isEmpty else { return nil }
        var sources: [Source] = []
        for argument in from {
            switch argument {
            case .contacts: sources.append(.contacts)
            case .key(let key): sources.append(.device(key))
            case .device(let argument):
                let device = try await argument.only(among: node.knownDevices())
                if let device {
                    sources.append(.device(device.fingerprint))
                } else {
                    sources.append(try await node.source(named: argument.name))
                }
            case .team(let target): sources.append(try await source(target, node))
            }
        }
        return sources
    }

    private func source(_ target: TeamTarget, _ node: Node) async throws -> Source {
        let audience = try await node.audience(team: target.team.text, groups: target.group.map { [$0] } ?? [])
        return Source(team: audience.team, group: target.group)
    }

    private func folder(_ settings: Settings) throws -> String {
        try WorkingFolder.absolute(into ?? settings.inbox)
    }
}
