extension NodeEvent {
    /// A message for people.
    public struct Note: EventFields {
        public let message: String

        public static let fields: [Field] = [Field("message", .text, "text")]

        package init(_ message: String) { self.message = String(peerText: message) }
    }

    /// Failure of a command.
    public struct Failure: EventFields {
        /// The exit status.
        public let code: Int32
        /// Word for the exit status.
        public let kind: String
        public let message: String
        /// Peers that a name could mean.
        public let candidates: [PeerState]
        /// Fault of the connection to another device, if that is the cause.
        public let fault: OrNull<NodeError.Fault.Code>

        public static let fields: [Field] = [
            Field("code", .count, "the exit status"), Field("kind", .text, "its word, see exit-codes"),
            Field("message", .text, "text"),
            Field("candidates", .list(.foundPeer), "peers a name could mean, as in peer"),
            .fault,
        ]

        package init(
            code: Int32, kind: String, message: String, candidates: [Peer], fault: NodeError.Fault.Code? = nil
        ) {
            self.code = code
            self.kind = kind
            self.message = message
            self.candidates = candidates.map(PeerState.init)
            self.fault = OrNull(fault)
        }
    }

    /// Finding of one probe of `portolan doctor`.
    public struct Finding: EventFields {
        public enum Level: String, Codable, Sendable, CaseIterable {
            case ok
            case warn
            case fail
        }

        public let probe: String
        public let level: Level
        public let seen: String
        /// Advice for the user.
        public let advice: OrNull<String>
        /// Word for the fault.
        public let cause: OrNull<String>
        /// Number of the fault; for the first fault it is the exit status.
        public let code: OrNull<Int32>

        public static let fields: [Field] = [
            Field("probe", .text, "what was looked at"), Field("level", .words(Level.self), "ok, warn or fail"),
            Field("seen", .text, "what was seen there"), Field("advice", .orNull(.text), "what to do, or null"),
            Field("cause", .orNull(.text), "the word for the fault, or null where there is none"),
            Field("code", .orNull(.count), "its number, see exit-codes, or null"),
        ]

        package init(
            probe: String, level: Level, seen: String, advice: String?, cause: String?, code: Int32?
        ) {
            self.probe = String(peerText: probe)
            self.level = level
            self.seen = String(peerText: seen)
            self.advice = OrNull(advice.map { String(peerText: $0) })
            self.cause = OrNull(cause)
            self.code = OrNull(code)
        }
    }

    /// End of a command.
    public struct End: EventFields {
        /// The exit status.
        public let code: Int32
        /// Word for the exit status.
        public let kind: String

        public static let fields: [Field] = [
            Field("code", .count, "the exit status"), Field("kind", .text, "its word, see exit-codes"),
        ]

        package init(code: Int32, kind: String) {
            self.code = code
            self.kind = kind
        }
    }

    /// This device, and the folders of its state.
    public struct Identity: EventFields {
        public let name: String
        public let fingerprint: Fingerprint
        /// Ed25519, hexadecimal.
        public let key: String
        /// Path of the file.
        public let configuration: String
        public let data: String
        public let state: String
        public let cache: String
        public let runtime: OrNull<String>

        public static let fields: [Field] = [
            Field("name", .text, "text"), Field("fingerprint", .fingerprint, "text"),
            Field("key", .pattern("^[0-9a-f]{64}$"), "Ed25519, hexadecimal"),
            Field("configuration", .text, "path of the file"), Field("data", .text, "path"),
            Field("state", .text, "path"), Field("cache", .text, "path"),
            Field("runtime", .orNull(.text), "path or null"),
        ]

        package init(_ identity: DeviceIdentity, in home: HomeDirectory) {
            name = identity.name.text
            fingerprint = identity.fingerprint
            key = identity.publicKey.description
            configuration = home.configurationFile
            data = home.data
            state = home.state
            cache = home.cache
            runtime = OrNull(home.runtime)
        }
    }

    /// Transfer that is running or can be resumed.
    public struct TransferState: EventFields {
        public enum Direction: String, Codable, Sendable, CaseIterable {
            case send
            case receive
        }

        public enum Status: String, Codable, Sendable, CaseIterable {
            /// Bytes are being transferred.
            case running
            /// Waiting for an answer, or for the next attempt.
            case waiting
            /// No process works on it; it can be resumed.
            case resumable
        }

        public let id: String
        public let direction: Direction
        public let status: Status
        /// The receiver, as the user gave it.
        public let target: OrNull<String>
        /// Name of the peer.
        public let name: OrNull<String>
        /// Fingerprint of the peer.
        public let fingerprint: OrNull<String>
        public let titles: [String]
        /// Bytes sent or received, as far as known.
        public let bytes: UInt64
        /// Expected total of bytes, as far as known.
        public let total: OrNull<UInt64>
        public let created: EventTime
        /// Folder that it was sent from, or is received into.
        public let folder: String

        public static let fields: [Field] = [
            Field("id", .text, "text"), Field("direction", .words(Direction.self), "send or receive"),
            Field("status", .words(Status.self), "running, waiting (for an answer or to try again) or resumable"),
            Field("target", .orNull(.text), "whom it was to be sent to, as that was given, or null"),
            Field("name", .orNull(.text), "the peer's, or null"),
            Field("fingerprint", .orNull(.text), "the peer's, or null"), Field("titles", .list(.text), "of the items"),
            Field("bytes", .count, "how much went or came, as far as known"), .total,
            Field("created", .moment, "RFC 3339"),
            Field("folder", .text, "where it was sent from, or is received into"),
        ]

        package init(
            id: String, direction: Direction, status: Status, target: String?, name: String?, fingerprint: String?,
            titles: [String], bytes: UInt64, total: UInt64?, created: Date, folder: String
        ) {
            self.id = id
            self.direction = direction
            self.status = status
            self.target = OrNull(target.map { String(peerText: $0) })
            self.name = OrNull(name.map { String(peerText: $0) })
            self.fingerprint = OrNull(fingerprint.map { String(peerText: $0) })
            self.titles = titles.map { String(peerText: $0) }
            self.bytes = bytes
            self.total = OrNull(total)
            self.created = EventTime(created)
            self.folder = folder
        }
    }
}
