import CPortolanLinux
import Glibc
import PortolanValues

/// Properties of files and folders that are in the inbox already.
extension EntryProperties {
    /// Reports permissions of an unchanged entry that differ from the sender's.
    func checkPermissions(
        of entry: TreeEntry, name: FileName?, are mode: UInt16, in folder: ItemFolder?
    ) throws(FileError) {
        if mode & 0o777 != entry.permissions { try ledger.lose(.mode, of: name, in: folder) }
    }

    /// Gives a stored file the sender's new permissions, unless they were changed here.
    ///
    /// This happens before the publication: an interrupted update may have carried over the permissions without
    /// content, and the next update finds them set.
    ///
    /// - Parameters:
    ///   - status: status of the file before.
    ///   - open: opens the file without following a link.
    /// - Returns: its new mode.
    func carryPermissions(
        of entry: TreeEntry, to status: FileStatus, opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) -> UInt16 {
        guard status.mode & 0o777 != entry.permissions, status.owner == geteuid(), let umask = umaskBits
        else { return status.mode }
        let wanted = entry.permissions & ~umask & place.permitted
        // The mark of a file that its owner may not read cannot be read, so the file stays unchanged.
        guard status.mode != wanted, let file = try? open(), let found = try? file.status(),
            found.identity == status.identity, found.mode == status.mode,
            var details = ReceivedMark.details(found.size, found.modified, on: file), details.permissions == found.mode
        else { return status.mode }
        details.permissions = wanted
        let storage = place.storage
        do throws(SystemFailure) {
            // Writing the mark needs the owner's write permission. A crash before that leaves the sender's permissions;
            // a crash before the last step leaves permissions that look like a local change, which stay and are
            // reported.
            try storage.setPermissions(wanted | 0o200, of: file)
            _ = try ReceivedMark.set(found.size, found.modified, details, on: file, by: storage)
            if wanted & 0o200 == 0 { try storage.setPermissions(wanted, of: file) }
            ledger.noteUnsynced(file)
            return try file.status().mode
        } catch {
            // An immutable file (chattr(1)) keeps its permissions.
            guard error.isOfOneEntry(in: place.folder) else { throw .storing(DisplayText(entry.name.text), error) }
            return status.mode
        }
    }

    /// Sets the announced attributes of a stored file or folder. Reports attributes that cannot be set, and those whose
    /// value differs on an entry that may have been changed here: they stay.
    ///
    /// - Parameters:
    ///   - name: nil for `folder` itself.
    ///   - isUntouched: true for a file that was not changed here.
    ///   - open: opens the entry without following a link.
    func carryAttributes(
        of entry: TreeEntry, _ name: FileName?, in folder: ItemFolder?, isUntouched: (Descriptor) -> Bool,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        guard !entry.attributes.isEmpty || entry.lacksAttributes else { return }
        var isLost = entry.lacksAttributes
        do throws(SystemFailure) {
            let file = try open()
            let others = entry.attributes.filter { file.value(of: $0) != $0.value }
            if !others.isEmpty {
                let isUntouched = isUntouched(file)
                let missing = others.filter { isUntouched || file.value(of: $0) == nil }
                isLost = isLost || missing.count < others.count
                try set(missing, on: file)
                ledger.noteUnsynced(file)
            }
        } catch {
            if error.isTrouble(in: place.folder) { throw .storing(DisplayText(entry.name.text), error) }
            isLost = true
        }
        if isLost { try ledger.lose(.attributes, of: name, in: folder) }
    }

    private func set(_ attributes: [FileAttribute], on file: Descriptor) throws(SystemFailure) {
        guard !attributes.isEmpty else { return }
        let storage = place.storage
        try storage.whileWritable(file) { () throws(SystemFailure) in
            for attribute in attributes {
                try storage.setAttribute(FileAttribute.namespace + attribute.name, attribute.value, of: file)
            }
        }
    }

    /// Gives a stored file or folder its sender's present restriction at once, unless its own is stricter. Reports a
    /// failure.
    ///
    /// Only for an entry whose restriction differs from the item's, as in ``ItemPlace/isKept(_:on:in:)``.
    ///
    /// - Parameters:
    ///   - name: nil for `folder` itself.
    ///   - open: opens the entry without following a link.
    func restrict(
        _ name: FileName?, in folder: ItemFolder?, to restriction: Restriction,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        guard restriction != place.restriction else { return }
        let storage = place.storage
        do throws(SystemFailure) {
            let file = try open()
            let kept = try StoredVisibility.read(file)
            guard kept != .nobody, !restriction.allows(kept) else { return }
            try storage.whileWritable(file) { () throws(SystemFailure) in
                try StoredVisibility.keep(restriction, on: file, by: storage)
            }
            ledger.noteUnsynced(file)
        } catch {
            if error.isTrouble(in: place.folder) || error.reason == .noSpace {
                throw .storing(name.map { DisplayText($0.text) } ?? DisplayText("a folder"), error)
            }
            try ledger.lose(.visibility, of: name, in: folder)
        }
    }
}

extension Descriptor {
    /// Returns the value of an attribute of the file; a different value if it is longer, nil if there is none.
    fileprivate func value(of attribute: FileAttribute) -> [UInt8]? {
        let name = FileAttribute.namespace + attribute.name
        let capacity = attribute.value.count + 1
        return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { value in
            let count = portolan_get_attribute(number, name, value.baseAddress, UInt64(capacity))
            if count < 0 { return errno == ERANGE ? [UInt8](repeating: 0, count: capacity) : nil }
            return [UInt8](value[..<Int(count)])
        }
    }
}

extension Storage {
    /// Sets attributes of a file, which needs the owner's write permission.
    fileprivate func whileWritable(
        _ file: Descriptor, _ body: () throws(SystemFailure) -> Void
    ) throws(SystemFailure) {
        let mode = try file.status().mode
        if mode & 0o200 == 0 { try setPermissions(mode | 0o200, of: file) }
        defer { if mode & 0o200 == 0 { try? setPermissions(mode, of: file) } }
        try body()
    }
}
