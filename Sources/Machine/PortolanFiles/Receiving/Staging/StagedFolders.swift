import Glibc
import PortolanValues
import Synchronization

/// Folders in which an item is staged. Usable from any thread.
final class StagedFolders: Sendable {
    let opened: OpenFolders
    private let place: ItemPlace
    private let ledger: ItemLedger
    private let workspace: ItemWorkspace
    private let properties: EntryProperties

    init(_ place: ItemPlace, _ ledger: ItemLedger, _ workspace: ItemWorkspace, _ properties: EntryProperties) {
        self.place = place
        self.ledger = ledger
        self.workspace = workspace
        self.properties = properties
        opened = OpenFolders(features: place.features)
    }

    /// Returns the folder in which entries of an item's folder are staged; creates it if it does not exist.
    ///
    /// - Parameter folder: nil for the item itself.
    func holder(of folder: ItemFolder?) throws(FileError) -> HeldFolder {
        guard let folder else { return try workspace.open().held }
        if let made = folder.made { return made }
        return try folder.changing.withLock { _ throws(FileError) in
            if let made = folder.made { return made }
            let made = try make(folder)
            folder.made = made
            return made
        }
    }

    /// Returns the folder's open descriptor.
    func directory(for folder: ItemFolder?) throws(FileError) -> Descriptor {
        try opened.descriptor(of: holder(of: folder))
    }

    private func make(_ folder: ItemFolder) throws(FileError) -> HeldFolder {
        let above = try holder(of: folder.parent)
        let directory = try opened.descriptor(of: above)
        let entry = folder.entry
        let name = folder.parent == nil ? Workspace.itemName : entry.name.text
        let made = try changeNames(in: folder.parent, directory) { () throws(FileError) in
            try entry.making(in: folder.parent) { () throws(SystemFailure) in
                try SystemFailure.naming { () throws(SystemFailure) in
                    try place.storage.makeFolder(name, in: directory, mode: UInt32(entry.permissions | 0o700))
                }
            }
            // Opened before the folder above gets its final permissions, which may deny access even to its owner.
            return try opened.open(name, in: above)
        }
        if folder.parent == nil { workspace.root = made.identity }
        let descriptor = try opened.descriptor(of: made)
        try entry.storing { () throws(SystemFailure) in
            try StoredVisibility.keep(folder.restriction, on: descriptor, by: place.storage)
        }
        if folder.parent == nil { try properties.markTop(descriptor, entry) }
        // The stored folder has the attributes already.
        if folder.stored == nil {
            try properties.keepAttributes(of: entry, on: descriptor, in: folder)
            try properties.checkPermissions(of: entry, name: nil, in: folder)
        }
        return made
    }

    // MARK: - Complete folders

    /// Notes that a file in the folder is finished.
    ///
    /// - Parameter folder: nil for the item itself, which has no folder.
    func finishOne(in folder: ItemFolder?) throws(FileError) {
        if let folder, folder.finishOne() { try complete(folder) }
    }

    /// Entries from outside the folder follow.
    func leave(_ folder: ItemFolder) throws(FileError) {
        if folder.leave() { try complete(folder) }
    }

    /// Completes a folder without further entries: sets its time, which each new entry changed, and its permissions.
    private func complete(_ folder: ItemFolder) throws(FileError) {
        // A stored folder without new entries needs at most its time.
        guard folder.made != nil || folder.isOutOfDate else { return }
        let directory: Descriptor
        do throws(FileError) {
            directory = try self.directory(for: folder)
        } catch {
            // There is no room for the staged folder that would carry the time to the stored one.
            guard folder.made == nil, place.target != nil, error.kind == .noSpace else { throw error }
            return try ledger.lose(.modificationTime, of: nil, in: folder)
        }
        try folder.changing.withLock { _ throws(FileError) in try settle(folder, directory) }
    }

    private func settle(_ folder: ItemFolder, _ directory: Descriptor) throws(FileError) {
        // The item itself must stay writable until it is in its place.
        if folder.parent != nil {
            try properties.narrow(directory, to: folder.entry, owner: 0o700, of: nil, in: folder)
        }
        try properties.setModified(directory, folder.entry.modified, of: nil, in: folder)
        ledger.noteUnsynced(directory)
    }

    /// Removes a received file from the folder.
    func remove(_ name: FileName, from folder: ItemFolder) throws(FileError) {
        let directory = try directory(for: folder)
        try changeNames(in: folder, directory) { () throws(FileError) in
            try translating(place.storage.remove(name.text, in: directory)) { (error: SystemFailure) in
                FileError.storing(DisplayText(name.text), error)
            }
        }
    }

    /// Changes names in a folder. A complete folder is made writable temporarily, and gets its time again afterwards.
    ///
    /// Threads that create or complete the same folder wait meanwhile.
    private func changeNames<Result: Sendable>(
        in folder: ItemFolder?, _ directory: Descriptor, _ change: () throws(FileError) -> Result
    ) throws(FileError) -> Result {
        guard let folder else { return try change() }
        return try folder.changing.withLock { _ throws(FileError) in
            if folder.isComplete { try properties.widen(directory, of: folder.entry) }
            let result = try change()
            if folder.isComplete { try settle(folder, directory) }
            return result
        }
    }
}
