import ArgumentParser
import Portolan
import PortolanTrust

/// `portolan send`.
struct SendCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send files, folders, text, or one item in several representations to a peer, or to a team.",
        discussion: """
            The receiver takes, of each item, the first representation in your order that it can import, or declines. \
            Nothing is read or produced before it has. When this ends with 0, everything lies durably in its inbox.

              portolan send photo.png notes.md --to workstation
              portolan send --text "see you at 5" --to k3xq-7m2a
              date | portolan send - --to 192.0.2.7:47217 --type public.utf8-plain-text
              portolan send --as public.html@team=n.html --as md=n.md --as txt=n.txt --to workstation
              portolan send report.pdf --to @acme            # every member that can be reached
              portolan send report.pdf --to @acme/design     # those in one group

            With several items, the exit status is that of the first one that was not stored. To a team, it is 0 when at least \
            one member was reached and everyone who was has stored everything, else that of the first, in the order of \
            'team show', who was reached and has not; 69 when nobody was.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "Whom to send to: a name, the beginning of a fingerprint (8 characters or more), host:port, @team or @team/group.",
            valueName: "peer"))
    var to: String

    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard TeamTarget.names(to) else { return }
        do throws(ArgumentFailure) {
            _ = try TeamTarget.parse(to)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func perform(_ console: Console) async throws {
        let node = try Node(Settings(shared).node(network, items: options))
        let target = TeamTarget.names(to) ? try TeamTarget.parse(to) : nil
        let items = try await options.items(of: node, to: target)
        let status =
            if let target {
                try await send(items, to: target, from: node, console)
            } else {
                try await send(items, from: node, console)
            }
        console.emit(.result(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func send(_ items: [Item], from node: Node, _ console: Console) async throws -> ExitStatus {
        let peer = try await node.find(to)
        if let clones = peer.clones { console.diagnose(DisplayText(clones, limit: 1000).text) }
        let reporter = SendReporter(console, titles: items.map(\.title))
        let deliveries = try await node.send(items, to: peer) { reporter.report($0) }
        // What was not offered has nothing to happen to it, so no event told of it.
        return deliveries.lazy.map(\.status).first { $0 != .done } ?? .done
    }

    private func send(
        _ items: [Item], to target: TeamTarget, from node: Node, _ console: Console
    ) async throws -> ExitStatus {
        let reporter = TeamSendReporter(console, titles: items.map(\.title), target: target)
        let deliveries = try await node.send(items, toTeam: target.team.text, group: target.group) { member, event in
            reporter.report(event, of: member)
        }
        return reporter.conclude(deliveries)
    }
}

extension Event {
    static func result(_ status: ExitStatus) -> Event {
        Event(.result, ["code": .integer(Int64(status.rawValue)), "kind": .string(status.word)])
    }
}
