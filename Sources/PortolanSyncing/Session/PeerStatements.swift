import PortolanProtocol
import PortolanTrust

/// Statements about folders that a peer has sent in a session; their bytes are verified.
struct PeerStatements: Sendable {
    /// Largest size of all that are kept, in bytes.
    private static let mostBytes = 1 << 20

    private var bytes = 0
    private(set) var all: [SyncFolderID: [SignedFolderStatement.Verified]] = [:]

    /// - Throws: `ProtocolViolation` if they are too many.
    mutating func add(_ one: SignedFolderStatement.Verified) throws(ProtocolViolation) {
        guard let id = SyncFolderID(one.statement.folder) else { return }
        var known = all[id] ?? []
        guard !known.contains(one) else { return }
        known.append(one)
        bytes += one.size
        if known.count > FolderAudience.mostStatements { bytes -= known.removeFirst().size }
        guard bytes <= Self.mostBytes else {
            throw ProtocolViolation(.limit, "More statements about folders came than are kept.")
        }
        all[id] = known
    }

    /// For whom a folder that this device does not have is; nil if nobody entitled has said it.
    ///
    /// - Parameters:
    ///   - teller: key of the peer.
    ///   - standing: returns that of a signer.
    func audience(
        of id: SyncFolderID, toldBy teller: PinnedKey, _ standing: (PinnedKey) async throws -> Standing
    ) async rethrows -> FolderAudience? {
        var audience: FolderAudience?
        for one in all[id] ?? [] {
            let signer = try await standing(one.statement.signer)
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
