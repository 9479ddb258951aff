import ArgumentParser
import Foundation

/// Words that a command accepts, as described by ArgumentParser. Read only after a mistake in a command line.
struct CommandShape {
    /// Long options with their dashes.
    private(set) var options: [String] = []
    /// Options that take a value, short ones included.
    private(set) var optionsWithValue: Set<String> = []
    /// Letters of short options.
    private(set) var letters: Set<Character> = []
    /// Names of the values that belong to no option.
    private(set) var positionals: [String] = []

    var takesPaths: Bool { positionals.contains("path") }

    init(_ command: any ParsableCommand.Type) {
        let text = Data(command._dumpHelp().utf8)
        guard let description = try? JSONDecoder().decode(Description.self, from: text) else { return }
        for argument in description.command.arguments ?? [] {
            if argument.kind == "positional", let name = argument.valueName { positionals.append(name) }
            for name in argument.names ?? [] {
                let isShort = name.kind == "short"
                if isShort { letters.formUnion(name.name) } else { options.append("--" + name.name) }
                if argument.kind == "option" { optionsWithValue.insert((isShort ? "-" : "--") + name.name) }
            }
        }
        for option in Self.builtIn where !options.contains(option) { options.append(option) }
        letters.insert("h")
    }

    /// Options that ArgumentParser adds to commands.
    private static let builtIn = ["--help", "--version"]

    private struct Description: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
            let valueName: String?
        }

        struct Name: Decodable {
            let kind: String
            let name: String
        }
    }
}
