import Glibc
import PortolanValues

/// Publishes an item that was not in the inbox: in one step, and without replacing anything.
struct NewItem: PublishingStrategy {
    /// A folder that its owner may not change. It cannot be moved like that, so it is closed when it is in its place.
    struct ClosedFolder: Sendable {
        let folder: Descriptor
        let permissions: UInt16
    }

    let name: FileName
    let workspace: Workspace
    /// The item, as it was made in the workspace.
    let identity: FileIdentity
    let isFolder: Bool
    let closedFolder: ClosedFolder?

    var isUpdate: Bool { false }

    func check() {}

    func place(_ outcome: inout StoredOutcome) throws(FileError) -> FileName {
        do throws(SystemFailure) {
            guard try workspace.folder.status(of: Workspace.itemName).identity == identity else {
                throw SystemFailure(EEXIST)
            }
        } catch {
            throw .storing(DisplayText(name.text), error)
        }
        let given = try Placement(workspace).place(as: name.ofItem, isFolder: isFolder)
        guard let closedFolder else { return given }
        do throws(SystemFailure) {
            try workspace.storage.narrow(closedFolder.folder, to: closedFolder.permissions, owner: 0o700)
            try workspace.storage.sync(closedFolder.folder)
        } catch {
            throw .storing(DisplayText(given.text), error)
        }
        return given
    }
}
