import ArgumentParser

/// A command whose plain command lines are read without ArgumentParser, which takes longer to make its picture of all
/// options than many a command to run.
///
/// Only what is plain and right is read so, and means the same. ArgumentParser reads all other command lines: help,
/// mistakes, other ways to write the same, and options that are not among the plain ones.
protocol PlainlyRead: Subcommand {
    /// Value in which every option has its default.
    static var unset: Self { get }

    /// Takes an option, which is given with its dashes, and its values from the words.
    mutating func take(_ option: String, _ words: inout PlainWords) throws(NotPlain)

    /// Takes a word that belongs to no option.
    mutating func take(path: String) throws(NotPlain)

    /// True if all required values are present. The checks of `validate` come on top.
    var isComplete: Bool { get }
}

extension PlainlyRead {
    mutating func take(path: String) throws(NotPlain) { throw NotPlain() }
    var isComplete: Bool { true }

    /// - Parameter words: words behind the command's name.
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

/// The commands that programs run again and again for small things.
enum PlainCommandLine {
    /// These commands by their names; they have no commands below them.
    static var commands: [String: any PlainlyRead.Type] {
        ["send": SendCommand.self, "receive": ReceiveCommand.self, "id": IdCommand.self]
    }

    /// The command of a plain command line; nil where ArgumentParser has to read it.
    ///
    /// - Parameter words: words behind the program's name.
    static func command(_ words: ArraySlice<String>) -> (any Subcommand)? {
        guard let command = words.first.flatMap({ commands[$0] }) else { return nil }
        return try? command.read(words.dropFirst())
    }
}
