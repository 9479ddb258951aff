@testable import PortolanFiles

extension Inbox {
    /// State of one item, after a listing of its own.
    func known(_ identity: ItemIdentity, called name: FileName, isFolder: Bool) throws(FileError) -> StoredItemState {
        try listPartials()
        return try find(identity, called: name, isFolder: isFolder).known
    }
}
