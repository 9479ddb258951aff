import ArgumentParser

/// Reorders a command line, so that common options may be written before the command, too.
///
/// ArgumentParser accepts an option only after the command that declares it, and the program itself declares none.
enum WordOrder {
    /// Common options without a value, and those with a value.
    private static let flags: Set<String> = ["--json", "--quiet", "--verbose"]
    private static let options: Set<String> = ["--home", "--config"]
    private static let letters: Set<Character> = ["q", "v"]

    /// Long names of all common options.
    static var names: [String] { flags.union(options).sorted() }

    /// Moves common options from before and between the names of commands to after the last of these.
    ///
    /// No other word moves: words after the command stay in place, as does a line without a command.
    static func ordered(_ words: [String], below root: any ParsableCommand.Type) -> [String] {
        var names: [String] = []
        var moved: [String] = []
        var rest = words[...]
        var command = root
        while let word = rest.first {
            if let count = sharedWords(at: rest) {
                moved += rest.prefix(count)
                rest = rest.dropFirst(count)
            } else if let child = command.child(named: word) {
                names.append(word)
                rest = rest.dropFirst()
                command = child
                if command.configuration.subcommands.isEmpty { break }
            } else {
                break
            }
        }
        // Help is about commands, and has no such options.
        if names.isEmpty, rest.first == "help" { return Array(rest) }
        return names.isEmpty || moved.isEmpty ? words : names + moved + rest
    }

    /// Returns the number of words of the shared option at the start of `words`; nil if they begin with no shared
    /// option.
    static func sharedWords(at words: ArraySlice<String>) -> Int? {
        guard let word = words.first, word.utf8.first == UInt8(ascii: "-") else { return nil }
        if flags.contains(word) { return 1 }
        if options.contains(word) {
            // A value that looks like an option is left for the parser to refuse.
            guard let value = words.dropFirst().first, value == "-" || !value.hasPrefix("-") else { return 1 }
            return 2
        }
        if options.contains(where: { word.hasPrefix($0 + "=") }) { return 1 }
        return word.count > 1 && word.dropFirst().allSatisfy(letters.contains) ? 1 : nil
    }
}

extension ParsableCommand {
    /// The subcommand of a name.
    static func child(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }
}
