import Portolan

/// Syntax of a choice among a few words, as the command line and the configuration file write it.
package enum ChoiceSyntax<Value: CaseIterable & RawRepresentable<String>> {
    /// List of all values for people.
    package static var words: String {
        // Help needs it at each start: `map` and `joined` would look up conformances first.
        var words = ""
        for value in Value.allCases { words += (words.isEmpty ? "" : ", ") + value.rawValue }
        return words
    }

    /// - Throws: `ValueError` that names the words.
    package static func parse(_ text: String) throws(ValueError) -> Value {
        guard let value = Value(rawValue: text) else {
            throw ValueError("“\(DisplayText(text, limit: 40))” is none of these: \(words).")
        }
        return value
    }
}

/// Method of discovery.
package typealias DiscoverySyntax = ChoiceSyntax<Node.Configuration.Discovery>
/// Discoverability of this device: the peers that can find it.
package typealias DiscoverabilitySyntax = ChoiceSyntax<Node.Configuration.Discoverability>
/// Use of compression.
package typealias CompressionSyntax = ChoiceSyntax<Node.SendOptions.Compression>
