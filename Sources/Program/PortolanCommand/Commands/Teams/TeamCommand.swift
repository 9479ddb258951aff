import ArgumentParser
import Portolan

/// `portolan team`: teams and their members.
struct TeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "team", "Make, join, show, change and leave teams.",
        examples: """
            portolan team create acme              # its first member and admin
            portolan team invite --group design    # shows a code, and waits
            portolan team join 7-walnut-harbor     # on the other machine
            portolan team show
            portolan team remove ben               # the secrets change, too
            portolan send report.pdf --to @acme/design
            portolan receive --from @acme
            """,
        manual: """
            A team is a list of devices that its admins sign, and that its members hand on to each other. Items marked \
            'team' or 'group' reach its members, and no other device learns that they exist.

            Of several teams, one is the default: the first, until 'portolan team use' names another. --team goes before \
            both that and the configuration file's.

            \(TeamPage.text)
            """,
        subcommands: [
            TeamCreateCommand.self, TeamInviteCommand.self, TeamJoinCommand.self, TeamListCommand.self,
            TeamShowCommand.self, TeamRemoveCommand.self, TeamGroupCommand.self, TeamPromoteCommand.self,
            TeamDemoteCommand.self, TeamRenewCommand.self, TeamReclaimCommand.self, TeamUseCommand.self,
            TeamLeaveCommand.self,
        ],
        defaultSubcommand: TeamListCommand.self)
}

/// Option that names the team of a command.
struct TeamOption: ParsableArguments, TeamChoice {
    @Option(
        help: .value("name", "Which team; the default one if left out."),
        completion: Completions.teams, transform: TeamSyntax.parse)
    var team: TeamName?
}

/// Argument for the team, in commands without another argument.
struct NamedTeam: ParsableArguments, TeamChoice {
    @Argument(
        help: .value("team", "Which team; the default one if left out."),
        completion: Completions.teams, transform: TeamSyntax.parse)
    var team: TeamName?
}

/// Choice of a team, by an option or an argument.
protocol TeamChoice: Sendable {
    /// Nil for the default team.
    var team: TeamName? { get }
}
