import Glibc
import PortolanValues

/// Complete item that was stored in a folder, such as a quarantine, and can be moved to another one or removed.
package struct PlacedItem: Sendable {
    private let place: Inbox
    private let name: FileName

    /// - Parameter folder: path of the folder.
    /// - Throws: ``FileError`` if there is no such folder, or it is not writable.
    package init(_ name: FileName, in folder: String) throws(FileError) {
        place = try Inbox(path: folder, createIfMissing: false)
        self.name = name
    }

    /// Moves it into another folder, under the first free one of its numbered names; on another file system, copies it
    /// there. Durable when this returns. Blocks.
    ///
    /// - Parameter stop: ends a copy.
    /// - Returns: its name there, and true for a copy, beside which it stays where it is.
    /// - Throws: ``FileError``; the item is then unmoved.
    package func move(
        to other: Inbox, until stop: StopRequest = StopRequest()
    ) throws(FileError) -> (name: FileName, isCopy: Bool) {
        let (folder, target) = (try place.open(), try other.open())
        let (status, above, isFar): (FileStatus, FileStatus, Bool)
        do throws(SystemFailure) {
            status = try folder.status(of: name.text)
            above = try folder.status()
            isFar = try above.identity.device != target.status().identity.device
        } catch {
            throw .reading(DisplayText(name.text), error)
        }
        let isOurs = status.owner == geteuid() && status.isOrdinary
        guard isOurs || above.isWritable(onlyBy: [geteuid(), 0]) else {
            throw FileError(
                .tamperedWith,
                "“\(DisplayText(place.path + "/" + name.text))” is another user's by now, or no file or folder: others may "
                    + "write in its folder. It was not moved.")
        }
        if isFar { return (try copy(from: folder, to: target, of: other, until: stop), true) }
        let isFolder = status.kind == .folder
        let closed = try open(isFolder ? status : nil, in: folder)
        defer { if let closed { try? place.storage.setPermissions(closed.mode, of: closed.folder) } }
        let given = try Placement(name.text, in: folder, to: target, by: place.storage)
            .place(as: name.ofItem, isFolder: isFolder)
        // On a file system that cannot rename without replacing, the file has two names now.
        if !isFolder, (try? folder.status(of: name.text))?.identity == status.identity {
            try? place.storage.remove(name.text, in: folder)
        }
        try FileError.whileStoring(DisplayText(given.text)) { () throws(SystemFailure) in
            for folder in [target, folder] { try place.storage.sync(folder) }
        }
        return (given, false)
    }

    /// Copies it by way of a hidden folder, which is removed like a partial item after the process was killed.
    private func copy(
        from folder: Descriptor, to target: Descriptor, of other: Inbox, until stop: StopRequest
    ) throws(FileError) -> FileName {
        let path = place.path + "/" + name.text
        let item = try FileError.whileReading(DisplayText(path)) { () throws(SystemFailure) in
            try Beneath.open(name.text, in: folder, O_RDONLY | O_NONBLOCK, features: place.features)
        }
        let workspace = try FileError.whileStoring(DisplayText(other.path)) { () throws(SystemFailure) in
            try Workspace(in: target, features: other.features, storage: other.storage)
        }
        defer { workspace.remove() }
        try TreeCopy(in: workspace.folder, reserve: 0, stop: stop).make(of: item, at: path, named: Workspace.itemName)
        let isFolder = (try? item.status().kind) == .folder
        let given = try Placement(workspace).place(as: name.ofItem, isFolder: isFolder)
        try FileError.whileStoring(DisplayText(given.text)) { () throws(SystemFailure) in
            try other.storage.sync(target)
        }
        return given
    }

    /// Removes it with its content. Blocks.
    ///
    /// - Throws: ``FileError`` if some of it remains. A missing item counts as removed.
    package func remove() throws(FileError) {
        let folder = try place.open()
        do throws(SystemFailure) {
            do throws(SystemFailure) {
                try place.storage.removeIfPresent(name.text, in: folder)
            } catch {
                guard error.number == EISDIR || error.number == EPERM else { throw error }
                let inner = try Beneath.openOwned(name.text, in: folder, features: place.features)
                Removal.empty(inner, features: place.features, storage: place.storage)
                try place.storage.remove(name.text, in: folder, isFolder: true)
            }
            try place.storage.sync(folder)
        } catch {
            throw FileError(.notPermitted, "“\(DisplayText(name.text))” cannot be removed: \(error.text).")
        }
    }

    /// Makes a folder writable for the time of a move, since the move changes its entry “..”.
    ///
    /// - Parameter status: nil for an item that is not a folder.
    /// - Returns: the folder and its former permissions; nil if nothing was changed.
    private func open(
        _ status: FileStatus?, in folder: Descriptor
    ) throws(FileError) -> (folder: Descriptor, mode: UInt16)? {
        guard let status, status.mode & 0o200 == 0 else { return nil }
        return try FileError.whileStoring(DisplayText(name.text)) { () throws(SystemFailure) in
            let inner = try Beneath.openOwned(name.text, in: folder, features: place.features)
            try place.storage.setPermissions(status.mode | 0o700, of: inner)
            return (inner, status.mode & 0o777)
        }
    }
}
