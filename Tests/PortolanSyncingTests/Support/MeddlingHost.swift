import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTrust

@testable import PortolanSyncing

/// Folders of a device that breaks the protocol's rules.
struct MeddlingHost: SyncHost {
    /// Misbehaviour of the device with its folders.
    enum Meddling: Sendable {
        /// Announces changes, and never answers requests for them.
        case isMute
        /// Sends other bytes than the files have: the closure gets the bytes that were read.
        case changes(@Sendable ([UInt8]) -> [UInt8])
        /// Reads a number of bytes of a file when the first closure returns, and waits as the second one does.
        case hesitates(
            reading: @Sendable (_ count: Int) async throws -> Void, pausing: @Sendable (SyncWait) async throws -> Void)
    }

    private struct Source: ContentSource {
        let content: any ContentSource
        let meddling: Meddling

        var size: UInt64? { content.size }

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            if case .hesitates(let reading, _) = meddling { try await reading(count) }
            let bytes = try await content.read(at: offset, count: count)
            guard case .changes(let change) = meddling else { return bytes }
            return change(bytes)
        }
    }

    let service: SyncService
    let meddling: Meddling

    func announcement(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: SmallContents?, for role: SyncRole
    ) async throws -> Announcement? {
        guard case .isMute = meddling else {
            return try await service.announcement(of: folder, since: position, with: contents, for: role)
        }
        try await Task.sleep(for: .seconds(86_400))
        return nil
    }

    func pause(for wait: SyncWait) async throws {
        guard case .hesitates(_, let pausing) = meddling else { return try await service.pause(for: wait) }
        try await pausing(wait)
    }

    func began(_ role: SyncRole) { service.began(role) }

    func differs(_ role: SyncRole, _ versions: [Int]) async { await service.differs(role, versions) }

    func scanFolders(for role: SyncRole) async { await service.scanFolders(for: role) }

    func ended(_ role: SyncRole) { service.ended(role) }

    func wasTold(by role: SyncRole) { service.wasTold(by: role) }

    func lacksChanged(in folders: Set<SyncFolderID>, by role: SyncRole) async {
        await service.lacksChanged(in: folders, by: role)
    }

    func sends(_ folder: SyncFolderID, to role: SyncRole) { service.sends(folder, to: role) }

    func folders(for role: SyncRole) async throws -> (Message.SyncFolders, [SignedFolderStatement]) {
        try await service.folders(for: role)
    }

    func contents(
        _ all: ArraySlice<SmallContents.Content>, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> [[UInt8]]? { try await service.contents(all, of: folder, for: role) }

    func heard(_ position: SyncPosition, of folder: SyncFolderID, by role: SyncRole) async throws {
        try await service.heard(position, of: folder, by: role)
    }

    func isShared(_ folder: SyncFolderID, with role: SyncRole) async throws -> Bool {
        try await service.isShared(folder, with: role)
    }

    func content(
        _ digest: ContentDigest, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> (any ContentSource)? {
        guard let content = try await service.content(digest, of: folder, for: role) else { return nil }
        return Source(content: content, meddling: meddling)
    }
}
