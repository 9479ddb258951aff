import ArgumentParser
import Portolan
import PortolanTrust

/// `portolan share`: items that stay on offer.
struct ShareCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Keep items on offer until stopped; others list and fetch them when they want them.",
        discussion: """
            Others see what is there for them with 'portolan ls NAME', and fetch it with 'portolan get NAME:ITEM'. What somebody may \
            not see is not listed and cannot be fetched; who may see it is looked at each time somebody asks, and while it is sent. A file \
            is given as it is at that time, and may be replaced by another one of the same owner in the same folder. An item whose path \
            leads to something else than when it was shared, such as over a symbolic link, is withdrawn, and that is said here.

              portolan share plan.html --as md=plan.md --to @acme
              portolan share photos/ --discoverable team

            Here paths and --as make one item of several forms if there is one path, which is then the best form.

            'portolan receive --share PATH' receives as well, in one process and on one port. Ctrl-C ends it with 0.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "For whom everything is that names nobody else: @team or @team/group; everybody if left out.",
            valueName: "@team[/group]"),
        transform: TeamTarget.parse)
    var to: TeamTarget?

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if !options.isOnePathInForms { try options.checkTitle() }
        if options.readsStandardInput {
            throw ValidationError("Standard input can be read once, so it cannot stay on offer; use 'portolan send'.")
        }
    }

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        var configuration = listening.configuration(settings, network, items: options)
        configuration.idleTime = ReceiveCommand.idleTime
        configuration.takesOtherPorts = listening.port == nil
        let node = try await Node(configuration)
        let items = try await options.sharedItems(of: node, for: to)
        let reporter = ShareReporter(console, node: node)
        do {
            try await node.share(items) { reporter.report($0) }
        } catch is CancellationError {
            // Stopping is how sharing ends.
        }
        await node.close()
    }
}

extension ItemOptions {
    /// The items as they stay on offer: one path and `--as` are forms of one item, and all of it is for `target`.
    func sharedItems(of node: Node, for target: TeamTarget?) async throws -> [Item] {
        var items = try await items(of: node, to: target)
        if isOnePathInForms, items.count == 2 {
            items[0].representations += items[1].representations
            items.remove(at: 1)
        }
        guard let target else { return items }
        let audience = try await node.audience(team: target.team.text, groups: target.group.map { [$0] } ?? [])
        let level: RequestedRestriction = .level(target.group == nil ? .team : .group)
        for item in items.indices {
            for form in items[item].representations.indices
            where items[item].representations[form].requested == .level(.all) {
                items[item].representations[form].requested = .exactly(level.completed(with: audience))
            }
        }
        return items
    }
}
