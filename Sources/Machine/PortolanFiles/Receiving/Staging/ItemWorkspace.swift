import PortolanValues
import Synchronization

/// Workspace of an item, created when it is first needed.
final class ItemWorkspace: Sendable {
    private struct State {
        var workspace: Workspace?
        var root: FileIdentity?
    }

    private let place: ItemPlace
    private let state: Mutex<State>
    /// Held while the workspace is made.
    private let making = Mutex(())

    /// - Parameter workspace: nil if none is needed yet.
    init(_ place: ItemPlace, _ workspace: Workspace?) {
        self.place = place
        state = Mutex(State(workspace: workspace))
    }

    /// nil as long as none was made.
    var current: Workspace? { state.withLock(\.workspace) }

    /// The item itself, after it was created in the workspace.
    var root: FileIdentity? {
        get { state.withLock(\.root) }
        set { state.withLock { $0.root = newValue } }
    }

    /// Permission bits that files keep in the workspace; all allowed ones while there is no workspace.
    var keptPermissions: UInt16 { (state.withLock { $0.workspace?.keptPermissions } ?? 0o777) & place.permitted }

    /// Permissions that the inbox's access control list grants to others on new files.
    var grantedByList: UInt16 { state.withLock { $0.workspace?.grantedByList ?? 0 } }

    /// Returns the workspace; creates it if there is none.
    func open() throws(FileError) -> Workspace {
        if let current { return current }
        return try making.withLock { _ throws(FileError) in
            if let current { return current }
            let made = try place.inbox.newWorkspace(in: place.folder, for: place.restriction, about: place.about)
            state.withLock { $0.workspace = made }
            return made
        }
    }
}
