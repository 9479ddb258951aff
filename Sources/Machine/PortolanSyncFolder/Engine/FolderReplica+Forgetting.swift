import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

extension FolderReplica {
    /// Ends announcing and serving a file or folder of this disk, from the next scan on. For other members that is a
    /// deletion.
    ///
    /// It is durable when the call returns.
    ///
    /// - Parameter path: path in the folder.
    /// - Throws: ``SyncError``; also if nothing is there.
    package func forget(_ path: String) async throws {
        try await exclusively { replica in
            guard replica.ways.tells else {
                throw SyncError(
                    .folder(SystemFailure(EPERM)),
                    "This device is receive-only there: others would not be told of it.")
            }
            let names = try ControlFolder.names(path)
            let folder = try replica.openFolder()
            try replica.readRules(of: folder)
            var rules = replica.accepted
            let isKept: Bool
            do throws(SystemFailure) {
                var parent = folder.root
                for name in names.dropLast() { parent = try replica.storage.openFolder(name, in: parent) }
                _ = try replica.storage.status(of: names[names.count - 1], in: parent)
                let handle = FileHandleID(
                    try replica.storage.status(of: parent).identity.inode,
                    generation: replica.storage.generation(of: parent))
                isKept = rules.forget(
                    SyncName(names[names.count - 1]), in: handle, at: names.dropLast().map { SyncName($0) })
            } catch { throw SyncError.folder(error, "find “\(DisplayText(path, limit: 200))”") }
            guard isKept else {
                throw SyncError(.folder(SystemFailure(EDQUOT)), "Too many files are not kept alike in this way.")
            }
            try folder.control.write(rules)
            replica.accepted = rules
        }
    }
}
