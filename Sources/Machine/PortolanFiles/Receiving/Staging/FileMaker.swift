import Glibc
import PortolanValues

/// Creates files of an item: empty ones, and copies of present files.
struct FileMaker: Sendable {
    let place: ItemPlace

    var content: ContentCopy {
        ContentCopy(storage: place.storage, space: place.space, interruption: place.interruption)
    }

    /// Creates a file with its restriction from the beginning.
    func make(
        _ entry: TreeEntry, for restriction: Restriction, named name: String, in directory: Descriptor
    ) throws(SystemFailure) -> Descriptor {
        let file = try SystemFailure.naming { () throws(SystemFailure) in
            try place.storage.makeFile(name, in: directory, mode: UInt32(entry.permissions & place.permitted | 0o600))
        }
        try StoredVisibility.keep(restriction, on: file, by: place.storage)
        return file
    }

    /// Copies a file with its content, permissions and time.
    func copy(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> Descriptor {
        let source = try Beneath.openToRead(name, in: folder, features: place.features)
        return try copy(source, to: other, in: otherFolder, entry, for: restriction)
    }

    /// Copies a file to a new one, likewise. Ends with ``SystemFailure/interrupted`` when the item is to end.
    func copy(
        _ source: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> Descriptor {
        let storage = place.storage
        let status = try source.status()
        guard status.kind == .file else { throw SystemFailure(ELOOP) }
        let copy = try make(entry, for: restriction, named: other, in: otherFolder)
        try content.copy(source, ofSize: status.size, to: copy)
        let permissions = status.mode & 0o777
        // The copy gets the source's mark, or an unfinished one would look like a received file that was changed here.
        if place.about != nil, var details = ReceivedMark.details(status.size, status.modified, on: source) {
            details.permissions = permissions
            _ = try ReceivedMark.set(status.size, status.modified, details, on: copy, by: storage)
        }
        _ = try storage.adoptPermissions(permissions, of: copy)
        try storage.setModified(status.modified, of: copy)
        return copy
    }
}
