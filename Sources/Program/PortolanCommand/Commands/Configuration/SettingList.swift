import Portolan
import PortolanSettings

/// All settings of a run, each with its origin.
struct SettingList: Sendable {
    private typealias Row = NodeEvent.Setting
    private let settings: Settings
    private let listening: ListeningOptions
    private let network: NetworkOptions
    /// Values of `--home` and `--config`; nil if not given.
    private let homeOption: String?
    private let configOption: String?

    private var file: ConfigurationFile { settings.file }
    private var home: HomeDirectory { settings.home }

    init(
        _ settings: Settings, _ listening: ListeningOptions, _ network: NetworkOptions, home: String?, config: String?
    ) {
        self.settings = settings
        self.listening = listening
        self.network = network
        homeOption = home
        configOption = config
    }

    /// May block.
    ///
    /// - Throws: `StoreError` if this device's state cannot be read.
    func rows() throws -> [NodeEvent.Setting] {
        try folders() + [name()] + networkRows() + [team()] + receivingRows() + timeoutRows()
    }

    // MARK: - Folders

    private func folders() -> [Row] {
        let environment = HomeDirectory.environmentOfThisProcess
        func folder(_ key: String, _ path: String, _ variable: String) -> Row {
            if home.root != nil {
                return homeOption == nil
                    ? Row(key, path, .environment, at: HomeDirectory.overrideVariable)
                    : Row(key, path, .option, at: "--home")
            }
            let isSet = environment[variable]?.hasPrefix("/") ?? false
            return Row(key, path, isSet ? .environment : .byDefault, at: isSet ? variable : nil)
        }
        var rows = [
            folder("configuration folder", home.configuration, "XDG_CONFIG_HOME"),
            folder("data folder", home.data, "XDG_DATA_HOME"), folder("state folder", home.state, "XDG_STATE_HOME"),
            folder("cache folder", home.cache, "XDG_CACHE_HOME"),
        ]
        if let runtime = home.runtime { rows.append(folder("runtime folder", runtime, "XDG_RUNTIME_DIR")) }
        let isChosen = configOption != nil
        rows.append(
            Row(
                "settings", home.configurationFile, isChosen ? .option : .byDefault, at: isChosen ? "--config" : nil))
        return rows
    }

    // MARK: - Settings

    /// - Parameters:
    ///   - option: value of an option of this run in the form of the file; nil if not given.
    ///   - written: value of the file; nil for none.
    private func row(
        _ key: String, option: (name: String, value: String?)? = nil, written: String?, default fallback: String?
    ) -> Row {
        if let option, let value = option.value { return Row(key, value, .option, at: option.name) }
        if let written, let line = file.lines[key] {
            return Row(key, written, .file, at: "\(home.configurationFile):\(line)")
        }
        return Row(key, fallback, .byDefault, at: nil)
    }

    private func name() throws -> Row {
        let option = ("--name", listening.name?.text)
        let given = row("name", option: option, written: file.name?.text, default: nil)
        if given.source != .byDefault { return given }
        guard let kept = try DeviceIdentity.storedName(in: home) else {
            return Row("name", DeviceName.ofThisAccount.text, .byDefault, at: nil)
        }
        return Row("name", kept.text, .device, at: "portolan id --name")
    }

    private func team() throws -> Row {
        let given = row("team", written: file.team?.text, default: nil)
        if given.source != .byDefault { return given }
        guard let team = try TeamStore(home: home).all().first(where: \.isDefault) else { return given }
        return Row("team", team.team.name.text, .device, at: "portolan team use")
    }

    private func networkRows() -> [Row] {
        let node = settings.node()
        return [
            // Without one, another port serves where this is taken.
            row(
                "port", option: ("--port", listening.port.map { "\($0)" }), written: file.port.map { "\($0)" },
                default: "\(Node.Configuration.usualPort)"),
            row(
                "interfaces", option: ("--interface", network.chosenInterfaces.map(Self.list)),
                written: file.interfaces.map(Self.list), default: nil),
            row(
                "discovery", option: ("--discovery", network.discovery?.rawValue), written: file.discovery?.rawValue,
                default: node.discovery.rawValue),
            row(
                "discoverable", option: ("--discoverable", listening.discoverable?.rawValue),
                written: file.discoverable?.rawValue, default: node.discoverability.rawValue),
        ]
    }

    private func receivingRows() -> [Row] {
        let options = settings.receiveOptions()
        return [
            row("inbox", written: file.inbox, default: settings.inbox),
            row("accept", written: file.accept.map { Self.list($0.map(\.identifier)) }, default: nil),
            row("converters", written: file.converters.map { "\($0)" }, default: "true"),
            // Without one, a part of the file system that is bounded by this.
            row("reserve", written: file.reserve.map(SizeSyntax.text), default: "1 %, at most 256M"),
            row("max-size", written: file.maximumSize.map(SizeSyntax.text), default: nil),
            row(
                "partials", written: file.partials.map(\.asArgument), default: options.partialLifetime.asArgument),
            row("limit-rate", written: file.limitRate.map(SizeSyntax.text), default: nil),
        ]
    }

    private func timeoutRows() -> [Row] {
        let (node, written) = (settings.node(), file.timeouts)
        func timeout(_ key: String, _ written: Duration?, _ inForce: Duration?) -> Row {
            row(
                "timeouts.\(key)", written: written.map { "\($0.wholeSeconds)" },
                default: inForce.map { "\($0.wholeSeconds)" })
        }
        return [
            timeout("offer", written.offer, node.offerDeadline), timeout("silence", written.silence, node.silence),
            timeout("answer", written.answer, node.answerWait), timeout("find", written.find, node.findWait),
            timeout("retry", written.retry, settings.sendOptions.retry),
            timeout("stall", written.stall, node.stallWait),
        ]
    }

    /// Formats a list as a YAML file writes it.
    private static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }
}
