import Portolan

/// Settings of one run: its arguments, then the configuration file, then the defaults.
package struct Settings: Sendable {
    package let home: HomeDirectory
    package let file: ConfigurationFile

    /// Reads the configuration file of the home, if it has one.
    ///
    /// - Throws: ``ConfigurationError``
    package init(home: HomeDirectory) throws(ConfigurationError) {
        self.home = home
        file = try ConfigurationFile.load(from: home)
    }

    /// Arguments of one run; nil if not given.
    package struct Overrides: Sendable {
        package var name: DeviceName?
        package var port: UInt16?
        package var interfaces: [String]?
        package var discovery: Node.Configuration.Discovery?
        package var discoverability: Node.Configuration.Discoverability?
        /// Team for this run.
        package var team: TeamName?
        /// Longest time without progress; zero waits without end.
        package var stallWait: Duration?
        /// True to offer forms that converters of this machine can make, if the file permits it.
        package var converters = true

        package init() {}
    }

    package func node(_ overrides: Overrides = Overrides()) -> Node.Configuration {
        var configuration = Node.Configuration(home: home)
        configuration.name = overrides.name ?? file.name
        configuration.port = overrides.port ?? file.port
        configuration.interfaces = overrides.interfaces ?? file.interfaces
        configuration.discovery = overrides.discovery ?? file.discovery ?? configuration.discovery
        configuration.discoverability = overrides.discoverability ?? file.discoverable ?? configuration.discoverability
        configuration.team = (overrides.team ?? file.team)?.text
        configuration.converters = overrides.converters && file.converters ?? true
        configuration.offerDeadline = file.timeouts.offer ?? configuration.offerDeadline
        configuration.silence = file.timeouts.silence ?? configuration.silence
        configuration.answerWait = file.timeouts.answer ?? configuration.answerWait
        if let stallWait = overrides.stallWait ?? file.timeouts.stall {
            configuration.stallWait = stallWait == .zero ? nil : stallWait
        }
        configuration.findWait = file.timeouts.find ?? configuration.findWait
        return configuration
    }

    /// Node configuration for sending a parcel.
    ///
    /// - Parameter team: team for making the parcel.
    package func node(for options: ParcelOptions, team: TeamName? = nil) -> Node.Configuration {
        var overrides = Overrides()
        overrides.interfaces = options.interfaces
        overrides.discovery = options.discovery
        overrides.stallWait = options.stallSeconds.map { .seconds($0) }
        overrides.converters = options.converters
        overrides.team = team
        return node(overrides)
    }

    /// Options for sending where a run gives none.
    package var sendOptions: Node.SendOptions {
        var options = Node.SendOptions()
        options.rateLimit = file.limitRate
        options.retry = file.timeouts.retry ?? options.retry
        return options
    }

    /// - Parameters:
    ///   - limitRate, reserve, maximumSize: arguments of the run.
    package func receiveOptions(
        limitRate: UInt64? = nil, reserve: UInt64? = nil, maximumSize: UInt64? = nil
    ) -> Node.ReceiveOptions {
        var options = Node.ReceiveOptions()
        options.rateLimit = limitRate ?? file.limitRate
        options.reserve = reserve ?? file.reserve ?? options.reserve
        options.maximumSize = maximumSize ?? file.maximumSize ?? options.maximumSize
        options.partialLifetime = file.partials ?? options.partialLifetime
        return options
    }

    /// Path of the folder that is received into where a run names none.
    package var inbox: String {
        file.inbox ?? home.root.map { $0 + "/inbox" } ?? home.folderOfUser + "/Portolan"
    }
}

extension HomeDirectory {
    /// Home directory of the user: from the environment if set, as for the key, else from the account.
    package var folderOfUser: String { user ?? NSHomeDirectory() }
}
