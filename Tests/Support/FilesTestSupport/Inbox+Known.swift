@testable import PortolanFiles

extension Inbox {
    /// State of one item, after the inbox has listed its items again.
    func known(_ identity: ItemIdentity, called name: FileName, isFolder: Bool) throws(FileError) -> StoredItemState {
        try listPartials()
        return try find(identity, called: name, isFolder: isFolder).known
    }
}
