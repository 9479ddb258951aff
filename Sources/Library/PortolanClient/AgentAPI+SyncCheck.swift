extension AgentAPI {
    /// Request to compare a synchronized folder with its index.
    public struct SyncCheckOrder: Codable, Hashable, Sendable {
        /// True to repair the index, without a loss of files; nil for false.
        public var repair: Bool?
        /// True to repair also a folder that is left alone, because a person has checked it; nil for false.
        public var startsOver: Bool?

        public init(repair: Bool? = nil, startsOver: Bool? = nil) {
            self.repair = repair
            self.startsOver = startsOver
        }
    }

    /// Result of that comparison.
    public struct SyncCheck: Codable, Hashable, Sendable {
        public struct Finding: Codable, Hashable, Sendable {
            public var kind: String
            /// Path in the folder; empty for none. Safe to print.
            public var path: String
            /// Sentence for people.
            public var sentence: String

            public init(kind: String, path: String, sentence: String) {
                self.kind = kind
                self.path = path
                self.sentence = sentence
            }
        }

        /// Findings before a repair.
        public var found: [Finding]
        /// Findings that are left; without a repair all.
        public var left: [Finding]
        /// Number of files and folders that were compared.
        public var compared: Int
        /// Changes that wait, with their reasons, one sentence each.
        public var waits: [String]
        /// True if the index has begun anew.
        public var beganAnew: Bool

        public init(found: [Finding], left: [Finding], compared: Int, waits: [String], beganAnew: Bool) {
            self.found = found
            self.left = left
            self.compared = compared
            self.waits = waits
            self.beganAnew = beganAnew
        }
    }

    /// Request to keep a file or folder of a synchronized folder alike no more.
    public struct SyncForgetOrder: Codable, Hashable, Sendable {
        /// Path in the folder.
        public var path: String

        public init(path: String) { self.path = path }
    }
}

extension AgentAPI.SyncCheckOrder: RequestBody {
    package static let keys: Set<String> = ["repair", "startsOver"]
}

extension AgentAPI.SyncForgetOrder: RequestBody {
    package static let keys: Set<String> = ["path"]
}

extension AgentAPI.Problem {
    /// The folder is left alone until a person decides.
    public static func halted(_ detail: String) -> Self { Self("halted", 409, title: "Folder halted", detail: detail) }

    /// True for ``halted(_:)``.
    public var isHalted: Bool { type == Self.halted("").type }
}
