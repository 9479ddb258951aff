import ArgumentParser
import Portolan
import PortolanDiscovery
import PortolanSettings

/// Options every command has.
struct SharedOptions: ParsableArguments {
    @Option(
        help: .value("dir", "Keep this device's key, name and memory under DIR; wins over PORTOLAN_HOME."),
        completion: .directory)
    var home: String?

    @Option(
        help: .value("file", "Read the settings from FILE in place of this device's own configuration file."),
        completion: .file())
    var config: String?

    @Flag(help: "Print one JSON object a line on standard output; see 'portolan help json-output'.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print results and errors only: no remarks, no progress.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say on standard error whether the agent does it, where it could.")
    var verbose = false

    /// - Parameter output: stream of results.
    func makeConsole(output: Terminal = .output) -> Console {
        Console(format: json ? .json : .human, isQuiet: quiet, isVerbose: verbose, output: output)
    }

    func homeDirectory() throws -> HomeDirectory {
        var directory = try HomeDirectory(override: home, environment: HomeDirectory.environmentOfThisProcess)
        directory.chosenConfigurationFile = try config.map(WorkingFolder.absolute)
        return directory
    }
}

/// Options of every command that touches the network, with those of every command.
struct NetworkOptions: ParsableArguments {
    @Option(
        name: .customLong("interface"),
        help: ArgumentHelp(
            "Use this network interface only, such as eth0 or lo; may be given several times.", valueName: "name"))
    var interfaces: [String] = []

    @Option(
        help: .value("how", "How peers find each other: \(DiscoverySyntax.words)."), transform: DiscoverySyntax.parse)
    var discovery: Node.Configuration.Discovery?

    @OptionGroup var shared: SharedOptions

    /// nil where none was named.
    var chosenInterfaces: [String]? { interfaces.isEmpty ? nil : interfaces }

    /// - Throws: `CommandFailure` where this machine has no interface of a name that was given.
    func check() throws(CommandFailure) {
        guard let name = interfaces.first(where: { NetworkInterface(named: $0) == nil }) else { return }
        throw CommandFailure(.unreachable, "\(DiscoveryError.noSuchInterface(name))", fault: .noInterface)
    }
}
