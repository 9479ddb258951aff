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

    /// Moves it into another folder of the same file system, under the first free one of its numbered names. Durable
    /// when this returns. Blocks.
    ///
    /// - Returns: its name there.
    /// - Throws: ``FileError``; the item is then unmoved.
    package func move(to other: Inbox) throws(FileError) -> FileName {
        let (folder, target) = (try place.open(), try other.open())
        let status: FileStatus
        do throws(SystemFailure) {
            status = try folder.status(of: name.text)
            guard try folder.status().identity.device == target.status().identity.device else {
                throw SystemFailure(EXDEV)
            }
        } catch {
            guard error.number == EXDEV else { throw .reading(DisplayText(name.text), error) }
            throw FileError(
                .notPermitted,
                "“\(DisplayText(place.path + "/" + name.text))” cannot be moved to another file system; copy it to "
                    + "“\(DisplayText(other.path))” yourself.")
        }
        let isFolder = status.kind == .folder
        let closed = try open(isFolder ? status : nil, in: folder)
        defer { if let closed { try? place.storage.setPermissions(closed.mode, of: closed.folder) } }
        let given = try Placement(name.text, in: folder, to: target, by: place.storage)
            .place(as: name.ofItem, isFolder: isFolder)
        // On a file system that cannot rename without replacing, the file has two names now.
        if !isFolder, (try? folder.status(of: name.text))?.identity == status.identity {
            try? place.storage.remove(name.text, in: folder)
        }
        do throws(SystemFailure) {
            for folder in [target, folder] { try place.storage.sync(folder) }
        } catch {
            throw .storing(DisplayText(given.text), error)
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
        do throws(SystemFailure) {
            let inner = try Beneath.openOwned(name.text, in: folder, features: place.features)
            try place.storage.setPermissions(status.mode | 0o700, of: inner)
            return (inner, status.mode & 0o777)
        } catch {
            throw .storing(DisplayText(name.text), error)
        }
    }
}
