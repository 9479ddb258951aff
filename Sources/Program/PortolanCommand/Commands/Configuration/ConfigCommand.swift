import ArgumentParser
import Portolan
import PortolanAgent
import PortolanConcurrency
import PortolanSettings

/// `portolan config`: the settings of this device.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "config", "Show and check the settings of this device, and where they are written down.",
        examples: """
            portolan config path
            portolan config show               # every setting, and where it comes from
            portolan config check draft.yaml
            """,
        manual: """
            No setting is needed. Settings stand in 'portolan.yaml', which \
            'share/doc/portolan/examples/portolan.example.yaml' explains, and are read at the start of each command. \
            Options go before the file, the file before the defaults. The file lies in the directory 'portolan' below \
            XDG_CONFIG_HOME, usually ~/.config, or in 'config' below --home or PORTOLAN_HOME; --config names another \
            one for one run.
            """,
        subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self, ConfigPathCommand.self])
}

/// `portolan config path`.
struct ConfigPathCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "path", "Print the files that settings and rules are read from, there or not.",
        examples: "portolan config path",
        manual: """
            The first is that of the settings, the second the agent's policy. With --quiet, only paths are printed.
            """)

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        // The file is not read: its path is printed even if the file is invalid.
        let home = try shared.homeDirectory()
        let files: [(contents: NodeEvent.ConfigurationFileState.Contents, path: String)] = [
            (.settings, home.configurationFile), (.policy, home.policyFile),
        ]
        for (contents, path) in files {
            let exists = await withLookupThread { access(path.pathBytes, F_OK) == 0 }
            let shown = DisplayText(path, limit: 4096)
            let kind = contents.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
            if console.isQuiet {
                console.put(exactly: shown.text)
            } else {
                console.say("\(kind)  \(shown)\(exists ? "" : "  (not there)")")
            }
            console.emit(\.configurationFile, .init(contents, path: path, exists: exists))
        }
    }
}

/// `portolan config check`.
struct ConfigCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "check", "Find mistakes in a configuration file.",
        examples: "portolan config check draft.yaml",
        manual: """
            Nothing is printed where nothing is wrong, and a line with FILE:LINE:COLUMN: for each mistake; it ends \
            with 64 then. A text that is no YAML, or has a key twice, is one mistake. Without a file, that of this \
            device is checked, its owner and its permissions included; a missing file is no mistake. 'portolan policy \
            check' is for the agent's rules.
            """)

    @Argument(
        help: .value("file", "The file, or - for standard input; this device's own if left out."), completion: .file())
    var file: String?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if file != nil, shared.config != nil {
            throw ValidationError("--config names the file to check as well; give it once.")
        }
    }

    func perform(_ console: Console) async throws {
        let home = try shared.homeDirectory()
        let (path, defects) = try await mistakes(home)
        guard !defects.isEmpty else { return }
        for defect in defects {
            console.say(defect.line(in: path))
            console.emit(\.problem, .init(defect, in: path))
        }
        throw ExitCode(ExitStatus.usage.rawValue)
    }

    /// Path of the file, and its mistakes.
    ///
    /// - Throws: `ConfigurationError` if the file is missing or not trusted, `CommandFailure`.
    private func mistakes(_ home: HomeDirectory) async throws -> (path: String, defects: [ConfigurationDefect]) {
        guard let file else {
            do {
                _ = try await withLookupThread { () throws in try ConfigurationFile.load(from: home) }
                return (home.configurationFile, [])
            } catch let error as ConfigurationError {
                guard !error.defects.isEmpty else { throw error }
                return (home.configurationFile, error.defects)
            }
        }
        let bytes = try await TypedFile.read(file, limit: ConfigurationFile.sizeLimit)
        var defects: [ConfigurationDefect] = []
        _ = ConfigurationFile.parse(bytes, userHome: home.folderOfUser, noting: &defects)
        return (file, defects)
    }
}
