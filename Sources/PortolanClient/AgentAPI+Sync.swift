extension AgentAPI {
    /// A folder that is synchronized with peers.
    public struct SyncFolder: Codable, Hashable, Sendable, Identifiable {
        public enum State: String, Codable, CaseIterable, Sendable {
            case kept
            /// Waits for a peer with the folder.
            case joining
            /// Before the first scan.
            case opening
            case paused
            /// The agent is about to restart, to get write access.
            case restarting
            /// Not synchronized; ``SyncFolder/problem`` has the reason.
            case halted
        }

        /// Name of the folder in file names of this device: 16 hexadecimal digits.
        public var id: String
        /// Name on this device, unique among folders.
        public var name: String
        /// Absolute path.
        public var path: String
        public var state: State
        /// True if no work is left with the connected peers.
        public var isIdle: Bool
        /// Changes that wait, with their reasons, one sentence each.
        public var waits: [String]
        /// Mark of a large deletion that waits for a person.
        public var held: String?
        /// Number of files and folders in that deletion.
        public var heldCount: Int?
        /// Names of the peers of the last synchronization.
        public var peers: [String]
        /// Reason why the folder is not synchronized, a sentence.
        public var problem: String?
        /// Reason why the folder is read every few seconds instead of being watched, a sentence.
        public var unwatched: String?
        /// True if the agent cannot write to the folder before a restart.
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
        /// Reason why no folder is synchronized at the moment, a sentence; nil without a problem.
        public var problem: String?

        public init(folders: [SyncFolder], problem: String? = nil) {
            self.folders = folders
            self.problem = problem
        }
    }
}
