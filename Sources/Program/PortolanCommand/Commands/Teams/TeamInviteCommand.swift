import ArgumentParser
import Portolan
import PortolanSettings
import Synchronization

/// `portolan team invite`.
struct TeamInviteCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "invite", "Show a code, and take the device that enters it into the team.",
        examples: """
            portolan team invite
            portolan team invite --group design --group print --uses 5 --valid 1h
            portolan team invite --qr
            """,
        manual: """
            Only an admin's device can do that. It waits until the code has been used up or its time is over; Ctrl-C ends it, \
            and the code with it. A wrong code ends the right one. A device that is a member already is put into the groups, too.

            The code is the first line on standard output; with --quiet, there is no other. Ends with 0 when at least one device \
            has joined, with 75 after Ctrl-C, with 77 where this device is no admin.
            """)

    /// Enough for a class of people who are in one room and hear the code.
    private static let mostUses = 100

    @Option(
        name: .customLong("group"),
        help: ArgumentHelp("Put the joining device into this group; may be given several times.", valueName: "group"),
        completion: Completions.groups, transform: GroupArgument.parse)
    var groups: [GroupName] = []

    @Option(help: .value("number", "How many devices may join with the code."))
    var uses = 1

    @OptionGroup var made: CodeOptions
    @OptionGroup var choice: TeamOption
    @OptionGroup var network: NetworkOptions

    func validate() throws {
        guard (1...Self.mostUses).contains(uses) else {
            throw ValidationError("--uses is a number from 1 to \(Self.mostUses).")
        }
        try made.validate(with: shared)
    }

    func perform(_ console: Console) async throws {
        var configuration = try Settings(shared).node(network, team: choice.team)
        configuration.takesOtherPorts = true
        let node = try await Node(configuration)
        let view = try await node.team(node.configuration.team)
        guard view.isAdmin else {
            throw CommandFailure(
                .notTrusted,
                "Only an admin of “\(view.team.name)” can take others in; 'portolan team show' says who is one.")
        }
        try made.check()
        let code = try await node.makePairingCode()
        let reporter = CodeReporter(console: console)
        try reporter.announce(
            code, options: made, command: "portolan team join",
            invitation: CodeReporter.Invitation(team: view.team, groups: groups, uses: uses))
        let count = Mutex(0)
        do {
            try await node.invite(
                to: view.team.id.description, groups: groups, uses: uses, code: code, valid: made.lifetime
            ) { member in
                count.withLock { $0 += 1 }
                tell(member, of: view.team, on: console)
            } events: {
                reporter.report($0)
            }
        } catch let error as NodeError where error.kind == .unreachable && count.withLock({ $0 > 0 }) {
            // The time ended before all uses: some devices have not joined, the others are members.
            console.diagnose("\(Human.count(count.withLock(\.self), "device")) of \(uses) have joined.")
        }
        console.emit(.end(.done))
    }

    private func tell(_ member: Member, of team: Team, on console: Console) {
        console.remark("“\(member.name)” has joined “\(team.name)”: \(member.key.fingerprint)")
        console.emit(\.joined, .init(member, of: team))
    }
}
