import ArgumentParser
import Foundation
import Portolan
import PortolanTrust
import UniformTypeIdentifiers

/// `portolan receive`.
struct ReceiveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Be visible to others and receive into a folder, until stopped.",
        discussion: """
            For each offer it asks at the terminal: who, with which fingerprint, what, how large, and which \
            representation it would take. Without a terminal and without --yes it declines everything.

            Of each item it takes the first representation, in the sender's order, whose type is a kind of one that \
            --accept names. An existing file is never replaced: the new one becomes “name (2).ext”. Nothing half-received \
            is ever visible.

              portolan receive --into ~/Drop
              portolan receive --accept public.image --accept public.text --once --yes --json
              portolan receive --from @acme --discoverable team

            Ctrl-C ends it with 0, or with 75 if that broke off a transfer or --once still waited.
            """)

    @Option(
        help: ArgumentHelp(
            "The folder to receive into, made if missing; by default the configured inbox, else ~/Portolan.",
            valueName: "dir"))
    var into: String?

    @Option(
        help: ArgumentHelp(
            "A type that can be taken; may be given several times. Without it, everything.", valueName: "type"),
        transform: TypeArgument.parse)
    var accept: [UTType] = []

    @Flag(help: "End after the first offer of which something was received.")
    var once = false

    @Flag(name: .shortAndLong, help: "Take everything that can be taken, from anybody, without asking.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Take what can be taken from members of a team without asking, and nothing from anybody else; several times for more.",
            valueName: "@team[/group]"),
        transform: TeamTarget.parse)
    var from: [TeamTarget] = []

    @Option(
        help: ArgumentHelp(
            "Who can find this device: \(DiscoverabilityArgument.words.joined(separator: ", ")).",
            discussion: "With 'team', members of your teams recognise it, and strangers do not learn who it is.",
            valueName: "who"),
        transform: DiscoverabilityArgument.parse)
    var discoverable: Node.Configuration.Discoverability?

    @Option(
        help: ArgumentHelp("Listen on this port; by default 47217, or another one if it is taken.", valueName: "port"),
        transform: PortArgument.parse)
    var port: UInt16?

    @Option(help: ArgumentHelp("Go by this name for now; 'portolan id --name' changes it for good.", valueName: "name"))
    var name: String?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if !from.isEmpty, yes {
            throw ValidationError("--from takes without asking from some, --yes from everybody; give one of them.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try Node(
            settings.node(
                network, port: port, name: name.map { try DeviceName($0) }, discoverable: discoverable))
        let inbox = folder(settings)
        let types = accept.isEmpty ? settings.file.accept : accept
        let sources = try sources(node)
        let decider = Decider(console, takesEverything: yes || sources != nil)
        let reporter = ReceiveReporter(console, node: node, inbox: inbox)
        do {
            try await withTaskCancellationHandler {
                try await receiving(on: node, into: inbox, accepting: types, from: sources, decider, reporter)
            } onCancel: {
                reporter.stop()
            }
        } catch is CancellationError {
            // Stopping is how receiving ends; only what it broke off is worth a status of its own.
            guard !once, !reporter.brokeSomethingOff else { throw CancellationError() }
        }
        if once { console.emit(.result(.done)) }
    }

    private func receiving(
        on node: Node, into inbox: String, accepting types: [UTType]?, from sources: [Source]?, _ decider: Decider,
        _ reporter: ReceiveReporter
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await node.receive(into: inbox, accepting: types, from: sources) { offer in
                    await decider.decide(on: offer)
                } events: { event in
                    reporter.report(event)
                }
            }
            if once {
                tasks.addTask { await reporter.waitUntilSomethingWasReceived() }
            }
            defer { tasks.cancelAll() }
            try await tasks.next()
            try Task.checkCancellation()
        }
    }

    /// - Throws: `NodeError` if there is no such team or group.
    private func sources(_ node: Node) throws -> [Source]? {
        guard !from.isEmpty else { return nil }
        return try from.map { target in
            let audience = try node.audience(team: target.team.text, groups: target.group.map { [$0] } ?? [])
            return Source(team: audience.team, group: target.group)
        }
    }

    private func folder(_ settings: Settings) -> String {
        let chosen = into ?? settings.file.inbox ?? settings.home.root.map { $0 + "/inbox" }
        let path = chosen ?? NSHomeDirectory() + "/Portolan"
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
