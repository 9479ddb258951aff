import PortolanProtocol
import PortolanSync
import PortolanSyncModel

@testable import PortolanSyncing

/// Folders of a device that announces changes, and never answers requests for them.
struct MuteHost: SyncHost {
    let service: SyncService

    func announcement(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: SmallContents?, for role: SyncRole
    ) async throws -> Announcement? {
        try await Task.sleep(for: .seconds(86_400))
        return nil
    }

    func pauseForAnswer() async throws { try await service.pauseForAnswer() }

    func began(_ role: SyncRole) async { await service.began(role) }

    func ended(_ role: SyncRole) { service.ended(role) }

    func wasTold(by role: SyncRole) { service.wasTold(by: role) }

    func folders(for role: SyncRole) async throws -> Message.SyncFolders { try await service.folders(for: role) }

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
    ) async throws -> (any ContentSource)? { try await service.content(digest, of: folder, for: role) }
}
