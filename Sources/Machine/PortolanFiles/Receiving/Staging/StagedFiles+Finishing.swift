import PortolanCrypto
import PortolanValues
import Synchronization

/// Files that are whole, and files that will not be.
extension StagedFiles {
    /// Finishes a file after all its sent bytes have been written. The rest of a compared file is its held content.
    ///
    /// - Parameter digest: the required `FileDigest` of the whole file; nil if it has no copied parts.
    func finish(_ index: UInt32, size: UInt64, digest: FileDigest?) throws(FileError) {
        if try keepStored(index, size: size) { return }
        guard let file = try begin(index) else {
            _ = state.withLock { $0.dropped.remove(index) }
            return
        }
        try file.end(size: size)
        if let digest { try check(file, size: size, digest) }
        try conclude(file)
    }

    /// Finishes a compared file without new bytes.
    ///
    /// - Returns: true if it was such a file.
    private func keepStored(_ index: UInt32, size: UInt64) throws(FileError) -> Bool {
        let found = try state.withLock { state throws(FileError) -> (AnnouncedFile, StoredFile)? in
            guard let waiting = state.waiting[index], let stored = waiting.equal, let claim = waiting.claim else {
                return nil
            }
            let file = waiting.announced
            try FileError.checkForm(
                file.size == size && claim.settled.contains(0..<size), "an end of “\(file.name)” with bytes missing")
            state.waiting[index] = nil
            return (file, stored)
        }
        guard let (file, stored) = found else { return false }
        try self.stored.keep(stored, as: file, size: size)
        try area.folders.finishOne(in: file.folder)
        return true
    }

    /// Finishes a file that has all its bytes.
    private func conclude(_ begun: PartialFile) throws(FileError) {
        let file = begun.announced
        let size = begun.size
        let stored: FileStatus?
        var isAdapted = true
        do throws(FileError) {
            stored = try file.entry.storing { () throws(SystemFailure) -> FileStatus? in
                if begun.claim != nil {
                    isAdapted = try adapt(begun.descriptor, to: file.entry, size: size)
                } else if begun.holes > 0 {
                    // The end of the file may be a hole, so the size is set explicitly.
                    try area.storage.resize(begun.descriptor, to: size)
                }
                return begun.holes > 0 ? try begun.descriptor.status() : nil
            }
        } catch {
            return try leaveOut(file, because: error, restComes: false)
        }
        if !isAdapted { try area.ledger.lose(.mode, of: file.name, in: file.folder) }
        if let stored, area.place.required.contains(.sparse),
            stored.allocated > size - begun.holes + SparseSlack.of(size)
        {
            try area.ledger.lose(.sparse, of: file.name, in: file.folder)
        }
        try settle(file, begun.descriptor, size: size, holes: begun.holes)
        // Holes of an updated or interrupted item must not count as sent ones.
        let isUpdate = !area.place.targets.isEmpty
        guard begun.claim != nil || isUpdate && begun.holes > 0 else { return }
        let came = begun.received - begun.holes
        area.ledger.count { tally in
            if size > came { tally.keptBytes += size - came }
            if begun.claim != nil, begun.received == 0 { tally.keptEntries += 1 }
        }
    }

    /// Gives a file of an earlier transfer its present size and permissions.
    ///
    /// - Returns: false if the file system refuses the permissions.
    func adapt(_ descriptor: Descriptor, to entry: TreeEntry, size: UInt64) throws(SystemFailure) -> Bool {
        try area.storage.resize(descriptor, to: size)
        return try area.storage.adoptPermissions(
            entry.permissions & area.workspace.keptPermissions | 0o600, of: descriptor)
    }

    /// Sets the properties of a file whose content is complete, and counts it.
    func settle(
        _ file: AnnouncedFile, _ descriptor: Descriptor, size: UInt64, holes: UInt64 = 0
    ) throws(FileError) {
        let index = file.entry.index
        try area.properties.settle(file.entry, descriptor, in: file.folder, size: size, holes: holes)
        area.ledger.noteUnsynced(descriptor)
        typealias Links = (target: LinkTargetFile?, links: [UnfinishedLinks.Link])
        let (target, links) = try state.withLock { state throws(FileError) -> Links in
            let wasBegun = state.begun.removeValue(forKey: index) != nil
            try FileError.checkForm(state.settling.remove(index) != nil || wasBegun, "the end of “\(file.name)” twice")
            guard file.entry.isLinkTarget else { return (nil, []) }
            return (state.linkTargets[index], state.links.remove(to: index))
        }
        area.ledger.count { tally in
            tally.stored += 1
            tally.bytes += size
        }
        if let target {
            for link in links where link.isCopy { try copy(target, to: link) }
        }
        try area.folders.finishOne(in: file.folder)
    }

    // MARK: - Leaving out

    /// Leaves out a file of a folder that the sender could not read to its end: removes its content so far; no more
    /// will come.
    func leaveOut(_ index: UInt32, because reason: Loss.Reason) throws(FileError) {
        guard let target = state.withLock({ $0.linkTargets[index] }) else {
            return try leaveOutAlone(index, because: reason)
        }
        // The lock prevents new links to it.
        try target.linking.withLock { _ throws(FileError) in try leaveOutAlone(index, because: reason) }
    }

    /// Leaves out a file of a folder that is too large for the destination, or for which there is no room in an updated
    /// folder.
    ///
    /// - Parameter restComes: true if more of its content may come, which is dropped.
    /// - Throws: `error`, if it has another cause, or if there seems to be room so that the disk is at fault.
    func leaveOut(_ file: AnnouncedFile, because error: FileError, restComes: Bool = true) throws(FileError) {
        guard file.folder != nil, isOfOneFile(error, file) else { throw error }
        let index = file.entry.index
        guard let target = state.withLock({ $0.linkTargets[index] }) else {
            return try leaveOutAlone(index, because: .noSpace, droppingRest: restComes, mayBeMade: true)
        }
        try target.linking.withLock { _ throws(FileError) in
            try leaveOutAlone(index, because: .noSpace, droppingRest: restComes, mayBeMade: true)
        }
    }

    private func isOfOneFile(_ error: FileError, _ file: AnnouncedFile) -> Bool {
        switch error.kind {
        case .tooLarge: true
        case .noSpace where area.place.target != nil:
            area.place.space.isOutOfEntries
                || file.size.map { (try? area.place.space.check(roomFor: $0, file.name)) == nil } ?? false
        default: false
        }
    }

    private func isThere(_ name: FileName, in folder: ItemFolder) -> Bool {
        guard let made = folder.made else { return false }
        return (try? area.folders.opened.descriptor(of: made).status(of: name.text)) != nil
    }

    private func leaveOutAlone(
        _ index: UInt32, because reason: Loss.Reason, droppingRest: Bool = false, mayBeMade: Bool = false
    ) throws(FileError) {
        let found = try state.withLock { state throws(FileError) -> (AnnouncedFile, isMade: Bool)? in
            if droppingRest {
                // Another lane was first.
                guard state.dropped.insert(index).inserted else { return nil }
            } else if state.dropped.remove(index) != nil {
                return nil
            }
            let begun = state.begun.removeValue(forKey: index)
            let waiting = state.waiting.removeValue(forKey: index)
            guard let file = begun?.announced ?? waiting?.announced else {
                throw .malformed("the end of entry \(index), which is no unfinished file")
            }
            return (file, isMade: begun != nil || waiting?.made != nil)
        }
        guard let (file, isMade) = found else { return }
        guard let folder = file.folder else {
            throw FileError(
                .sourceChanged, "The other side could not read “\(file.name)” to its end; ask for it again.")
        }
        // A file may have been created before the space ran out.
        if isMade || mayBeMade && isThere(file.name, in: folder) {
            try area.folders.remove(file.name, from: folder)
        }
        try area.ledger.lose(reason, of: file.name, in: folder)
        if state.withLock({ $0.linkTargets[index] != nil }) {
            // Later links are left out, too. Noted before the target is removed, since a link may be coming.
            try leftOut.leaveOut(
                index, Array(file.name.text.utf8), isLinkTarget: true, because: reason, in: folder)
        } else {
            leftOut.note(Array(file.name.text.utf8), in: folder)
        }
        let links = state.withLock { state in
            state.linkTargets[index] = nil
            return state.links.remove(to: index)
        }
        for link in links { try leaveOut(link, because: reason) }
        try area.folders.finishOne(in: folder)
    }

    private func leaveOut(_ link: UnfinishedLinks.Link, because reason: Loss.Reason) throws(FileError) {
        if link.isCopy {
            try area.folders.finishOne(in: link.folder)
        } else {
            try area.folders.remove(link.entry.name, from: link.folder)
        }
        leftOut.note(Array(link.entry.name.text.utf8), in: link.folder)
        area.ledger.count { $0.stored -= 1 }
        try area.ledger.lose(reason, of: link.entry.name, in: link.folder)
    }
}

/// Space that a file with holes may take beyond its data: for the file system's records of the data, and its blocks.
enum SparseSlack {
    static func of(_ size: UInt64) -> UInt64 { (1 << 20) + size / 256 }
}
