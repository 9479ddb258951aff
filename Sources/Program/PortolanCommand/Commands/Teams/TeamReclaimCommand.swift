import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan team reclaim`.
struct TeamReclaimCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "reclaim", "Take back a team that this device founded and was removed from.",
        examples: """
            portolan team reclaim
            portolan team reclaim acme --remove ben
            """,
        manual: """
            The device that founded a team can make itself an admin again at any time, and every member follows it. \
            Admins who removed it stay members and are admins no more; --remove takes them out of the team, too. The \
            secrets change. Changes made after the removal are lost, and those that its signer made before it, unless \
            another admin has signed since; so take in again the devices that joined meanwhile.

            Ends with 77 where this device did not found the team, or is an admin of it.
            """)

    @OptionGroup var choice: NamedTeam

    @Option(
        name: .customLong("remove"), help: .value("name", "Remove this member as well; may be given several times."),
        completion: Completions.members, transform: DeviceArgument.parse)
    var removed: [DeviceArgument] = []

    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(network, team: choice.team))
        let names = try await removedNames(node)
        let report = try await node.reclaimTeam(node.configuration.team, removing: names)
        console.remark("“\(report.view.team.name)” is yours again, and the secrets are new.")
        for line in TeamChangeText.spreading(report) { console.remark(line) }
        console.emit(\.teamChanged, .init(reclaimed: report))
    }

    /// Names of the members in the team; the given names if the library finds no such members.
    private func removedNames(_ node: Node) async throws -> [DeviceName] {
        guard !removed.isEmpty else { return [] }
        // Teams may call one device differently.
        let devices = try await node.reclaimedTeam(node.configuration.team).team.devices
        return try removed.map { try $0.resolved(among: devices) }
    }
}
