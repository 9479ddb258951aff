import ArgumentParser
import Portolan
import PortolanTrust

/// `portolan send`.
struct SendCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send files, folders, text, or one item in several representations to a peer.",
        discussion: """
            The receiver takes, of each item, the first representation in your order that it can import, or declines. \
            Nothing is read or produced before it has. When this ends with 0, everything lies durably in its inbox.

              portolan send photo.png notes.md --to workstation
              portolan send --text "see you at 5" --to k3xq-7m2a
              date | portolan send - --to 192.0.2.7:47217 --type public.utf8-plain-text
              portolan send --as public.html@team=n.html --as md=n.md --as txt=n.txt --to workstation

            With several items, the exit status is that of the first one that was not stored.
            """)

    @OptionGroup var options: ItemOptions

    @Option(
        help: ArgumentHelp(
            "Whom to send to: a name, the beginning of a fingerprint (8 characters or more), or host:port.",
            valueName: "peer"))
    var to: String

    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let items = try await options.items()
        let node = try Node(settings.node(network, items: options))
        let peer = try await node.find(to)
        let reporter = SendReporter(console, titles: items.map(\.title))
        let deliveries = try await node.send(items, to: peer) { reporter.report($0) }
        // What was not offered has nothing to happen to it, so no event told of it.
        let status = deliveries.lazy.map(\.status).first { $0 != .done } ?? .done
        console.emit(.result(status))
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

extension Event {
    static func result(_ status: ExitStatus) -> Event {
        Event(.result, ["code": .integer(Int64(status.rawValue)), "kind": .string(status.word)])
    }
}
