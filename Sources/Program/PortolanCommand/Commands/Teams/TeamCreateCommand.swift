import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan team create`.
struct TeamCreateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "create", "Make a team of which this device is the first member and admin.",
        examples: "portolan team create acme",
        manual: "A team's name has at most 63 bytes and no space, “/”, “@” or “,” in it.")

    @Argument(help: .value("team", "Its name."), transform: TeamSyntax.parse)
    var team: TeamName

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil))
        let view = try await node.createTeam(team)
        console.remark("There is a team “\(view.team.name)” now. 'portolan team invite' takes others in.")
        if let warning = TeamText.onlyAdmin(view) { console.remark(warning) }
        console.emit(\.team, .init(view, own: node.identity.fingerprint))
    }
}
