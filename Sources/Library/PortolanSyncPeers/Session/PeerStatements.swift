import PortolanProtocol
import PortolanTrust

/// Statements about folders that a peer has sent in a session; their bytes are verified.
struct PeerStatements: Sendable {
    /// Largest size of all that are kept, in bytes, and largest number that may come: each costs two signatures.
    private static let mostBytes = 1 << 20
    private static let most = 4096

    private var bytes = 0
    private var come = 0
    private(set) var all: [SyncFolderID: [SignedFolderStatement.Verified]] = [:]

    /// Counts a statement that has come.
    ///
    /// - Throws: `ProtocolViolation` if they are too many.
    mutating func count() throws(ProtocolViolation) {
        come += 1
        guard come <= Self.most else { throw ProtocolViolation(.limit, "Too many statements about folders came.") }
    }

    /// - Returns: false if it is known.
    /// - Throws: `ProtocolViolation` if they are too many.
    mutating func add(_ one: SignedFolderStatement.Verified) throws(ProtocolViolation) -> Bool {
        guard let id = SyncFolderID(one.statement.folder) else { return false }
        var known = all[id] ?? []
        guard !known.contains(one) else { return false }
        known.append(one)
        bytes += one.size
        if known.count > FolderAudience.mostStatements { bytes -= known.removeFirst().size }
        guard bytes <= Self.mostBytes else {
            throw ProtocolViolation(.limit, "More statements about folders came than are kept.")
        }
        all[id] = known
        return true
    }

    /// For whom a folder that this device does not have is; nil if nobody entitled has said it.
    ///
    /// - Parameters:
    ///   - teller: key of the peer.
    ///   - standing: returns that of a signer.
    func audience(
        of id: SyncFolderID, toldBy teller: PinnedKey,
        _ standing: (SignedFolderStatement.Verified) async throws -> Standing
    ) async rethrows -> FolderAudience? {
        var audience: FolderAudience?
        for one in all[id] ?? [] {
            let signer = try await standing(one)
            audience =
                if let known = audience { known.taking(one, signer: signer) ?? known } else {
                    FolderAudience(first: one, signer: signer, teller: teller)
                }
        }
        return audience
    }
}

extension SignedFolderStatement.Verified {
    fileprivate var size: Int { signed.own.bytes.count + (signed.grant?.bytes.count ?? 0) }
}
