import ArgumentParser
import Portolan
import PortolanConfiguration
import PortolanValues

/// `portolan team leave`.
struct TeamLeaveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Take this device out of a team.",
        discussion: HelpText.discussion(
            examples: "portolan team leave acme",
            manual: "It forgets the members and the secrets. The others go on listing it until an admin removes it."))

    @OptionGroup var choice: NamedTeam
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil, team: choice.team))
        let team = try await node.team(node.configuration.team).team
        try await node.leaveTeam(team.id.description)
        console.remark("This device is out of “\(team.name)”.")
        if let own = team.members.first(where: { $0.key.fingerprint == node.identity.fingerprint })?.name {
            let admins = team.members.filter { $0.isAdmin && $0.name != own }.map { "“\($0.name)”" }
            if !admins.isEmpty {
                console.remark(
                    "The others list it until an admin (\(admins.joined(separator: ", "))) runs: "
                        + "portolan team remove \(DisplayText.shellWord(own.text))")
            }
        }
        console.emit(\.teamLeft, .init(team))
    }
}

/// `portolan team use`.
struct TeamUseCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Make a team the default one.",
        discussion: HelpText.discussion(
            examples: "portolan team use acme",
            manual: "What is marked 'team' or 'group' belongs to the default team unless --team names another."))

    @Argument(
        help: ArgumentHelp("Which team.", valueName: "team"),
        completion: Completions.teams, transform: TeamSyntax.parse)
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
