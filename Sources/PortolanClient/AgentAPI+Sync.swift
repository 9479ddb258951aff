extension AgentAPI {
    /// A folder that is synchronized with peers.
    public struct SyncFolder: Codable, Hashable, Sendable, Identifiable {
        public enum State: String, Codable, CaseIterable, Sendable {
            case kept
            /// No peer that has it has been met yet.
            case joining
            /// It has not been looked at for the first time yet.
            case opening
            case paused
            /// The agent is about to start again, to be able to write there.
            case restarting
            /// Nothing is done in it; ``SyncFolder/problem`` says why.
            case halted
        }

        /// Name of the folder among the files of this device: 16 hexadecimal digits.
        public var id: String
        /// Name on this device, which no other folder has.
        public var name: String
        /// Absolute.
        public var path: String
        public var state: State
        /// Whether nothing is left to do with the peers that are connected.
        public var isIdle: Bool
        /// Changes that wait, and the reasons, one sentence each.
        public var waits: [String]
        /// Mark of a large deletion that waits for a person.
        public var held: String?
        /// Files and folders that it is about.
        public var heldCount: Int?
        /// Names of the peers that it was synchronized with last.
        public var peers: [String]
        /// The reason for which nothing is done, a sentence.
        public var problem: String?
        /// The reason for which it is read every few seconds instead of being watched, a sentence.
        public var unwatched: String?
        /// Whether the agent cannot write there before it is started again.
        public var needsRestart: Bool

        public init(
            id: String, name: String, path: String, state: State, isIdle: Bool, waits: [String] = [],
            held: String? = nil, heldCount: Int? = nil, peers: [String] = [], problem: String? = nil,
            unwatched: String? = nil, needsRestart: Bool = false
        ) {
            self.id = id
            self.name = name
            self.path = path
            self.state = state
            self.isIdle = isIdle
            self.waits = waits
            self.held = held
            self.heldCount = heldCount
            self.peers = peers
            self.problem = problem
            self.unwatched = unwatched
            self.needsRestart = needsRestart
        }
    }

    public struct SyncFolders: Codable, Hashable, Sendable {
        public var folders: [SyncFolder]
        /// The reason for which no folder is synchronized at the moment, a sentence; nil if nothing is wrong.
        public var problem: String?

        public init(folders: [SyncFolder], problem: String? = nil) {
            self.folders = folders
            self.problem = problem
        }
    }
}
