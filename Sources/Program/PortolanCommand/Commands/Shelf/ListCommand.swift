import ArgumentParser
import Portolan
import PortolanSettings

/// `portolan ls`: items that a peer shares with this device.
struct ListCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "ls", "List the items that a peer shares with this device.",
        examples: """
            portolan ls workstation
            portolan ls k3xq-7m2a --json
            portolan ls 192.0.2.7:47217
            """,
        manual: """
            Each item with its forms in the peer's order, their types and sizes. Items that this device may not see \
            are not there.
            """)

    @Argument(
        help: ArgumentHelp(
            "The holder of the items: a name, the beginning of a fingerprint (8 characters or more), or host:port.",
            valueName: "peer"),
        completion: Completions.peers)
    var peer: String

    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let node = try await Node(Settings(shared).node(network))
        let found = try await node.find(peer, withEveryInstance: true)
        let items = try await node.items(of: found)
        for item in items {
            console.say(SharedItemLine.text(item))
            console.emit(\.sharedItem, .init(item))
        }
        if items.isEmpty { console.remark("There is nothing for this device.") }
    }
}
