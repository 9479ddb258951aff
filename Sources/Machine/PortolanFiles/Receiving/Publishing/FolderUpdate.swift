import Glibc
import PortolanValues

/// Updates a folder that was stored from the same source before: received entries move into it, file by file.
///
/// After each step every file is complete, in its old or new version. If the process is killed, the remaining entries
/// are in the partial, where the next transfer finds them.
struct FolderUpdate: PublishingStrategy {
    let target: StoredTarget
    let workspace: Workspace
    /// Folder that was made in the workspace for new entries; nil if there are none.
    let root: FileIdentity?
    /// Properties that must not be lost.
    let required: Fidelity

    var name: FileName { target.name }
    var isUpdate: Bool { true }

    func check() throws(FileError) { try target.checkIsThere(in: workspace.inbox) }

    func place(_ outcome: inout StoredOutcome) throws(FileError) -> FileName {
        guard (try? workspace.folder.status(of: Workspace.itemName)) != nil else { return name }
        let made = try FileError.whileStoring(DisplayText(name.text)) { () throws(SystemFailure) in
            let made = try Beneath.openOwned(Workspace.itemName, in: workspace.folder, features: workspace.features)
            guard try made.status().identity == root else { throw SystemFailure(EEXIST) }
            return made
        }
        var merge = FolderMerge(workspace, of: name, keeping: required, outcome)
        try merge.move(from: made, to: target.root, path: [])
        outcome = merge.outcome
        try FileError.whileStoring(DisplayText(name.text)) { () throws(SystemFailure) in
            // Names before the partial, which still has the sources of the moves, is removed.
            try workspace.storage.syncAll(target.root)
        }
        return name
    }
}
