import PortolanValues

extension PartialItem {
    /// Hides a published item again, for example if its receiver could not record it.
    ///
    /// A resumable item becomes a complete partial again; any other is removed. An item that was in the inbox before
    /// stays as it is, and so does an item that was replaced since. Does nothing before ``publish(as:)``.
    ///
    /// - Throws: ``FileError`` if the item cannot be hidden. It is then complete.
    package func withdraw() throws(FileError) {
        guard let stored = life.published, let root = area.workspace.root,
            let status = try? place.folder.status(of: stored.name.text), status.identity == root
        else { return }
        let workspace = try place.inbox.newWorkspace(in: place.folder, for: place.restriction, about: place.about)
        do throws(SystemFailure) {
            // A folder that its owner may not change cannot be moved into another one.
            if status.kind == .folder {
                _ = try Beneath.openOwned(stored.name.text, in: place.folder, features: place.features)
            }
            try place.storage.moveWithoutReplacing(
                stored.name.text, in: place.folder, to: Workspace.itemName, in: workspace.folder)
            guard let about = place.about else { return workspace.remove() }
            let progress = PartialProgress(version: PartialProgress.currentVersion, bytes: stored.bytes, files: [])
            try progress.save(in: workspace.folder, by: place.storage, durably: !place.isInMemory)
            try place.storage.sync(workspace.folder)
            try place.storage.sync(place.folder)
            place.inbox.index.add(workspace.name, of: about.identity)
            workspace.unlock()
        } catch {
            // An item that was moved is hidden, and its record is in the workspace.
            let isMoved = (try? workspace.folder.status(of: Workspace.itemName)) != nil
            if isMoved { workspace.unlock() } else { workspace.remove() }
            throw .storing(DisplayText(stored.name.text), error)
        }
    }
}
