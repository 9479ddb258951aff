import Glibc
import PortolanTrust
import Synchronization

/// Copies of files that are there already.
extension PartialItem {
    /// Makes the file that bytes have come for, with the content of the stored one.
    ///
    /// The copy of a large file takes long, so it is made outside the item's lock. Other lanes that bring bytes of the same file wait.
    func copyStored(_ stored: StoredFile, for entry: UInt32) throws(FileError) {
        try stored.copying.withLock { _ throws(FileError) in
            let begun = try change { state throws(FileError) -> (WaitingFile, Descriptor, Descriptor)? in
                // Another lane may have copied it meanwhile.
                guard let file = state.waiting[entry], file.stored === stored else { return nil }
                let source = try open(stored, file.entry.name, &state)
                let directory = try state.folders.descriptor(of: try holder(of: file.folder, &state))
                return (file, source, directory)
            }
            guard let (file, source, directory) = begun else { return }
            let made = try taking { () throws(FileError) in
                try space.check(roomFor: min(stored.status.size, stored.status.allocated), file.entry.name)
                let name = file.folder == nil ? Workspace.itemName : file.entry.name.text
                return try making(file.entry, in: file.folder) { () throws(SystemFailure) in
                    try copy(source, to: name, in: directory, file.entry, for: file.restriction)
                }
            }
            try change { state throws(FileError) in
                // It may have been written to while it was copied.
                _ = try open(stored, file.entry.name, &state)
                guard state.waiting[entry]?.stored === stored else {
                    throw .malformed("an end of “\(file.entry.name)” before its bytes")
                }
                state.waiting[entry]?.made = made
                state.waiting[entry]?.stored = nil
            }
        }
    }

    /// Ends a long copy with ``FileError/stopped``; to be called when the item is to end. From any thread, at any time.
    package func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Gives a name that cannot be a hard link a file of its own.
    func copy(
        _ target: LinkTargetFile, to entry: TreeEntry, in folder: ItemFolder, _ state: inout State
    ) throws(FileError) {
        let directory = try state.folders.descriptor(of: try holder(of: folder, &state))
        let source = try state.folders.descriptor(of: target.folder)
        _ = try making(entry, in: folder) { () throws(SystemFailure) in
            try copy(
                target.name, in: source, to: entry.name.text, in: directory, entry,
                for: folder.restriction.and(target.restriction))
        }
        if folder.isComplete { try complete(folder, &state) }
    }

    /// Copies a file with its content, permissions and time.
    func copy(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> FileIdentity {
        let source = try Beneath.open(name, in: folder, O_RDONLY | O_NONBLOCK, features: features)
        return try copy(source, to: other, in: otherFolder, entry, for: restriction)
    }

    func copy(
        _ source: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> FileIdentity {
        let status = try source.status()
        guard status.kind == .file else { throw SystemFailure(ELOOP) }
        // Its holes stay holes, so that it takes no more than the original does.
        let segments = source.segments(size: status.size)
        let copy = try make(entry, for: restriction, named: other, in: otherFolder)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        var next: UInt64 = 0
        while next < status.size, let data = segments.next(from: next) {
            next = data.lowerBound
            while next < data.upperBound {
                let wanted = min(UInt64(buffer.count), data.upperBound - next)
                let count = retrying { pread(source.number, buffer.baseAddress, Int(wanted), off_t(next)) }
                if count < 0 { throw .last }
                if count == 0 { throw SystemFailure(EIO) }
                if isInterrupted.load(ordering: .relaxed) { throw .interrupted }
                guard space.hasRoom(for: UInt64(count)) else { throw SystemFailure(ENOSPC) }
                try storage.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: copy, at: next)
                next += UInt64(count)
            }
        }
        try storage.resize(copy, to: status.size)
        let permissions = status.mode & 0o777
        // The copy gets the source's mark, or an unfinished one would look like a received file that was changed here.
        if place.about != nil, ReceivedMark.isTrue(of: source) {
            _ = try ReceivedMark.set(status.size, status.modified, permissions, on: copy, by: storage)
        }
        try storage.setPermissions(permissions, of: copy)
        try storage.setModified(status.modified, of: copy)
        return try copy.status().identity
    }
}
