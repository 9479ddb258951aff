import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan team join`.
struct TeamJoinCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "join", "Join a team with the code that an admin's device shows.",
        examples: """
            portolan team join 7-walnut-harbor --name "Ada's laptop"
            portolan team join
            portolan team join - <code.txt        # without a terminal
            """,
        manual: """
            Without a code, it asks for it at the terminal.

            If a member is called the same, the admin's device gives this one the name with a number, “debian (2)”, and this \
            command says so.

            Ends with 77 for a wrong code, with 69 if no device invites with that number.
            """)

    @OptionGroup var entered: CodeArguments

    @Option(
        help: .value("name", "Name of this device in the team; its own name if left out."),
        transform: DeviceName.given)
    var name: DeviceName?

    @OptionGroup var search: CodeSearch
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(network))
        let code = try await (entered.source ?? .terminal).read(console)
        let reporter = CodeReporter(console: console)
        let view = try await node.join(with: code, as: name, at: search.place, wait: search.duration) {
            reporter.report($0)
        }
        let groups = view.ownGroups.isEmpty ? "" : ", in \(TeamText.list(view.ownGroups))"
        console.remark(
            "This device is in “\(view.team.name)” now\(groups), one of \(Human.count(view.team.members.count, "member"))."
        )
        let wanted = name ?? node.identity.name
        if let given = view.ownName, given != wanted {
            let isTaken = view.team.members.contains { $0.name.comparisonKey == wanted.comparisonKey }
            console.remark(
                "The others know it as “\(given)”"
                    + (isTaken ? ": another member is called “\(wanted)”." : ", as it was a member already."))
        }
        console.emit(\.team, .init(view, own: node.identity.fingerprint))
        console.emit(.end(.done))
    }
}
