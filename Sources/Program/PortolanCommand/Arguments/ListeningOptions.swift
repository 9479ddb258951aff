import ArgumentParser
import Portolan
import PortolanSettings

/// Options of a command that accepts connections.
struct ListeningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Devices that can find this one: \(DiscoverabilitySyntax.words).",
            discussion: "With 'team', members of your teams recognise it, and strangers do not learn who it is.",
            valueName: "who"),
        transform: DiscoverabilitySyntax.parse)
    var discoverable: Node.Configuration.Discoverability?

    @Option(
        help: .value("port", "Listen on this port; by default 47217, or another one if it is taken."),
        transform: PortSyntax.parse)
    var port: UInt16?

    @Option(
        help: .value("name", "Go by this name for now; 'portolan id --name' changes it for good."),
        transform: DeviceName.given)
    var name: DeviceName?

    /// - Throws: `CommandFailure` where this machine has no interface of a name on the command line.
    func configuration(
        _ settings: Settings, _ network: NetworkOptions, items: ItemOptions? = nil
    ) throws(CommandFailure) -> Node.Configuration {
        try settings.node(network, port: port, name: name, items: items, discoverable: discoverable)
    }
}
