import ArgumentParser
import Portolan
import PortolanTrust

/// Options of a command that others connect to.
struct ListeningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who can find this device: \(DiscoverabilityArgument.words).",
            discussion: "With 'team', members of your teams recognise it, and strangers do not learn who it is.",
            valueName: "who"),
        transform: DiscoverabilityArgument.parse)
    var discoverable: Node.Configuration.Discoverability?

    @Option(
        help: ArgumentHelp("Listen on this port; by default 47217, or another one if it is taken.", valueName: "port"),
        transform: PortArgument.parse)
    var port: UInt16?

    @Option(help: ArgumentHelp("Go by this name for now; 'portolan id --name' changes it for good.", valueName: "name"))
    var name: String?

    func configuration(
        _ settings: Settings, _ network: NetworkOptions, items: ItemOptions? = nil
    ) throws -> Node.Configuration {
        settings.node(
            network, port: port, name: try name.map { try DeviceName($0) }, items: items, discoverable: discoverable)
    }
}
