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

    func content(
        _ digest: ContentDigest, size: UInt64, after earlier: EarlierVersion
    ) async throws -> (any ContentSource)? {
        guard let whole = source(digest, startingWith: 0) else { return nil }
        return try await AssembledContent.of(whole, size: size, after: earlier) ?? whole
    }

    func otherContent(_ digest: ContentDigest) async throws -> (any ContentSource)? {
        source(digest, startingWith: 1)
    }

    private func source(_ digest: ContentDigest, startingWith first: Int) -> RemoteContent? {
        let roles = roles.filter { $0.told?[folder] != nil }
        guard !roles.isEmpty else { return nil }
        let first = first % roles.count
        return RemoteContent(folder, digest, Array(roles[first...] + roles[..<first]))
    }
}

/// Content whose parts may come from several peers: if one does not have it, or has disconnected, the next one is
/// asked.
final class RemoteContent: ContentSource {
    private struct State {
        /// Peers that have not failed.
        var roles: ArraySlice<SyncRole>
        /// Size of the content in bytes, known after the last part.
        var end: UInt64?
    }

    private let folder: SyncFolderID
    let digest: ContentDigest
    private let state: Mutex<State>

    init(_ folder: SyncFolderID, _ digest: ContentDigest, _ roles: [SyncRole]) {
        self.folder = folder
        self.digest = digest
        state = Mutex(State(roles: roles[...]))
    }

    let partBytes = Limits.syncContent
    let partsAtOnce = Limits.questions

    func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
        let length = min(count, Limits.syncContent)
        guard length > 0 else { return [] }
        while let (role, end) = state.withLock({ state in state.roles.first.map { ($0, state.end) } }) {
            if let end, offset >= end { return [] }
            if let data = try? await role.content(digest, of: folder, from: offset, length: length) {
                // Only the last part is shorter than asked for.
                if data.count < length {
                    state.withLock { $0.end = offset + UInt64(data.count) }
                }
                return data
            }
            try Task.checkCancellation()
            state.withLock { if $0.roles.first === role { $0.roles.removeFirst() } }
        }
        throw SyncError.noContent
    }

    /// Requests a complete description of the content from one peer.
    ///
    /// - Parameter most: most bytes of the answer.
    /// - Returns: nil if the peer refuses, has disconnected, or sends more.
    func describe(_ description: Message.SyncWant.Description, most: Int, by role: SyncRole) async throws -> [UInt8]? {
        var answer: [UInt8] = []
        while answer.count <= most {
            let part = try? await role.content(
                digest, of: folder, from: UInt64(answer.count), length: Limits.syncContent, description: description)
            try Task.checkCancellation()
            guard let part else { return nil }
            answer += part
            if part.count < Limits.syncContent { return answer.count <= most ? answer : nil }
        }
        return nil
    }

    /// Peers that have not failed.
    var roles: [SyncRole] { state.withLock { Array($0.roles) } }
}
