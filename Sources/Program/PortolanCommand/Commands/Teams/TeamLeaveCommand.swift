import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan team leave`.
struct TeamLeaveCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "leave", "Take this device out of a team.",
        examples: """
            portolan team leave acme
            """,
        manual: """
            It says so to the members that can be reached, and forgets the members and the secrets. A member that \
            knows treats it as a stranger at once and tells the others; the next admin's device that hears of it \
            changes the secrets. If no member could be told it ends with 69: it is out, and the others list it until \
            an admin removes it.
            """)

    @OptionGroup var choice: NamedTeam
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(network, team: choice.team))
        let team = try await node.team(node.configuration.team).team
        let (told, notReached) = try await node.leaveTeam(team.id.description)
        console.remark("This device is out of “\(team.name)”.")
        if !told.isEmpty { console.remark("Told: \(TeamText.list(told))") }
        if !told.isEmpty, !notReached.isEmpty {
            console.remark(
                "Not reached: \(TeamText.list(notReached)). They learn it when they next meet a member that knows.")
        }
        console.emit(\.teamLeft, .init(team, told: told, notReached: notReached))
        guard told.isEmpty, !notReached.isEmpty else { return }
        let admins = team.members.filter { $0.isAdmin && notReached.contains($0.name) }.map(\.name)
        let own = team.members.first { $0.key.fingerprint == node.identity.fingerprint }?.name ?? node.identity.name
        throw CommandFailure(
            .unreachable,
            "No other member of “\(team.name)” could be told. They list this device until an admin"
                + (admins.isEmpty ? "" : " (\(TeamText.list(admins)))")
                + " runs: portolan team remove \(DisplayText.shellWord(own.text))")
    }
}

/// `portolan team use`.
struct TeamUseCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "use", "Make a team the default one.",
        examples: "portolan team use acme",
        manual: "Items marked 'team' or 'group' belong to the default team unless --team names another.")

    @Argument(help: .value("team", "Which team."), completion: Completions.teams, transform: TeamSyntax.parse)
    var team: TeamName

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let node = try await Node(settings.node(nil))
        try await node.useTeam(team.text)
        let view = try await node.team(team.text)
        console.remark("“\(view.team.name)” is the default team now.")
        if let configured = settings.file.team, configured != view.team.name {
            console.diagnose("\(settings.home.configurationFile) names “\(configured)”; that goes first.")
        }
        console.emit(\.team, .init(view, own: node.identity.fingerprint))
    }
}
