import Glibc
import PortolanTrust
import Synchronization

extension PartialItem {
    /// All that is sent of a file has been written. Of a file that was compared, the rest is what was held.
    ///
    /// - Parameter size: how many bytes the file has.
    package func finish(_ entry: UInt32, size: UInt64) throws(FileError) {
        if try keepStored(entry, size: size) { return }
        guard let file = try begin(entry) else {
            return try change { state throws(FileError) in _ = state.dropped.remove(entry) }
        }
        try taking { () throws(FileError) in try file.end(size: size) }
        try conclude(file)
    }

    /// Leaves out a file of a folder that the sender could not read to its end; what came of it, which is all that will, is
    /// removed.
    package func leaveOut(_ entry: UInt32, because reason: Omission.Reason) throws(FileError) {
        try change { state throws(FileError) in
            if state.dropped.remove(entry) != nil { return }
            let began = state.files.removeValue(forKey: entry)
            let waiting = state.waiting.removeValue(forKey: entry)
            guard let file = began?.entry ?? waiting?.entry else {
                throw .malformed("the end of entry \(entry), which is no unfinished file")
            }
            guard let folder = began?.folder ?? waiting?.folder else {
                throw FileError(
                    .sourceChanged, "The other side could not read “\(file.name)” to its end; ask for it again.")
            }
            if began != nil || waiting?.made != nil { try remove(file.name, from: folder, &state) }
            try lose(reason, of: file.name, in: folder, &state)
            // A link that comes later is left out, too.
            if state.linkTargets.removeValue(forKey: entry) != nil {
                try leaveOut(file, because: reason, in: folder, &state)
            } else {
                noteLeftOut(Array(file.name.text.utf8), in: folder, &state)
            }
            for link in state.links.remove(to: entry) {
                if link.isCopy {
                    if link.folder.finishOne() { try complete(link.folder, &state) }
                } else {
                    try remove(link.entry.name, from: link.folder, &state)
                }
                noteLeftOut(Array(link.entry.name.text.utf8), in: link.folder, &state)
                state.tally.stored -= 1
                try lose(reason, of: link.entry.name, in: link.folder, &state)
            }
            if folder.finishOne() { try complete(folder, &state) }
        }
    }

    private func remove(_ name: FileName, from folder: ItemFolder, _ state: inout State) throws(FileError) {
        let directory = try state.folders.descriptor(of: try holder(of: folder, &state))
        try widen(directory, of: folder)
        do throws(SystemFailure) {
            try storage.remove(name.text, in: directory)
        } catch {
            throw .storing(DisplayText(name.text), error)
        }
        if folder.isComplete { try complete(folder, &state) }
    }

    /// All bytes of a file are there.
    private func conclude(_ file: PartialFile) throws(FileError) {
        let size = file.size
        let stored = try outside(file.name) { () throws(SystemFailure) in
            if file.claim != nil {
                try adapt(file.descriptor, to: file.entry, size: size)
            } else if file.holes > 0 {
                // Not even the last byte needs to have been written.
                try storage.resize(file.descriptor, to: size)
            }
            return file.holes > 0 ? try file.descriptor.status() : nil
        }
        try change { state throws(FileError) in
            state.files[file.entry.index] = nil
            if let stored, place.required.contains(.sparse), stored.allocated > size - file.holes + SparseSlack.of(size)
            {
                try lose(.sparse, of: file.name, in: file.folder, &state)
            }
            try settle(file.entry, file.descriptor, in: file.folder, size: size, &state)
            if file.claim != nil, size > file.received { state.tally.keptBytes += size - file.received }
            if file.claim != nil, file.received == 0 { state.tally.keptEntries += 1 }
        }
    }

    /// Gives a file that was here before its size and permissions: an earlier transfer may have had others.
    func adapt(_ descriptor: Descriptor, to entry: TreeEntry, size: UInt64) throws(SystemFailure) {
        let kept = state.withLock { $0.workspace?.keptPermissions } ?? 0
        try storage.resize(descriptor, to: size)
        try storage.setPermissions(entry.permissions & kept | 0o600, of: descriptor)
    }

    /// Gives a complete file what belongs to it besides its content.
    func settle(
        _ entry: TreeEntry, _ descriptor: Descriptor, in folder: ItemFolder?, size: UInt64, _ state: inout State
    ) throws(FileError) {
        try checkPermissions(of: entry, name: entry.name, in: folder, &state)
        try keepAttributes(of: entry, on: descriptor, in: folder, &state)
        if place.about != nil {
            if folder == nil { try markSource(descriptor, entry, &state) }
            if state.tally.keepsMarks {
                // Final mode, after the umask.
                let permissions = entry.permissions & (state.workspace?.keptPermissions ?? 0o777)
                state.tally.keepsMarks = try making(entry, in: nil) { () throws(SystemFailure) in
                    try ReceivedMark.set(size, entry.modified, permissions, on: descriptor, by: storage)
                }
            }
        }
        if try setModified(descriptor, entry.modified, of: entry.name, in: folder, &state) != entry.modified {
            try markAgain(descriptor, entry, size: size, &state)
        }
        try narrow(descriptor, to: entry, owner: 0o600)
        state.unsynced.add(descriptor)
        state.tally.stored += 1
        state.tally.bytes += size
        if entry.isLinkTarget, let target = state.linkTargets[entry.index] {
            for link in state.links.remove(to: entry.index) where link.isCopy {
                let copied: Void? = try unlessNameIsRefused(in: link.folder) { () throws(FileError) in
                    try copy(target, to: link.entry, in: link.folder, &state)
                }
                if copied == nil {
                    state.tally.stored -= 1
                    try lose(.name, of: link.entry.name, in: link.folder, &state)
                }
                if link.folder.finishOne() { try complete(link.folder, &state) }
            }
        }
        if let folder, folder.finishOne() { try complete(folder, &state) }
    }

    /// Marks a file as received with the time that the file system gave it, so that it counts as unchanged.
    private func markAgain(
        _ descriptor: Descriptor, _ entry: TreeEntry, size: UInt64, _ state: inout State
    ) throws(FileError) {
        guard place.about != nil, state.tally.keepsMarks else { return }
        let permissions = entry.permissions & (state.workspace?.keptPermissions ?? 0o777)
        state.tally.keepsMarks = try making(entry, in: nil) { () throws(SystemFailure) in
            try ReceivedMark.set(size, descriptor.status().modified, permissions, on: descriptor, by: storage)
        }
    }

    func keepAttributes(
        of entry: TreeEntry, on descriptor: Descriptor, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) {
        var isLost = entry.lacksAttributes
        for attribute in entry.attributes {
            do throws(SystemFailure) {
                try storage.setAttribute(FileAttribute.namespace + attribute.name, attribute.value, of: descriptor)
            } catch {
                if error.isTrouble { throw .storing(DisplayText(entry.name.text), error) }
                isLost = true
            }
        }
        let name = entry.kind == .folder ? nil : entry.name
        if isLost { try lose(.attributes, of: name, in: folder, &state) }
    }

    /// Marks the item itself as coming from its source.
    func markSource(_ root: Descriptor, _ entry: TreeEntry, _ state: inout State) throws(FileError) {
        guard let about = place.about, state.tally.keepsMarks else { return }
        state.tally.keepsMarks = try making(entry, in: nil) { () throws(SystemFailure) in
            try SourceMark.set(about.identity, on: root, by: storage)
        }
    }
}

/// How much more than its data a file with holes may take: what a file system needs to find the data, and its blocks.
private enum SparseSlack {
    static func of(_ size: UInt64) -> UInt64 { (1 << 20) + size / 256 }
}
