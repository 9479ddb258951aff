import ArgumentParser

/// Command whose plain command lines are read without ArgumentParser, which takes longer to set up all options than
/// many commands to run.
///
/// Only valid plain lines are read in this way, with the same meaning. ArgumentParser reads all others: help, mistakes,
/// other notations, and options that are not plain.
protocol PlainlyRead: Subcommand {
    /// Value in which every option has its default.
    static var unset: Self { get }

    /// Takes an option, which is given with its dashes, and its values from the words.
    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain)

    /// Adds a word that belongs to no option.
    mutating func take(path: String) throws(NotPlain)

    /// True if all required values are present. `validate` makes further checks.
    var isComplete: Bool { get }
}

extension PlainlyRead {
    mutating func take(path: String) throws(NotPlain) { throw NotPlain() }
    var isComplete: Bool { true }

    /// - Parameter words: words after the command's name.
    static func read(_ words: ArraySlice<String>) throws(NotPlain) -> Self {
        var (words, command) = (PlainWords(words), unset)
        while let word = words.next() {
            switch word {
            case .option(let option): try command.take(option, &words)
            case .value(let path): try command.take(path: path)
            }
        }
        guard command.isComplete, (try? command.validate()) != nil else { throw NotPlain() }
        return command
    }
}

/// Commands that programs run often for small tasks.
enum PlainCommandLine {
    /// These commands by their names; they have no commands below them.
    static var commands: [String: any PlainlyRead.Type] {
        ["send": SendCommand.self, "receive": ReceiveCommand.self, "id": IdCommand.self]
    }

    /// Returns the command of a plain command line; nil if ArgumentParser must read it.
    ///
    /// - Parameter words: words after the program's name.
    static func command(_ words: ArraySlice<String>) -> (any Subcommand)? {
        guard let command = words.first.flatMap({ commands[$0] }) else { return nil }
        return try? command.read(words.dropFirst())
    }
}
