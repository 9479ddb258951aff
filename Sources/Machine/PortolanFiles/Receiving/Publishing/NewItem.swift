import Glibc
import PortolanValues

/// Publishes an item that was not in the inbox: in one step, and without replacing anything.
struct NewItem: PublishingStrategy {
    /// Folder that its owner may not write. Such a folder cannot be moved, so its permissions are set after the move.
    struct ClosedFolder: Sendable {
        let folder: Descriptor
        let permissions: UInt16
    }

    let name: FileName
    let workspace: Workspace
    /// Identity of the item as created in the workspace.
    let identity: FileIdentity
    let isFolder: Bool
    let closedFolder: ClosedFolder?

    var isUpdate: Bool { false }

    func check() {}

    func place(_ outcome: inout StoredOutcome) throws(FileError) -> FileName {
        try FileError.whileStoring(DisplayText(name.text)) { () throws(SystemFailure) in
            guard try workspace.folder.status(of: Workspace.itemName).identity == identity else {
                throw SystemFailure(EEXIST)
            }
        }
        let given = try Placement(workspace).place(as: name.ofItem, isFolder: isFolder)
        guard let closedFolder else { return given }
        try FileError.whileStoring(DisplayText(given.text)) { () throws(SystemFailure) in
            _ = try workspace.storage.narrow(closedFolder.folder, to: closedFolder.permissions, owner: 0o700)
            try workspace.storage.sync(closedFolder.folder)
        }
        return given
    }
}
