import ArgumentParser
import Portolan
import PortolanSettings

/// A command that changes a team, which only an admin's device can do.
protocol TeamChangeCommand: NetworkSubcommand {
    associatedtype Choice: TeamChoice

    var choice: Choice { get }

    /// The change, in a team as this device knows it.
    ///
    /// - Throws: `CommandFailure` if an argument could mean several members.
    func change(in team: Team) throws -> TeamChange
}

extension TeamChangeCommand {
    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(network, team: choice.team))
        let team = node.configuration.team
        let change = try change(in: await node.team(team).team)
        let report = try await node.changeTeam(team, change)
        console.remark(TeamChangeText.sentence(change, report))
        for line in TeamChangeText.spreading(report) { console.remark(line) }
        console.emit(\.teamChanged, .init(change, report))
    }
}

/// The member that a command is about.
struct MemberArgument: ParsableArguments {
    @Argument(
        help: .value("name", "Name of the member, or the beginning of a fingerprint; 'portolan team show' lists them."),
        completion: Completions.members, transform: DeviceArgument.parse)
    var device: DeviceArgument

    /// Name of the member in a team; the typed text if there is no such member, which the library reports.
    func name(in team: Team) throws -> DeviceName { try device.resolved(among: team.devices) }
}

/// `portolan team remove`.
struct TeamRemoveCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "remove", "Remove a member, and change the team's secrets.",
        examples: "portolan team remove ben",
        manual: """
            The members that can be reached learn it at once, the others when they next meet one that knows. Until \
            then they take the removed one for a member. 'portolan sync' lists there the files that it gives a folder \
            of theirs after the removal was signed.
            """)

    @OptionGroup var whom: MemberArgument

    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) throws -> TeamChange { .remove(try whom.name(in: team)) }
}

/// `portolan team promote`.
struct TeamPromoteCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "promote", "Make a member an admin, who can take in and remove others.",
        examples: "portolan team promote cleo",
        manual: """
            An admin stays one until it is removed or demoted. Two are better than one: a team whose only admin's device is lost cannot \
            be changed any more, and ends when its time is over.
            """)

    @OptionGroup var whom: MemberArgument

    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) throws -> TeamChange { .promote(try whom.name(in: team)) }
}

/// `portolan team demote`.
struct TeamDemoteCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "demote", "Make an admin a member like others, without removing it.",
        examples: "portolan team demote cleo",
        manual: """
            The member keeps its groups, and the devices that it took in stay. Its signatures for the team from then \
            on do not count. An admin cannot demote itself; the founder can take the team back, see 'portolan team \
            reclaim'.
            """)

    @OptionGroup var whom: MemberArgument

    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) throws -> TeamChange { .demote(try whom.name(in: team)) }
}

/// `portolan team renew`.
struct TeamRenewCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "renew", "Sign a team anew, so that it is good for another 90 days.",
        examples: "portolan team renew acme",
        manual: "An admin's device does that by itself while it runs; this is for one that seldom does.")

    @OptionGroup var choice: NamedTeam
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) -> TeamChange { .renew }
}

/// `portolan team group`.
struct TeamGroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "group", "Put members into groups, and take them out.",
        examples: """
            portolan team group add design ben
            portolan team group remove design ben
            """,
        manual: "A group is there as soon as a member is in it, and gone when none is.",
        subcommands: [TeamGroupAddCommand.self, TeamGroupRemoveCommand.self])
}

/// Arguments of both commands that change groups.
struct GroupMembership: ParsableArguments {
    @Argument(help: .value("group", "Which group."), completion: Completions.groups, transform: GroupArgument.parse)
    var group: GroupName

    @OptionGroup var whom: MemberArgument
}

/// `portolan team group add`.
struct TeamGroupAddCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "add", "Put a member into a group, which is made if there is none of that name.",
        examples: "portolan team group add design ben")

    @OptionGroup var membership: GroupMembership
    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) throws -> TeamChange {
        .addToGroup(membership.group, try membership.whom.name(in: team))
    }
}

/// `portolan team group remove`.
struct TeamGroupRemoveCommand: TeamChangeCommand {
    static let configuration = CommandConfiguration(
        "remove", "Take a member out of a group.",
        examples: "portolan team group remove design ben")

    @OptionGroup var membership: GroupMembership
    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func change(in team: Team) throws -> TeamChange {
        .removeFromGroup(membership.group, try membership.whom.name(in: team))
    }
}
