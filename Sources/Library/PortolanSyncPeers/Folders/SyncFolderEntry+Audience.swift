import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import PortolanValues

/// For whom a folder is (SYNC.md 8). Whatever of a folder is told, sent or taken asks ``mayHave(_:is:)``.
extension SyncFolderEntry {
    /// For whom the folder is by the word of its maker; nil before that is known.
    package var audience: FolderAudience? {
        get { statements.flatMap { FolderAudience($0) } }
        set { statements = newValue?.stored }
    }

    /// A folder that this device makes.
    ///
    /// - Throws: `FolderStatementError` if it is for too many.
    package init(
        name: String, path: String, for parts: [FolderStatement.Part], keepers: [PinnedKey] = [], by key: DeviceKey,
        ways: SyncWays = SyncWays()
    ) throws(FolderStatementError) {
        let statement = FolderStatement(by: PinnedKey(key.publicKey), for: parts, keepers: keepers)
        let signed = try SignedFolderStatement(statement, by: key)
        self.init(name: name, path: path, audiences: [], id: SyncFolderID(statement.folder), ways: ways)
        statements = [signed]
    }

    /// True if a device may have the folder: by the maker's word, and by the limit of this device.
    ///
    /// - Parameters:
    ///   - standing: that of the device.
    ///   - is: true for the key of the device.
    package func mayHave(_ standing: Standing, is: (PinnedKey) -> Bool) -> Bool {
        guard let audience, audience.includes(standing, is: `is`) else { return false }
        return audiences.isEmpty || audiences.contains { $0.includes(standing, is: `is`) }
    }

    /// True if a session with a device may be of use: it may have the folder, or the maker's word.
    func mayMeet(_ standing: Standing, is: (PinnedKey) -> Bool) -> Bool {
        guard audience == nil else { return mayHave(standing, is: `is`) }
        return audiences.contains { $0.includes(standing, inGroup: false, is: `is`) }
    }

    /// True if a visible device may be one for the folder, subject to the key that it proves.
    func mayMeet(_ peer: Peer) -> Bool {
        !isPaused && mayMeet(peer.standing) { $0.fingerprint == peer.fingerprint }
    }

    /// Devices that have the folder, or may have it.
    func members(by node: Node) async throws -> Set<DeviceID> {
        guard let audience else {
            // Deletions are kept for the members of before.
            var members: Set<DeviceID> = []
            for one in audiences {
                members.formUnion(try await one.members(by: node).compactMap { DeviceID($0.bytes) })
            }
            return members
        }
        let isPlain = audience.parts.count == 1 && audiences.isEmpty
        var members: Set<DeviceID> = []
        var keys = audience.keys
        for case .team(let team, _, let group) in audience.parts.joined() {
            let some = try await node.members(of: team, in: group)
            if isPlain { members.formUnion(some.compactMap { DeviceID($0.bytes) }) } else { keys.formUnion(some) }
        }
        for key in keys where !key.matches(node.identity.publicKey) {
            guard let device = try? DevicePublicKey(bytes: key.bytes) else { continue }
            if mayHave(try await node.standing(of: device), is: { $0 == key }) { members.insert(DeviceID(device)) }
        }
        return members
    }

    /// Limits, for this device, who of those for whom the folder is may have it; nobody else ever may.
    ///
    /// - Parameter some: empty for no limit.
    /// - Returns: false before the maker's word is known, except for a folder that is to be joined.
    package mutating func limit(to some: [SyncAudience]) -> Bool {
        if id == nil {
            limits = some.isEmpty ? nil : some
        } else if statements != nil {
            audiences = some
        } else {
            return false
        }
        return true
    }

    /// Signs the first statement about a folder that this device has made before there were any.
    mutating func signFirst(by key: DeviceKey) throws(FolderStatementError) {
        guard let id, statements == nil, wanted == nil, !audiences.isEmpty else { return }
        let parts = audiences.compactMap(\.part)
        let statement = FolderStatement(by: PinnedKey(key.publicKey), for: parts, former: id.bytes)
        statements = [try SignedFolderStatement(statement, by: key)]
        audiences = []
    }

    /// Signs anew for whom the folder is.
    ///
    /// - Parameters:
    ///   - parts: empty for those of before.
    ///   - keepers: nil for those of before.
    /// - Returns: false if this device may not.
    /// - Throws: `FolderStatementError` if it is for too many.
    package mutating func sign(
        for parts: [FolderStatement.Part], keepers: [PinnedKey]?, by key: DeviceKey, _ standing: Standing
    ) throws(FolderStatementError) -> Bool {
        if !parts.isEmpty, statements == nil, wanted == nil, let id {
            let first = FolderStatement(
                by: PinnedKey(key.publicKey), for: parts, keepers: keepers ?? [], former: id.bytes)
            statements = [try SignedFolderStatement(first, by: key)]
            audiences = []
            return true
        }
        try signFirst(by: key)
        guard let audience,
            let news = try audience.signed(
                for: parts.isEmpty ? audience.parts[0] : parts, keepers: keepers, by: key, standing)
        else { return false }
        self.audience = news
        return true
    }
}
