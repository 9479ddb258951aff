import ArgumentParser
import Portolan
import PortolanConcurrency
import PortolanOutbox
import PortolanSettings

/// `portolan send`.
struct SendCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "send", "Send files, folders, text, or one item in several representations to a peer, or to a team.",
        examples: """
            portolan send photo.png                        # shows a code to receive with
            portolan send photo.png notes.md --to ada@workstation
            portolan send --text "see you at 5" --to k3xq-7m2a
            portolan send report.pdf --to laptop --wait 10m
            pg_dump shop | portolan send - --name shop.sql --to workstation
            portolan send --as public.html@team=n.html --as md=n.md --to workstation
            portolan send report.pdf --to @acme/design     # all members that are reached
            portolan send report.pdf --to laptop --queue   # by the agent, later
            """,
        manual: """
            The receiver takes, of each item, the first representation in your order that it can import, or declines. \
            Nothing is read or produced before it has. When this ends with 0, everything is on the receiver's disk, where it outlives \
            a loss of power.

            Items that are sent or queued to @team or @team/group are for that team or group: they carry its mark, and \
            receivers pass them on to no other device. --unmarked sends them for all devices.

            With --wait, a receiver that is not there yet is waited for; else this ends with 69.

            When the connection breaks, it is tried again for 10 minutes, or as long as --retry says, and goes on \
            where it stopped. Ctrl-C ends it with 75, and so does a receiver that is there, accepted, and takes \
            nothing for 60 seconds, or as long as --stall-timeout says. The receiver keeps the partial, for 7 days \
            unless it is told otherwise, and the same command or 'portolan resume' goes on from there: only missing \
            content is sent, and the partial is compared, not trusted. Standard input cannot be read again: when that \
            breaks off, this ends with 74.

            A receiver that leaves the decision to its owner says so, and this ends with 82: the item waits there. 'portolan resume' or \
            the same command sends it when it is decided.

            A folder that was sent before is brought up to date. A file of the same size and modification time is \
            there already; one of another time is compared, and only the difference is sent if the size is the same. \
            One that changed replaces the version that was sent, unless that was changed there too: then it lies \
            beside it, as “name (2).ext”, and is reported. Nothing is removed there; files that you have no more are \
            counted. A single file that changed lies beside the one before.

            A file that was received for a team or group carries that as an extended attribute, and is offered to no \
            other device. cp, tar, sed -i and many editors make copies without it: 'cp --preserve=xattr' and 'tar \
            --xattrs' keep it. A copy without it is sent to any device; if the content is that of one of the last \
            65,536 files so received, a warning names its team or group. Standard input that is an open file keeps the \
            file's mark; behind a pipe there is none.

            A part that cannot be read, changes while it is sent, or has a kind or name that cannot be stored is left \
            out and reported, and this ends with 23. So does a file that grows meanwhile: it is stored as it was when \
            it was offered. A part that is restricted to others counts as left out, too; the receiver is told nothing \
            of it, and of those whose restriction cannot be read only how many there are. The program's own files, \
            such as this device's key, are left out by every sending, sharing and synchronization, by any link, mount \
            or other name. --require content has an item that lacks something fail instead; --allow-omissions ends \
            with 0.

            With several items, the exit status is that of the first one that was not stored. To a team, it is 0 when \
            at least one member was reached and all reached members have stored all items, else that of the first, in \
            the order of 'team show', that was reached and has not, and 23 only if none failed; 69 when none was \
            reached. A member that was seen lately and is not found at once is looked for for a minute, or as long as \
            --retry says if that is shorter. To several peers, it is the highest of all.

            \(SendPage.text)
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "The receiver: a name, the beginning of a fingerprint (8 characters or more), host:port, @team or @team/group.",
            discussion: """
                Several peers are sent to side by side: --to ben --to cleo. A team is sent to by itself. Without it, a code is shown.
                """,
            valueName: "peer"),
        completion: Completions.targets)
    var to: [String] = []

    @Flag(help: "Send to a team or group without its mark: receivers may pass it on to all devices.")
    var unmarked = false

    @OptionGroup var made: CodeOptions

    @Option(
        help: ArgumentHelp(
            "The file name of standard input, or of a text, which is a file with it; it tells the type, too.",
            valueName: "name"),
        transform: FileNameSyntax.parse)
    var name: String?

    @OptionGroup var awaiting: AwaitingOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        try options.checkTitle()
        if name != nil { try options.checkName() }
        guard !targets.isEmpty || !queueing.queue && !options.endsWithNoFile else {
            throw ValidationError("Say whom to send to: --to PEER.")
        }
        if targets.contains("") {
            throw ValidationError("An empty word behind --to names no receiver; 'portolan peers' shows who is there.")
        }
        if !targets.isEmpty, made.valid != nil || made.qr {
            throw ValidationError("--valid and --qr belong to a code, which is shown where --to is left out.")
        }
        try made.validate(with: shared)
        try queueing.check()
        try checkWaiting()
        guard targets.contains(where: TeamTarget.names) else {
            if unmarked {
                throw ValidationError("--unmarked is for items that are sent to a team: --to @TEAM or @TEAM/GROUP.")
            }
            return
        }
        guard targets.count == 1 else {
            throw ValidationError("--to names several peers, or one team; send to each team by itself.")
        }
        _ = try translating(TeamTarget.parse(targets[0])) { (error: ValueError) in ValidationError(error.description) }
    }

    /// - Throws: `ValidationError` if another option determines the waiting time.
    private func checkWaiting() throws {
        guard awaiting.patience > .zero else { return }
        if targets.isEmpty { throw ValidationError("A code waits as long as --valid says; leave --wait out.") }
        if queueing.queue {
            throw ValidationError("With --queue, the agent waits; leave --wait out, or see --expires.")
        }
        if targets.contains(where: TeamTarget.names) {
            throw ValidationError(
                "--wait is for a peer by itself; members of a team that were here lately are waited for in any case.")
        }
    }

    /// Targets in the given order, without repetitions.
    private var targets: [String] {
        to.indices.filter { !to[..<$0].contains(to[$0]) }.map { to[$0] }
    }

    func perform(_ console: Console) async throws {
        ProcessThreads.useOneEventLoop()
        let settings = try Settings(shared)
        try network.check()
        var configuration = settings.node(for: parcelOptions, team: options.team)
        if targets.isEmpty {
            try made.check()
            try CodeDiscovery.check(
                configuration, else: "On the other machine: portolan receive. Here: portolan send … --to HOST:PORT")
            configuration.takesOtherPorts = true
        }
        let node = try await Node(configuration)
        let team = try targets.first.flatMap { TeamTarget.names($0) ? try TeamTarget.parse($0) : nil }
        var items: [Item]
        do {
            items = try await options.items(of: node, to: team, called: name, console)
        } catch let error as NodeError where error.kind == .noInput {
            throw CommandFailure(.noInput, error.description + (namedReceiver.map { " \($0)" } ?? ""))
        }
        if let team { items = try await marked(items, for: team, by: node, console) }
        if queueing.queue {
            return try await queueing.queue(items, to: targets, parcelOptions, by: node, settings, console)
        }
        let status: ExitStatus
        if targets.isEmpty {
            status = try await sendByCode(items, from: node, settings, console)
        } else if targets.count == 1 {
            status = try await sending(items, to: targets[0], from: node, settings, console).run()
        } else {
            // Inputs that can be read only once are read before the first sending.
            let spooled = try await SpooledItems(items, copies: targets.count)
            var sendings: [ItemSender] = []
            for target in targets {
                sendings.append(await sending(items, spooled.items, to: target, from: node, settings, console))
            }
            status = try await PeerSendings(
                node: node, items: spooled.items, console: console, sendings: sendings
            ).run()
            withExtendedLifetime(spooled) {}
        }
        try console.end(status)
    }

    /// Sentence about a path that leads nowhere and may be the name of a receiver; nil if there is none.
    private var namedReceiver: String? {
        guard let word = options.paths.first(where: { access($0.pathBytes, F_OK) != 0 }),
            !word.contains("/"), !word.contains(".")
        else { return nil }
        let receiver = "'--to \(DisplayText(DisplayText.shellWord(word), limit: 80))'"
        return targets.isEmpty
            ? "If it is who is to get it, write \(receiver)."
            : "--to takes one name; if it is another receiver, write \(receiver), too."
    }

    /// Marks items for the team or group that they are sent to, and says so.
    private func marked(
        _ items: [Item], for team: TeamTarget, by node: Node, _ console: Console
    ) async throws -> [Item] {
        guard !unmarked else { return items.requesting(.exactly(.everyone)) }
        let marked = try await node.items(items, for: team)
        console.remark("For \(team) alone: receivers pass it on to no others. --unmarked sends it for all devices.")
        return marked
    }

    /// Shows a code, and sends to the device on which it is entered.
    private func sendByCode(
        _ items: [Item], from node: Node, _ settings: Settings, _ console: Console
    ) async throws -> ExitStatus {
        // Each file has to be the same one when somebody enters the code.
        let items = try await node.holding(items)
        let code = try await node.makePairingCode()
        let reporter = CodeReporter(console: console)
        try reporter.announce(code, options: made, command: "portolan receive")
        let met = try await node.waitForMeeting(code, valid: made.lifetime) { reporter.report($0) }
        let peer = try await node.find(met, within: Self.appearing)
        let sending = await sending(items, to: met.fingerprint.description, from: node, settings, console)
        return try await ItemSender.warning(of: items, node, console) { try await sending.deliver(at: peer) }
    }

    /// Time that a device has from the code to being there to receive.
    private static let appearing = Duration.seconds(60)

    /// - Parameter copies: copies to send in place of items that can be read only once; nil sends the items themselves.
    private func sending(
        _ items: [Item], _ copies: [Item]? = nil, to target: String, from node: Node, _ settings: Settings,
        _ console: Console
    ) async -> ItemSender {
        let parcelOptions = parcelOptions
        // Items that make no parcel, such as a pipe, are sent, and cannot be resumed.
        let parcel = try? await node.parcel(items, to: target, options: parcelOptions)
        let content = RegisteredSender.Content.items(copies ?? items, batch: parcel?.id ?? .random())
        let running = await withLookupThread {
            TransferRegister(settings.home).begin(
                items, to: target, as: parcel, from: (try? WorkingFolder.path()) ?? "")
        }
        return ItemSender(
            node: node, target: ParcelTarget(target), items: copies ?? items, titles: items.map(\.title),
            allowsOmissions: parcelOptions.allowsOmissions, awaiting: awaiting,
            sending: RegisteredSender(
                content, to: ParcelTarget(target), from: node,
                options: parcelOptions.sendOptions(over: settings.sendOptions), as: running,
                patience: awaiting.patience),
            console: console)
    }

    /// Options for sending, as the command line gives them.
    private var parcelOptions: ParcelOptions {
        var parcelOptions = transfer.parcelOptions
        parcelOptions.converters = options.usesConverters
        parcelOptions.interfaces = network.chosenInterfaces
        parcelOptions.discovery = network.discovery
        return parcelOptions
    }
}
