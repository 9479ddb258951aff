import Foundation
import PortolanTrust

extension NodeEvent {
    /// A message for people.
    public struct Note: Codable, Hashable, Sendable {
        public let message: String

        package init(_ message: String) { self.message = String(peerText: message) }
    }

    /// Why a command failed.
    public struct Failure: Codable, Hashable, Sendable {
        /// The exit status.
        public let code: Int32
        /// The word for the exit status.
        public let kind: String
        public let message: String
        /// Peers that a name could mean.
        public let candidates: [PeerState]

        package init(code: Int32, kind: String, message: String, candidates: [Peer]) {
            self.code = code
            self.kind = kind
            self.message = message
            self.candidates = candidates.map(PeerState.init)
        }
    }

    /// End of a command.
    public struct End: Codable, Hashable, Sendable {
        /// The exit status.
        public let code: Int32
        /// The word for the exit status.
        public let kind: String

        package init(code: Int32, kind: String) {
            self.code = code
            self.kind = kind
        }
    }

    /// This device, and where its state lies.
    public struct Identity: Codable, Hashable, Sendable {
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

    /// A transfer that runs or can go on.
    public struct TransferState: Codable, Hashable, Sendable {
        public enum Direction: String, Codable, Sendable, CaseIterable {
            case send
            case receive
        }

        public enum Status: String, Codable, Sendable, CaseIterable {
            /// Bytes are on their way.
            case running
            /// It waits for an answer, or to try again.
            case waiting
            /// No process works on it; it can be resumed.
            case resumable
        }

        public let id: String
        public let direction: Direction
        public let status: Status
        /// The receiver, as the user gave it.
        public let target: OrNull<String>
        /// The peer's.
        public let name: OrNull<String>
        /// The peer's.
        public let fingerprint: OrNull<String>
        public let titles: [String]
        /// Bytes sent or received, as far as known.
        public let bytes: UInt64
        /// Bytes there will be, as far as known.
        public let total: OrNull<UInt64>
        public let created: EventTime
        /// Folder that it was sent from, or is received into.
        public let folder: String

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
