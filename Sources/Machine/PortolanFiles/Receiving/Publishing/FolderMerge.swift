import Glibc
import PortolanValues

/// Move of received files into the stored folder.
///
/// An error of one entry is reported, and the rest continues. The move ends only on an error of the disk or of this
/// process, or if another process keeps creating conflicting entries.
struct FolderMerge {
    private let workspace: Workspace
    /// The item's, for errors.
    private let item: FileName
    private let required: Fidelity
    private(set) var outcome: StoredOutcome

    init(_ workspace: Workspace, of item: FileName, keeping required: Fidelity, _ outcome: StoredOutcome) {
        self.workspace = workspace
        self.item = item
        self.required = required
        self.outcome = outcome
    }

    private var storage: any Storage { workspace.storage }
    private var features: KernelFeatures { workspace.features }

    mutating func move(from folder: Descriptor, to stored: Descriptor, path: [FileName]) throws(FileError) {
        let listing: DirectoryListing
        let modified: FileTime
        let opened: UInt16?
        do throws(SystemFailure) {
            guard path.count < TreeEntry.maximumFolders else { throw SystemFailure(ELOOP) }
            modified = try folder.status().modified
            listing = try DirectoryListing(of: folder)
            opened = try open(stored)
        } catch {
            throw failure(error, at: path)
        }
        do throws(FileError) {
            for entry in listing {
                // This process created all of them, with valid names.
                guard let name = try? FileName(entry.name) else { throw failure(SystemFailure(EEXIST), at: path) }
                try moveOne(name, from: folder, to: stored, path: path + [name])
            }
        } catch {
            if let opened { try? storage.setPermissions(opened, of: stored) }
            throw error
        }
        try settle(stored, modified, opened, path: path)
    }

    /// Opens a folder; a folder that its owner may not write is made writable temporarily.
    ///
    /// - Returns: its former mode; nil if it was not changed. Another user than the owner may have the permission by
    ///   other means.
    private func open(_ stored: Descriptor) throws(SystemFailure) -> UInt16? {
        let mode = try stored.status().mode
        guard mode & 0o300 != 0o300 else { return nil }
        do throws(SystemFailure) {
            try storage.setPermissions(mode | 0o300, of: stored)
            return mode
        } catch {
            guard isOfOneEntry(error) else { throw error }
            return nil
        }
    }

    /// Gives a stored folder its time, and the permissions that it had.
    private mutating func settle(
        _ stored: Descriptor, _ modified: FileTime, _ opened: UInt16?, path: [FileName]
    ) throws(FileError) {
        if let opened {
            do throws(SystemFailure) {
                try storage.setPermissions(opened, of: stored)
            } catch {
                guard isOfOneEntry(error) else { throw failure(error, at: path) }
                try lose(.mode, at: path)
            }
        }
        var isKept = false
        do throws(SystemFailure) {
            isKept = try stored.status().modified == modified
            if !isKept {
                try storage.setModified(modified, of: stored)
                isKept = try stored.status().modified == modified
            }
        } catch {
            guard isOfOneEntry(error) else { throw failure(error, at: path) }
        }
        if !isKept, !outcome.report.lists(.modificationTime, at: bytes(of: path)) {
            try lose(.modificationTime, at: path)
        }
    }

    private mutating func moveOne(
        _ name: FileName, from folder: Descriptor, to stored: Descriptor, path: [FileName]
    ) throws(FileError) {
        let folders: Folders?
        do throws(SystemFailure) {
            folders = try put(name, from: folder, in: stored, path)
        } catch {
            let reason: Loss.Reason
            switch error.reason {
            case .name: reason = .name
            // A folder that cannot grow: replacements in it still fit.
            case .noSpace: reason = .noSpace
            default: reason = .notPermitted
            }
            guard reason == .noSpace || isOfOneEntry(error) else { throw failure(error, at: path) }
            try lose(reason, at: path)
            return discount(name, in: folder, depth: path.count)
        }
        guard let folders else { return }
        try move(from: folders.made, to: folders.stored, path: path)
        // The folder may still hold an entry that could not be moved; the workspace's removal takes it.
        try? storage.remove(name.text, in: folder, isFolder: true)
    }

    // MARK: - One entry

    /// Two folders that become one.
    private struct Folders {
        let made: Descriptor
        let stored: Descriptor
    }

    /// Puts an entry in its place, or beside an entry of the same name.
    ///
    /// - Returns: the received and the stored folder, if both are folders whose entries must still be moved.
    private mutating func put(
        _ name: FileName, from folder: Descriptor, in stored: Descriptor, _ path: [FileName]
    ) throws(SystemFailure) -> Folders? {
        let status = try folder.status(of: name.text)
        // Another process may take or free the name between these calls; the number of attempts bounds an attack.
        for _ in 0..<100 {
            guard let present = try? stored.status(of: name.text) else {
                if try place(name, status, from: folder, in: stored, as: name) { return nil }
                continue
            }
            switch (status.kind, present.kind) {
            case (.folder, .folder):
                let inner = try Beneath.open(name.text, in: stored, O_RDONLY | O_DIRECTORY, features: features)
                guard BesideMark.isThere(on: inner) else {
                    return Folders(made: try openOwned(name, in: folder), stored: inner)
                }
            case (.file, .file):
                if try replace(name, over: name, from: folder, in: stored) { return nil }
            default: break
            }
            let isFile = status.kind == .file && present.kind == .file
            return try putBeside(name, status, from: folder, in: stored, isFile ? .conflict : .taken, path)
        }
        throw SystemFailure(EEXIST)
    }

    /// Puts an entry beside the one of the same name: over its earlier version there, or under the next free name.
    private mutating func putBeside(
        _ name: FileName, _ status: FileStatus, from folder: Descriptor, in stored: Descriptor,
        _ reason: Loss.Reason, _ path: [FileName]
    ) throws(SystemFailure) -> Folders? {
        for number in 2... {
            let other = name.numbered(number, isFolder: status.kind == .folder)
            if let taken = try? stored.status(of: other.text) {
                guard taken.kind == status.kind, status.kind != .symbolicLink,
                    BesideMark.names(name, other, in: stored, features: features)
                else { continue }
                if status.kind == .folder {
                    // The omission was reported when the folder was announced.
                    return Folders(
                        made: try openOwned(name, in: folder),
                        stored: try Beneath.open(other.text, in: stored, O_RDONLY | O_DIRECTORY, features: features))
                }
                guard try replace(name, over: other, from: folder, in: stored) else { continue }
            } else {
                guard try place(name, status, from: folder, in: stored, as: other) else { continue }
            }
            let path = bytes(of: path)
            outcome.report.add(reason, at: path)
            return nil
        }
        throw SystemFailure(EEXIST)
    }

    private func openOwned(_ name: FileName, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try Beneath.openOwned(name.text, in: folder, features: features)
    }

    /// - Returns: true if the name was free.
    private func place(
        _ name: FileName, _ status: FileStatus, from folder: Descriptor, in stored: Descriptor, as other: FileName
    ) throws(SystemFailure) -> Bool {
        // A folder that may not be written to cannot be moved: its entry “..” changes.
        var narrowed: Descriptor?
        if status.kind == .folder, status.mode & 0o200 == 0 {
            let inner = try openOwned(name, in: folder)
            try storage.setPermissions(status.mode | 0o700, of: inner)
            narrowed = inner
        }
        if other != name { try mark(name, status, in: folder) }
        do throws(SystemFailure) {
            try storage.moveWithoutReplacing(name.text, in: folder, to: other.text, in: stored)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        if let narrowed { try storage.setPermissions(status.mode & 0o777, of: narrowed) }
        return true
    }

    /// Marks an entry that is stored beside another one of its name. A file with several hard links is not marked,
    /// since the mark would count for each of its names.
    private func mark(_ name: FileName, _ status: FileStatus, in folder: Descriptor) throws(SystemFailure) {
        let file: Descriptor
        switch status.kind {
        case .folder: file = try openOwned(name, in: folder)
        case .file where status.links == 1:
            file = try Beneath.openOwned(name.text, in: folder, O_RDONLY | O_NONBLOCK, features: features)
        default: return
        }
        let mode = try file.status().mode & 0o777
        // Setting an attribute needs the owner's write permission.
        if mode & 0o200 == 0 { try storage.setPermissions(mode | 0o200, of: file) }
        try BesideMark.set(name, on: file, by: storage)
        if status.kind == .file, mode & 0o200 == 0 || mode != status.mode & 0o777 {
            try storage.setPermissions(status.mode & 0o777, of: file)
        }
        if status.kind == .folder, status.mode & 0o200 != 0, mode != status.mode & 0o777 {
            try storage.setPermissions(status.mode & 0o777, of: file)
        }
    }

    /// Replaces a file that is unchanged since it was received.
    ///
    /// - Parameter other: name of that file: the same, or the numbered name beside another entry.
    /// - Returns: true if the file was unchanged, so that it was replaced.
    private func replace(
        _ name: FileName, over other: FileName, from folder: Descriptor, in stored: Descriptor
    ) throws(SystemFailure) -> Bool {
        guard let file = try? Beneath.open(other.text, in: stored, O_RDONLY | O_NONBLOCK, features: features),
            ReceivedMark.isTrue(of: file),
            other == name ? !BesideMark.isThere(on: file) : BesideMark.isSet(name, on: file)
        else { return false }
        if other != name { try mark(name, try folder.status(of: name.text), in: folder) }
        do throws(SystemFailure) {
            try storage.move(name.text, in: folder, to: other.text, in: stored, .exchanging)
        } catch {
            // Without an exchange, a change of the file in just this moment is lost.
            guard error.number == EINVAL else { throw error }
            try storage.moveReplacing(name.text, in: folder, to: other.text, in: stored)
            return true
        }
        let replaced = try folder.status(of: name.text)
        // An overlay has given a file with several names another identity for this.
        guard replaced.identity == (try file.status().identity), ReceivedMark.isTrue(of: file) else {
            // The entry was changed at the last moment.
            try storage.move(name.text, in: folder, to: other.text, in: stored, .exchanging)
            return false
        }
        try storage.remove(name.text, in: folder)
        return true
    }

    // MARK: - Entries that cannot be moved

    private func isOfOneEntry(_ failure: SystemFailure) -> Bool { failure.isOfOneEntry(in: workspace.inbox) }

    private func bytes(of path: [FileName]) -> [UInt8] { Array(path.map(\.text).joined(separator: "/").utf8) }

    private func failure(_ failure: SystemFailure, at path: [FileName]) -> FileError {
        .storing(DisplayText(path.isEmpty ? item.text : path.map(\.text).joined(separator: "/")), failure)
    }

    /// Reports a loss, or fails where that must not be.
    private mutating func lose(_ reason: Loss.Reason, at path: [FileName]) throws(FileError) {
        let path = bytes(of: path)
        guard required.isDisjoint(with: Fidelity(lostBy: reason)) else {
            throw .lost(reason, of: path.isEmpty ? item.description : DisplayText(bytes: path, limit: 80).text)
        }
        outcome.report.add(reason, at: path)
    }

    /// Subtracts an omitted entry from the counts, with all entries in it.
    private mutating func discount(_ name: FileName, in folder: Descriptor, depth: Int) {
        guard depth <= TreeEntry.maximumFolders, let status = try? folder.status(of: name.text) else { return }
        outcome.tally.discount(status.kind == .file && status.links == 1 ? status.size : 0)
        guard status.kind == .folder, let inner = try? openOwned(name, in: folder),
            let listing = try? DirectoryListing(of: inner)
        else { return }
        for entry in listing {
            if let name = try? FileName(entry.name) { discount(name, in: inner, depth: depth + 1) }
        }
    }
}
