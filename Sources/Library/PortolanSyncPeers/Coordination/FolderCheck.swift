import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import Synchronization

/// Comparison of folders with their indexes, at the request of a person.
extension SyncCoordinator {
    /// - Parameter local: name of the folder in file names of this device.
    /// - Returns: nil if the folder is not open.
    package func check(_ local: String, _ manner: SyncCheckManner) async throws -> SyncRepair? {
        guard let folder = state.withLock({ $0.folders[local] }) else { return nil }
        // Changes and steps of the check are announced by the folder's own task.
        defer { folder.ring() }
        return try await folder.replica.check(manner)
    }
}

/// Files that are kept alike on this device no more.
extension SyncCoordinator {
    /// Ends announcing and serving a file or folder, and returns when the folder was looked at.
    ///
    /// - Parameters:
    ///   - local: name of the folder in file names of this device.
    ///   - path: path in it.
    /// - Returns: false if the folder is not open.
    package func forget(_ path: String, in local: String) async throws -> Bool {
        guard let folder = state.withLock({ $0.folders[local] }) else { return false }
        try await folder.replica.forget(path)
        await folder.waitForRound()
        return true
    }
}

extension SyncFolderList {
    /// Opens a folder's replica.
    func openReplica(of entry: SyncFolderEntry, by node: Node) async throws -> FolderReplica {
        let index = try await withLookupThread { try self.index(of: entry) }
        let (key, id) = (node.identity.key, entry.id?.bytes ?? [])
        return try await FolderReplica.open(
            folder: entry.path, chosen: entry.root, index: index, device: DeviceID(node.identity.publicKey),
            author: node.identity.name.text, seals: SealMaker { key.syncProof(of: $0, folder: id) },
            without: node.configuration.home.ownFiles)
    }

    /// Checks a folder that no process keeps alike at the moment.
    ///
    /// - Throws: ``SyncError``; of kind `inUse` if a process does.
    package func check(_ entry: SyncFolderEntry, _ manner: SyncCheckManner, by node: Node) async throws -> SyncRepair {
        try await with(entry, by: node) { try await $0.check(manner) }
    }

    /// Ends keeping a file or folder alike, in a folder that no process keeps alike at the moment. The next run tells
    /// it.
    ///
    /// - Throws: ``SyncError``; of kind `inUse` if a process does.
    package func forget(_ path: String, in entry: SyncFolderEntry, by node: Node) async throws {
        try await with(entry, by: node) { try await $0.forget(path) }
    }

    private func with<Result>(
        _ entry: SyncFolderEntry, by node: Node, _ body: (FolderReplica) async throws -> Result
    ) async throws -> Result {
        let replica = try await openReplica(of: entry, by: node)
        replica.setWays(entry.ways)
        do {
            let result = try await body(replica)
            try await replica.close()
            return result
        } catch {
            try? await replica.close()
            throw error
        }
    }
}

extension SyncCheck {
    /// Changes that wait, as sentences for people.
    package var waits: [String] { report.sentences(limit: 20) }
}
