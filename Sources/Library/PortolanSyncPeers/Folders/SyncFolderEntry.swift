import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import PortolanValues

/// Entry of the list of synchronized folders.
package struct SyncFolderEntry: Hashable, Codable, Sendable {
    /// Decision of a person on a large deletion.
    package struct Decision: Hashable, Codable, Sendable {
        /// ``HeldDeletion/mark`` of the deletion.
        package var deletion: String
        package var isConfirmed: Bool

        package init(deletion: String, isConfirmed: Bool) {
            self.deletion = deletion
            self.isConfirmed = isConfirmed
        }
    }

    /// Name of the folder in file names of this device: 16 hexadecimal digits.
    package let local: String
    /// Name on this device, unique among folders.
    package var name: String
    /// Absolute path.
    package var path: String
    /// Identity of the folder when it was chosen (`SharedRoot.identity`); nil if it was not there.
    package var root: String?
    /// Sources of a folder that is to be joined. Of others, the limit of this device to their audience; empty for none.
    package var audiences: [SyncAudience]
    /// Identifier on all members, in hexadecimal digits; nil until a member has announced it.
    private var identifier: String?
    /// Members' name of a folder that is to be joined.
    package var wanted: String?
    /// Identifier of a folder that is to be joined, in hexadecimal digits; nil if its name decides.
    package var wantedID: String?
    /// Beginning of the fingerprint of the maker of a folder that is to be joined; nil for any.
    package var wantedMaker: String?
    /// Limit of this device to the audience of a folder that is to be joined; nil for none.
    package var limits: [SyncAudience]?
    /// Statements for whom the folder is; nil before its maker has signed one.
    var statements: [SignedFolderStatement]?
    package var decisions: [Decision]
    private var mode: SyncMode?
    private var keepsDeleted: Bool?
    private var paused: Bool?

    /// - Parameters:
    ///   - id: identifier; nil for a folder that is to be joined.
    ///   - wanted: its name at the members.
    package init(
        name: String, path: String, audiences: [SyncAudience], id: SyncFolderID?, wanted: String? = nil,
        ways: SyncWays = SyncWays()
    ) {
        let bytes = (0..<8).map { _ in UInt8.random(in: .min ... .max) }
        local = Hexadecimal.text(bytes)
        self.name = name
        self.path = path
        self.audiences = audiences
        identifier = id.map { Hexadecimal.text($0.bytes) }
        self.wanted = wanted
        decisions = []
        self.ways = ways
    }

    /// Directions of synchronization between this device and the others.
    package var ways: SyncWays {
        get { SyncWays(mode ?? .twoWay, keepsDeleted: keepsDeleted ?? false) }
        set {
            mode = newValue.mode == .twoWay ? nil : newValue.mode
            keepsDeleted = newValue.keepsDeleted ? true : nil
        }
    }

    /// True if the folder is neither synchronized nor announced.
    package var isPaused: Bool {
        get { paused ?? false }
        set { paused = newValue ? true : nil }
    }

    package var id: SyncFolderID? {
        get { identifier.flatMap { Hexadecimal.bytes(inEitherCase: $0) }.flatMap { SyncFolderID($0) } }
        set { identifier = newValue.map { Hexadecimal.text($0.bytes) } }
    }

    /// True if the values of a file are valid: they become part of file names.
    var isPlausible: Bool {
        local.utf8.count == 16 && Hexadecimal.bytes(inEitherCase: local) != nil && path.hasPrefix("/")
            && (identifier == nil || id != nil)
            && (statements == nil || audience != nil && id != nil && audience?.folder == id?.bytes)
    }
}

extension HeldDeletion {
    /// Mark by which a person names the deletion: eight hexadecimal digits that depend on its nodes.
    package var mark: String { Hexadecimal.text(markBytes) }

    var markBytes: [UInt8] {
        let parts = nodes.map { node in
            let dot = node.creation
            return dot.replica.device.bytes
                + [dot.replica.epoch, dot.counter].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
        }
        return Array(sha256(parts).prefix(MemberLack.markBytes))
    }
}
