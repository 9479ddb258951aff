import Portolan
import PortolanTrust

/// What holds for one run: the command line first, then the configuration file, then the defaults.
struct Settings: Sendable {
    let home: HomeDirectory
    let file: ConfigurationFile

    /// Reads the configuration file of the home, if it has one.
    init(_ shared: SharedOptions) throws {
        home = try shared.homeDirectory()
        file = try ConfigurationFile.load(path: home.configurationFile)
    }

    /// - Parameters:
    ///   - network: nil for a command that does not touch the network.
    ///   - items: nil for a command that offers nothing.
    ///   - team: what the command line names as the team that is meant.
    ///   - discoverable: nil where the command line says nothing about it.
    func node(
        _ network: NetworkOptions?, port: UInt16? = nil, name: DeviceName? = nil, items: ItemOptions? = nil,
        team: TeamName? = nil, discoverable: Node.Configuration.Discoverability? = nil
    ) -> Node.Configuration {
        var configuration = Node.Configuration(home: home)
        configuration.name = name ?? file.name
        configuration.port = port ?? file.port
        configuration.interfaces = network?.chosenInterfaces ?? file.interfaces
        configuration.discovery = network?.discovery ?? file.discovery ?? configuration.discovery
        configuration.discoverability = discoverable ?? file.discoverable ?? configuration.discoverability
        configuration.team = (team ?? items?.team ?? file.team)?.text
        configuration.converters = items?.usesConverters ?? true && file.converters ?? true
        configuration.offerDeadline = file.timeouts.offer ?? configuration.offerDeadline
        configuration.silence = file.timeouts.silence ?? configuration.silence
        configuration.answerWait = file.timeouts.answer ?? configuration.answerWait
        configuration.findWait = file.timeouts.find ?? configuration.findWait
        return configuration
    }

    /// - Parameters:
    ///   - limitRate, reserve, maximumSize: values of the command line's options.
    func receiveOptions(
        limitRate: UInt64? = nil, reserve: UInt64? = nil, maximumSize: UInt64? = nil
    ) -> Node.ReceiveOptions {
        var options = Node.ReceiveOptions()
        options.rateLimit = limitRate ?? file.limitRate
        options.reserve = reserve ?? file.reserve ?? options.reserve
        options.maximumSize = maximumSize ?? file.maximumSize ?? options.maximumSize
        options.partialLifetime = file.partials ?? options.partialLifetime
        return options
    }
}
