import PortolanProtocol
import PortolanSync
import PortolanSyncModel

/// Content of a folder from the peers in whose sessions it is kept alike.
struct RemoteContents: ContentProvider {
    let folder: SyncFolderID
    let roles: [SyncRole]

    func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        for role in roles where role.told?[folder] != nil {
            guard let first = try? await role.content(digest, of: folder, from: 0) else {
                try Task.checkCancellation()
                continue
            }
            return Remote(role: role, folder: folder, digest: digest, first: first)
        }
        return nil
    }

    private struct Remote: ContentSource {
        let role: SyncRole
        let folder: SyncFolderID
        let digest: ContentDigest
        /// The first part.
        let first: [UInt8]

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            if offset < UInt64(first.count) { return Array(first[Int(offset)...].prefix(count)) }
            // Only the last part is shorter than it may be: a small file is one question.
            if first.count < Limits.syncContent { return [] }
            guard offset <= Limits.size, let data = try await role.content(digest, of: folder, from: offset) else {
                throw Gone()
            }
            return Array(data.prefix(count))
        }
    }

    /// The peer does not give the rest of the content.
    private struct Gone: Error, CustomStringConvertible {
        var description: String { "The other device does not have the file any more." }
    }
}
