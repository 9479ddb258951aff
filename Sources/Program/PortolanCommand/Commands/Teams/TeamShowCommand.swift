import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan team show`.
struct TeamShowCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "show", "Show a team: members, groups, admins, how current it is, and until when it is good.",
        examples: """
            portolan team show
            portolan team show acme --json
            """,
        manual: """
            The newest list that this device has been told is shown. The version counts the changes: a device that shows \
            a greater one knows more.
            """)

    @OptionGroup var choice: NamedTeam
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil, team: choice.team))
        let view = try await node.team(node.configuration.team)
        let own = node.identity.fingerprint
        console.say(TeamText.full(view, own: own, now: .now, inFull: console.isVerbose))
        console.emit(\.team, .init(view, own: own))
        if let warning = TeamText.onlyAdmin(view) { console.diagnose(warning) }
        for warning in TeamText.warnings(view) { console.diagnose(warning) }
    }
}

/// `portolan team list`.
struct TeamListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "list", "Show all teams of this device; the default one has an asterisk.",
        examples: "portolan team list")

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(nil))
        let views = try await node.teams()
        for view in views {
            console.say(TeamText.line(view, now: .now))
            console.emit(\.team, .init(view, own: node.identity.fingerprint))
            for warning in TeamText.warnings(view) { console.diagnose(warning) }
        }
        if views.isEmpty {
            console.remark(
                "This device is in no team. Make one with 'portolan team create NAME', or join one with 'portolan team join'."
            )
        }
    }
}
