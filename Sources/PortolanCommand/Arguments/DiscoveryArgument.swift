import Portolan

/// How peers find each other, as the command line and the configuration file write it.
enum DiscoveryArgument {
    static let words = Node.Configuration.Discovery.allCases.map(\.rawValue)

    static func parse(_ text: String) throws(ArgumentFailure) -> Node.Configuration.Discovery {
        guard let discovery = Node.Configuration.Discovery(rawValue: text) else {
            throw ArgumentFailure("Discovery is one of \(words.joined(separator: ", ")).")
        }
        return discovery
    }
}

/// Who can find this device, as the command line and the configuration file write it.
enum DiscoverabilityArgument {
    static let words = Node.Configuration.Discoverability.allCases.map(\.rawValue)

    static func parse(_ text: String) throws(ArgumentFailure) -> Node.Configuration.Discoverability {
        guard let discoverable = Node.Configuration.Discoverability(rawValue: text) else {
            throw ArgumentFailure("Who can find this device is one of \(words.joined(separator: ", ")).")
        }
        return discoverable
    }
}
