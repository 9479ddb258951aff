import ArgumentParser
import Glibc
import PortolanCrypto
import PortolanValues

/// Looks for the mistake in a command line that ArgumentParser refuses, or answers with help that was not asked for.
///
/// The words have the order of ``WordOrder``.
struct UsageMistake {
    /// Names of the recognised command, after the program's.
    private let names: [String]
    private let command: any ParsableCommand.Type
    private let shape: CommandShape
    /// Words after the command up to `--`, and those after that.
    private let head: [String]
    private let tail: [String]

    init(_ words: [String], below root: any ParsableCommand.Type) {
        var names: [String] = []
        var command = root
        for word in words {
            guard let child = command.child(named: word) else { break }
            names.append(word)
            command = child
        }
        let rest = words.dropFirst(names.count)
        head = Array(rest.prefix { $0 != "--" })
        tail = Array(rest.dropFirst(head.count + 1))
        if let usual = command.configuration.defaultSubcommand {
            let shape = CommandShape(usual)
            if head.first.map(Self.isOption) ?? true || !shape.positionals.isEmpty { command = usual }
        }
        shape = CommandShape(command)
        self.names = names
        self.command = command
    }

    /// The command as typed.
    var typed: String { (["portolan"] + names).joined(separator: " ") }

    /// True if help or a similar option was requested explicitly. `-dash.txt` does not count, although ArgumentParser
    /// finds the letter of help in it.
    var asksForHelp: Bool {
        if names.isEmpty, head.first == "help" { return topicOfNoCommand == nil }
        if names.isEmpty, let first = head.first, first.hasPrefix("---completion") { return true }
        return head.contains { word in
            Self.requests.contains { word == $0 || word.hasPrefix($0 + "=") } || isLetters(word) && word.contains("h")
        }
    }

    private static let requests = [
        "-help", "--help", "--help-hidden", "--version", "--experimental-dump-help", "--generate-completion-script",
    ]

    /// Sentence with the mistake and the correct form; nil if no mistake is found.
    var sentence: String? {
        if let topicOfNoCommand { return topicOfNoCommand }
        if !command.configuration.subcommands.isEmpty { return nameOfNoCommand ?? missingCommand }
        return wrongWord ?? behindTheDashes ?? missingReceiver ?? superfluousWord
    }

    // MARK: - Commands

    private var nameOfNoCommand: String? {
        // Options of every command may precede the command.
        var words = head[...]
        while let count = WordOrder.sharedWords(at: words) { words = words.dropFirst(count) }
        guard let word = words.first, !Self.isOption(word) else { return nil }
        return Self.noCommand(word, names, in: command)
    }

    /// Name without a command, for which help was requested: ArgumentParser would show the general help.
    private var topicOfNoCommand: String? {
        guard names.isEmpty, head.first == "help" else { return nil }
        var (topic, reached) = ([String](), command)
        for word in head.dropFirst() where !Self.isOption(word) && word != "help" {
            guard let child = reached.child(named: word) else { return Self.noCommand(word, topic, in: reached) }
            topic.append(word)
            reached = child
        }
        return nil
    }

    private static func noCommand(
        _ word: String, _ names: [String], in command: any ParsableCommand.Type
    ) -> String {
        let known = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        let sentence = "There is no command “\(DisplayText((names + [word]).joined(separator: " "), limit: 80))”"
        let typed = (["portolan"] + names).joined(separator: " ")
        let list = known.isEmpty ? nil : "'\(typed) --help' lists those there are."
        guard word == "status" else {
            return asking(sentence, NearText.nearest(to: word, among: known), else: list)
        }
        // Other programs have it.
        let shown = command.configuration.defaultSubcommand == nil ? nil : "'\(typed)' alone shows what there is."
        let shows = "'portolan peers' shows peers, 'portolan transfers' running transfers, and 'portolan agent "
        return "\(sentence). \(names.isEmpty ? "\(shows)status' the agent's work." : shown ?? list ?? "")"
    }

    private var missingCommand: String? {
        for word in head where Self.isOption(word) && WordOrder.sharedWords(at: [word]) == nil { return unknown(word) }
        guard !head.isEmpty else { return nil }
        return "No command is named behind '\(typed)'. '\(typed) --help' lists those there are."
    }

    // MARK: - Options

    /// First word that looks like an option but is none, or an option without its value.
    private var wrongWord: String? {
        var words = head[...]
        while let word = words.popFirst() {
            guard Self.isOption(word), !isLetters(word) || shape.optionsWithValue.contains(word) else { continue }
            let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
            guard shape.options.contains(name) || shape.optionsWithValue.contains(name) || Self.requests.contains(name)
            else { return unknown(word) }
            guard shape.optionsWithValue.contains(name), name == word else { continue }
            guard let value = words.popFirst() else { return "'\(word)' needs a value behind it." }
            if Self.isOption(value) {
                let typed = DisplayText("\(word)=\(value)", limit: 80)
                return "'\(word)' needs a value behind it. One that begins with '-' is written '\(typed)'."
            }
        }
        return nil
    }

    private func unknown(_ word: String) -> String {
        let name = word.prefix { $0 != "=" }
        let sentence = "There is no option “\(DisplayText(name, limit: 60))” of '\(typed)'"
        let bare = String(name.drop { $0 == "-" })
        let isGroup = !command.configuration.subcommands.isEmpty
        let known = shape.options + (isGroup ? WordOrder.names : [])
        let near = NearText.nearest(to: bare, among: known.map { String($0.dropFirst(2)) }).map { "--" + $0 }
        let asked = Self.asking(sentence, near, else: nil)
        guard shape.takesPaths, !word.hasPrefix("--") else { return asked }
        let path = DisplayText("./" + word, limit: 80)
        return "\(asked) A file whose name begins with '-' is written '\(path)', or after '--'."
    }

    /// Option after `--`, where every word is a path.
    private var behindTheDashes: String? {
        func isOption(_ word: String) -> Bool { shape.options.contains { word == $0 || word.hasPrefix($0 + "=") } }
        guard let word = tail.first(where: isOption) else { return nil }
        let option = DisplayText(word.prefix { $0 != "=" }, limit: 60)
        return "'\(option)' stands behind '--', where no word is an option. It must stand before '--'."
    }

    // MARK: - Values

    /// Words of the head that are neither options nor their values, and all words of the tail.
    private var values: [String] {
        var values: [String] = []
        var words = head[...]
        while let word = words.popFirst() {
            if !Self.isOption(word) {
                values.append(word)
            } else if shape.optionsWithValue.contains(word) {
                words = words.dropFirst()
            }
        }
        return values + tail
    }

    private var missingReceiver: String? {
        guard names == ["send"], !head.contains(where: { $0 == "--to" || $0.hasPrefix("--to=") }) else { return nil }
        let values = values
        let hasMore = values.count > 1 || head.contains("--text") || head.contains("--as")
        guard let last = values.last, hasMore, last != "-", access(last.pathBytes, F_OK) != 0 else {
            // Without a receiver a code is shown, but not by the agent.
            guard head.contains("--queue") else { return nil }
            return "No receiver is named. Add '--to PEER'; 'portolan peers' shows who is there."
        }
        return "No receiver is named; did you mean \(Self.typed("--to", last))?"
    }

    private var superfluousWord: String? {
        guard let word = values.first, shape.positionals.isEmpty || names == ["receive"] else { return nil }
        // A code begins with a number; its words are checked elsewhere.
        if names == ["receive"], word == "-" || word.first?.isNumber ?? false {
            let code = values.joined(separator: "-")
            guard values.count > 1, (try? PairingCode(code)) != nil else { return nil }
            return "A code is one word: '\(typed) \(code)'."
        }
        let sentence = "“\(DisplayText(word, limit: 80))” is too much: '\(typed)' takes"
        guard names == ["receive"] else { return "\(sentence) options only." }
        return "\(sentence) a code such as 7-walnut-harbor, and options; did you mean \(Self.typed("--into", word))?"
    }

    // MARK: - Words

    private static func isOption(_ word: String) -> Bool { word.utf8.count > 1 && word.utf8.first == UInt8(ascii: "-") }

    /// True if a word is `-` followed by letters of short options.
    private func isLetters(_ word: String) -> Bool {
        Self.isOption(word) && word.dropFirst().allSatisfy(shape.letters.contains)
    }

    /// An option and its value as a person may type them, in quotation marks unless these are needed inside.
    private static func typed(_ option: String, _ value: String) -> String {
        let word = DisplayText.shellWord(value)
        return word == value ? "'\(option) \(word)'" : "\(option) \(word)"
    }

    private static func asking(_ sentence: String, _ near: [String], else advice: String?) -> String {
        guard let last = near.last else { return "\(sentence).\(advice.map { " " + $0 } ?? "")" }
        let others = near.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "\(sentence); did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }
}
