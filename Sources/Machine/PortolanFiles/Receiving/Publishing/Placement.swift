import Glibc
import PortolanValues

/// Gives a complete item its name in the inbox, without ever replacing an entry.
struct Placement {
    /// Folder of the item, and its name there.
    private let folder: Descriptor
    private let source: String
    /// Inbox, on the same file system as the item.
    private let inbox: Descriptor
    private let storage: any Storage

    init(_ workspace: Workspace) {
        self.init(Workspace.itemName, in: workspace.folder, to: workspace.inbox, by: workspace.storage)
    }

    init(_ source: String, in folder: Descriptor, to inbox: Descriptor, by storage: any Storage) {
        self.source = source
        self.folder = folder
        self.inbox = inbox
        self.storage = storage
    }

    /// Gives the item the first free of its names.
    func place(as name: FileName, isFolder: Bool) throws(FileError) -> FileName {
        if try rename(to: name.text, isFolder: isFolder) { return name }
        // Another process may take each name that was free a moment ago; the number of attempts bounds an attack.
        for _ in 0..<100 {
            let candidate = name.numbered(firstFree(name, isFolder: isFolder), isFolder: isFolder)
            if try rename(to: candidate.text, isFolder: isFolder) { return candidate }
        }
        throw FileError(.nameTaken, "There are too many files called “\(name)” in the inbox; move some away.")
    }

    /// Finds a free number: doubles it until one is free, then halves the gap, so that a thousand of one name cost ten
    /// looks each.
    private func firstFree(_ name: FileName, isFolder: Bool) -> Int {
        func isTaken(_ number: Int) -> Bool {
            (try? inbox.status(of: name.numbered(number, isFolder: isFolder).text)) != nil
        }
        var taken = 1
        var free = 2
        while isTaken(free), free < 1 << 40 { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isTaken(middle) { taken = middle } else { free = middle }
        }
        return free
    }

    /// - Returns: true if the name was free, so that the item has it now.
    private func rename(to name: String, isFolder: Bool) throws(FileError) -> Bool {
        do throws(SystemFailure) {
            do throws(SystemFailure) {
                try storage.move(source, in: folder, to: name, in: inbox, .withoutReplacing)
                return true
            } catch {
                if error.number == EEXIST { return false }
                guard error.number == EINVAL else { throw error }
            }
            return try isFolder ? renameFolderByClaim(to: name) : linkFile(to: name)
        } catch {
            throw .storing(DisplayText(name), error.ofNaming)
        }
    }

    /// Moves the file on a file system that cannot rename without replacing: link(2) never replaces.
    private func linkFile(to name: String) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            try storage.link(source, in: folder, as: name, in: inbox)
            return true
        } catch {
            if error.number == EEXIST { return false }
            guard error.number == EPERM || error.number == ENOTSUP || error.number == ENOSYS else { throw error }
        }
        return try renameFileByClaim(to: name)
    }

    /// Moves the file on a file system without hard links: an empty file claims the name and is replaced while it is
    /// empty.
    private func renameFileByClaim(to name: String) throws(SystemFailure) -> Bool {
        let claim: FileIdentity
        do throws(SystemFailure) {
            claim = try storage.makeFile(name, in: inbox, mode: 0o600).status().identity
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        guard let found = try? inbox.status(of: name), found.identity == claim, found.size == 0 else { return false }
        do throws(SystemFailure) {
            try storage.move(source, in: folder, to: name, in: inbox, .replacing)
            return true
        } catch {
            try? storage.remove(name, in: inbox)
            throw error
        }
    }

    /// Moves the folder on a file system that cannot rename without replacing: an empty folder claims the name, and
    /// rename(2) replaces a folder only while it is empty.
    private func renameFolderByClaim(to name: String) throws(SystemFailure) -> Bool {
        do throws(SystemFailure) {
            try storage.makeFolder(name, in: inbox, mode: 0o700)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        do throws(SystemFailure) {
            try storage.move(source, in: folder, to: name, in: inbox, .replacing)
            return true
        } catch {
            try? storage.remove(name, in: inbox, isFolder: true)
            if error.number == ENOTEMPTY || error.number == EEXIST || error.number == ENOTDIR { return false }
            throw error
        }
    }
}
