@testable import PortolanSyncFolder

extension FolderReplica {
    /// Finds out if the folder at the path is the one that is kept alike. Nothing is written.
    ///
    /// - Throws: ``SyncError`` of kind `halted` if it is left alone until a person decides.
    func checkRoot() async throws {
        try await exclusively { replica in
            if let stop = try replica.opener.stop() { throw SyncError(.halted(stop), stop.sentence) }
        }
    }
}
