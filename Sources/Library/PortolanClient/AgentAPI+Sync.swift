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
            /// Out of synchronization; ``SyncFolder/problem`` has the reason.
            case halted
        }

        /// Name of the folder in file names of this device: 16 hexadecimal digits.
        public var id: String
        /// Name on this device, unique among folders.
        public var name: String
        /// Absolute path.
        public var path: String
        /// Teams, groups and contacts for which its maker has made it; empty before that is known.
        public var with: [String]
        public var state: State
        /// True if no work is left with the connected peers.
        public var isIdle: Bool
        /// Changes that wait, with their reasons, one sentence each.
        public var waits: [String]
        /// The same with paths, as far as they are known, with files that are being written, and changes of peers that
        /// have not come yet; at most 1,000.
        public var lacks: [SyncLack]
        /// Files and folders of this device that are not kept alike; at most 1,000.
        public var skipped: [SyncLack]
        /// Large deletions that wait for a person.
        public var deletions: [SyncHeldDeletion]
        /// Paths of second versions of files; at most 1,000.
        public var conflicts: [String]
        /// Contents that are being fetched; nil for none.
        public var coming: SyncComing?
        /// Contents that go to peers, for each of them.
        public var going: [SyncGoing]
        /// Files that other devices do not have alike, as they told last; at most 1,000.
        public var others: [SyncOtherLack]
        /// Names of the peers of the last synchronization.
        public var peers: [String]
        /// Reason why the folder is not synchronized, a sentence.
        public var problem: String?
        /// Reason why the folder is read every few seconds instead of being watched, a sentence.
        public var unwatched: String?

        public init(
            id: String, name: String, path: String, with: [String] = [], state: State, isIdle: Bool,
            waits: [String] = [],
            lacks: [SyncLack] = [], skipped: [SyncLack] = [], deletions: [SyncHeldDeletion] = [],
            conflicts: [String] = [], coming: SyncComing? = nil, going: [SyncGoing] = [],
            others: [SyncOtherLack] = [], peers: [String] = [], problem: String? = nil, unwatched: String? = nil
        ) {
            self.id = id
            self.name = name
            self.path = path
            self.with = with
            self.state = state
            self.isIdle = isIdle
            self.waits = waits
            self.lacks = lacks
            self.skipped = skipped
            self.deletions = deletions
            self.conflicts = conflicts
            self.coming = coming
            self.going = going
            self.others = others
            self.peers = peers
            self.problem = problem
            self.unwatched = unwatched
        }
    }

    /// Difference of a folder from those of the other members that remains for now.
    public struct SyncLack: Codable, Hashable, Sendable {
        /// Path in the folder, as a file is called; nil if no single file is meant.
        public var path: String?
        /// Reason, a sentence.
        public var reason: String
        /// True if it remains until a person changes something.
        public var needsPerson: Bool

        public init(path: String?, reason: String, needsPerson: Bool) {
            self.path = path
            self.reason = reason
            self.needsPerson = needsPerson
        }
    }

    /// Large deletion that waits for a person.
    public struct SyncHeldDeletion: Codable, Hashable, Sendable {
        /// Name of the deletion for `portolan sync confirm` and `reject`.
        public var mark: String
        /// Number of files and folders.
        public var count: Int
        /// True if it was made on this device, and the others are not told of it.
        public var isOwn: Bool
        /// Name of the device that made it, if it is known.
        public var by: String?
        /// The first paths in the folder.
        public var paths: [String]

        public init(mark: String, count: Int, isOwn: Bool, by: String?, paths: [String]) {
            self.mark = mark
            self.count = count
            self.isOwn = isOwn
            self.by = by
            self.paths = paths
        }
    }

    /// Contents that are being fetched.
    public struct SyncComing: Codable, Hashable, Sendable {
        public var files: Int
        public var bytes: UInt64
        public var doneFiles: Int
        public var doneBytes: UInt64
        /// Names of the peers that may have them.
        public var from: [String]

        public init(files: Int, bytes: UInt64, doneFiles: Int, doneBytes: UInt64, from: [String]) {
            self.files = files
            self.bytes = bytes
            self.doneFiles = doneFiles
            self.doneBytes = doneBytes
            self.from = from
        }
    }

    /// Contents that go to one peer.
    public struct SyncGoing: Codable, Hashable, Sendable {
        public var files: Int
        /// Bytes of the files that it fetches now, as far as their sizes are known.
        public var bytes: UInt64
        public var doneFiles: Int
        public var doneBytes: UInt64
        /// Name of the peer.
        public var to: String

        public init(files: Int, bytes: UInt64, doneFiles: Int, doneBytes: UInt64, to: String) {
            self.files = files
            self.bytes = bytes
            self.doneFiles = doneFiles
            self.doneBytes = doneBytes
            self.to = to
        }
    }

    /// Lack of another device that shares the folder.
    public struct SyncOtherLack: Codable, Hashable, Sendable {
        /// Name of the device.
        public var by: String
        /// `ownDeletion`, `deletion`, `link`, `name`, `inTheWay`, `diskFull` or `other`.
        public var kind: String
        /// Name of a held deletion on that device.
        public var mark: String?
        /// Number of files and folders, as that device tells it.
        public var count: Int
        /// The first paths in the folder, as far as this device knows them.
        public var paths: [String]
        /// Reason, a sentence.
        public var reason: String
        /// True if it remains until a person changes something.
        public var needsPerson: Bool

        public init(
            by: String, kind: String, mark: String? = nil, count: Int, paths: [String], reason: String,
            needsPerson: Bool
        ) {
            self.by = by
            self.kind = kind
            self.mark = mark
            self.count = count
            self.paths = paths
            self.reason = reason
            self.needsPerson = needsPerson
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
