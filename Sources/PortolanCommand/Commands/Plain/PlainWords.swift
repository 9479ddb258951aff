import Portolan

/// Words of a plain command line, in order.
///
/// A plain command line has only paths, and options as separate words followed by their values, each given once unless
/// it may be repeated.
struct PlainWords {
    private var words: ArraySlice<String>
    private var options: [String] = []

    init(_ words: ArraySlice<String>) {
        self.words = words
    }

    /// The next word: an option or a path.
    mutating func next() -> PlainWord? {
        guard let word = words.popFirst() else { return nil }
        return Self.isValue(word) ? .value(word) : .option(word)
    }

    /// Notes that an option was given.
    mutating func once(_ option: String) throws(NotPlain) {
        guard !options.contains(option) else { throw NotPlain() }
        options.append(option)
    }

    /// The value of an option.
    mutating func value() throws(NotPlain) -> String {
        guard let word = words.popFirst(), Self.isValue(word) else { throw NotPlain() }
        return word
    }

    mutating func value<Value>(
        _ parse: (String) throws(ValueError) -> Value
    ) throws(NotPlain) -> Value {
        let word = try value()
        do throws(ValueError) {
            return try parse(word)
        } catch {
            throw NotPlain()
        }
    }

    private static func isValue(_ word: String) -> Bool {
        word == "-" || !word.isEmpty && word.utf8.first != UInt8(ascii: "-")
    }
}

enum PlainWord {
    /// With its dashes.
    case option(String)
    case value(String)
}

/// Command line that is not plain, or invalid; ArgumentParser reads it and reports mistakes.
struct NotPlain: Error {}
