import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import Synchronization

/// Source of a folder's content from the peers with open sessions.
struct RemoteContents: ContentProvider {
    let folder: SyncFolderID
    let roles: [SyncRole]

    func content(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        source(digest, startingWith: 0)
    }

    func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        source(digest, startingWith: 1)
    }

    private func source(_ digest: ContentDigest, startingWith first: Int) -> Remote? {
        let roles = roles.filter { $0.told?[folder] != nil }
        guard !roles.isEmpty else { return nil }
        let first = first % roles.count
        return Remote(folder, digest, Array(roles[first...] + roles[..<first]))
    }

    /// A content whose parts may come from several peers: if one does not have it, or has gone, the next one is asked.
    private final class Remote: ContentSource {
        private struct State {
            /// Peers that have not failed.
            var roles: ArraySlice<SyncRole>
            /// Size of the content, in bytes, known after the last part.
            var end: UInt64?
        }

        private let folder: SyncFolderID
        private let digest: ContentDigest
        private let state: Mutex<State>

        init(_ folder: SyncFolderID, _ digest: ContentDigest, _ roles: [SyncRole]) {
            self.folder = folder
            self.digest = digest
            state = Mutex(State(roles: roles[...]))
        }

        let partBytes = Limits.syncContent
        let partsAtOnce = Limits.questions

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            while let (role, end) = state.withLock({ state in state.roles.first.map { ($0, state.end) } }) {
                if let end, offset >= end { return [] }
                if let data = try? await role.content(digest, of: folder, from: offset) {
                    // Only the last part is shorter than the maximum.
                    if data.count < Limits.syncContent {
                        state.withLock { $0.end = offset + UInt64(data.count) }
                    }
                    return Array(data.prefix(count))
                }
                try Task.checkCancellation()
                state.withLock { if $0.roles.first === role { $0.roles.removeFirst() } }
            }
            throw SyncError.noContent
        }
    }
}
