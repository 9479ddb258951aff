import Portolan
import PortolanSettings

extension Settings {
    // The optimizer of Swift 6.3.1 crashes if these two throwing functions are inlined in asynchronous functions of a
    // release build.

    /// The settings of the home that the command line names.
    @inline(never)
    init(_ shared: SharedOptions) throws {
        try self.init(home: shared.homeDirectory())
    }

    /// - Parameters:
    ///   - network: nil for a command that does not use the network.
    ///   - items: nil for a command that offers nothing.
    ///   - team: team on the command line.
    ///   - stallWait: longest time without progress, zero for no limit; nil if not on the command line.
    ///   - discoverable: nil if not on the command line.
    /// - Throws: `CommandFailure` if this machine has no interface of the given name.
    @inline(never)
    func node(
        _ network: NetworkOptions?, port: UInt16? = nil, name: DeviceName? = nil, items: ItemOptions? = nil,
        team: TeamName? = nil, stallWait: Duration? = nil, discoverable: Node.Configuration.Discoverability? = nil
    ) throws(CommandFailure) -> Node.Configuration {
        try network?.check()
        var overrides = Overrides()
        overrides.name = name
        overrides.port = port
        overrides.interfaces = network?.chosenInterfaces
        overrides.discovery = network?.discovery
        overrides.discoverability = discoverable
        overrides.team = team ?? items?.team
        overrides.stallWait = stallWait
        overrides.converters = items?.usesConverters ?? true
        return node(overrides)
    }
}
