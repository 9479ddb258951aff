import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTrust
import PortolanValues

@testable import PortolanSyncPeers

/// Folders of a device that breaks the protocol's rules.
struct MeddlingHost: SyncHost {
    /// Misbehaviour of the device with its folders.
    enum Meddling: Sendable {
        /// Announces changes, and never answers requests for them.
        case isMute
        /// Sends other bytes than the files have: the closure gets the content that is about to go.
        case changes(@Sendable (Data) -> Data)
        /// Looks into its list before it merges changes: the closure gets the session.
        case looks(@Sendable (SyncRole) async -> Void)
    }

    let service: SyncCoordinator
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

    func pause(for wait: SyncWait) async throws { try await service.pause(for: wait) }

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
        if case .looks(let look) = meddling { await look(role) }
        return try await service.isShared(folder, with: role)
    }

    func contents(_ want: Message.SyncWant, for role: SyncRole) async throws -> [SourceContent]? {
        let contents = try await service.contents(want, for: role)
        guard case .changes(let change) = meddling else { return contents }
        return contents?.map { content in
            SourceContent(name: content.name, size: content.size) {
                guard let file = content.open() else { return nil }
                let bytes = FileHandle(fileDescriptor: file.number, closeOnDealloc: false).readDataToEndOfFile()
                let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: copy) }
                guard (try? change(bytes).write(to: copy)) != nil else { return nil }
                return try? KernelStorage().open(path: copy.path)
            }
        }
    }

    func mayHave(_ folder: SyncFolderID, _ role: SyncRole) -> Bool { service.mayHave(folder, role) }

    func maySee(_ mark: Restriction, _ role: SyncRole) -> Bool { service.maySee(mark, role) }
}
