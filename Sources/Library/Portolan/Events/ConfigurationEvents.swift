extension NodeEvent {
    /// A file that settings or rules are read from.
    public struct ConfigurationFileState: EventFields {
        public enum Contents: String, Codable, Sendable, CaseIterable {
            /// Settings of this device.
            case settings
            /// Rules by which the agent answers offers.
            case policy
        }

        public let contents: Contents
        public let path: String
        /// True if the file exists.
        public let exists: Bool

        public static let fields: [Field] = [
            Field("contents", .words(Contents.self), "settings or policy"), Field("path", .text, "of the file"),
            Field("exists", .truth, "whether it is there"),
        ]

        package init(_ contents: Contents, path: String, exists: Bool) {
            self.contents = contents
            self.path = path
            self.exists = exists
        }
    }

    /// A setting in force.
    public struct Setting: EventFields {
        public enum Source: String, Codable, Sendable, CaseIterable {
            /// Default, without a setting by the user.
            case byDefault = "default"
            case file
            case option
            case environment
            /// This device remembers it from an earlier command.
            case device
        }

        /// Key as in the configuration file, dotted from the top.
        public let key: String
        /// Value as the file writes it; nil if there is none.
        public let value: OrNull<String>
        public let source: Source
        /// `FILE:LINE`, the option, the variable or the command.
        public let place: OrNull<String>

        public static let fields: [Field] = [
            Field("key", .text, "as in the configuration file, such as timeouts.find, or a folder of this device"),
            Field("value", .orNull(.text), "as it is written there, or null for none"),
            Field("source", .words(Source.self), "default, file, option, environment, or device, which remembers it"),
            Field("place", .orNull(.text), "FILE:LINE, the option, the variable or the command; null for a default"),
        ]

        package init(_ key: String, _ value: String?, _ source: Source, at place: String?) {
            self.key = key
            self.value = OrNull(value)
            self.source = source
            self.place = OrNull(place)
        }
    }
}
