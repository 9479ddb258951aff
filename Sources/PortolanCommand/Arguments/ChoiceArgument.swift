import Portolan
import PortolanTrust

/// One of a few words, as the command line and the configuration file write it.
enum ChoiceArgument<Value: CaseIterable & RawRepresentable<String>> {
    /// All of them, for people.
    static var words: String { Value.allCases.map(\.rawValue).joined(separator: ", ") }

    static func parse(_ text: String) throws(ArgumentFailure) -> Value {
        guard let value = Value(rawValue: text) else {
            throw ArgumentFailure("“\(DisplayText(text, limit: 40))” is none of these: \(words).")
        }
        return value
    }
}

/// How peers find each other.
typealias DiscoveryArgument = ChoiceArgument<Node.Configuration.Discovery>
/// Who can find this device.
typealias DiscoverabilityArgument = ChoiceArgument<Node.Configuration.Discoverability>
/// When to compress.
typealias CompressionArgument = ChoiceArgument<Node.SendOptions.Compression>
