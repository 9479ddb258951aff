import Glibc
import PortolanValues
import Synchronization

/// Creation of files when their first bytes come.
extension StagedFiles {
    private enum Sought {
        case begun(PartialFile)
        case waiting(WaitingFile)
        case isDropped
    }

    /// Returns the file for arriving bytes.
    ///
    /// - Parameter count: number of these bytes.
    /// - Returns: nil if the file system refuses its name.
    func begin(_ index: UInt32, bringing count: UInt64 = 0) throws(FileError) -> PartialFile? {
        while true {
            switch try seek(index, bringing: count) {
            case .begun(let file): return file
            case .isDropped: return nil
            case .waiting(let file):
                try file.beginning.withLock { _ throws(FileError) in
                    // Another lane may have made it meanwhile.
                    guard state.withLock({ $0.waiting[index] }) === file else { return }
                    do throws(FileError) {
                        try make(file)
                    } catch {
                        try leaveOut(file.announced, because: error)
                    }
                }
            }
        }
    }

    private func seek(_ index: UInt32, bringing count: UInt64) throws(FileError) -> Sought {
        try state.withLock { state throws(FileError) -> Sought in
            if state.dropped.contains(index) { return .isDropped }
            if let file = state.begun[index] {
                if file.announced.size == nil { try state.extend(by: count, file.announced.name) }
                return .begun(file)
            }
            guard let waiting = state.waiting[index] else {
                throw .malformed("bytes for entry \(index), which is no unfinished file")
            }
            try state.checkRoom()
            return .waiting(waiting)
        }
    }

    private func make(_ waiting: WaitingFile) throws(FileError) {
        let file = waiting.announced
        let index = file.entry.index
        if let stored = waiting.stored, !waiting.isDifference {
            if stored.otherName != nil, waiting.claim?.settled.ranges.isEmpty ?? true,
                (try? self.stored.open(stored, file.name)) == nil
            {
                waiting.becomeNew()
            } else {
                waiting.becomeCopy(try copy(stored, for: file))
            }
        }
        // A difference needs the space of a whole version in addition to the stored one.
        if waiting.isDifference, let size = file.size { try area.place.space.check(roomFor: size, file.name) }
        let directory = try area.folders.directory(for: file.folder)
        let made = try unlessNameIsRefused(in: file.folder) { () throws(FileError) in
            try file.entry.making(in: file.folder) { () throws(SystemFailure) in try open(waiting, in: directory) }
        }
        guard let descriptor = made else {
            state.withLock { state in
                state.waiting[index] = nil
                state.dropped.insert(index)
            }
            return try leaveOut(nameRefused: file)
        }
        try leftOut.checkIsNew(file)
        try noteRoot(file, descriptor)
        let begun = PartialFile(descriptor: descriptor, waiting)
        if let base = begun.base { try copyPassed(from: base, to: begun) }
        try state.withLock { state throws(FileError) in
            try FileError.checkForm(state.waiting[index] === waiting, "an end of “\(file.name)” before its bytes")
            try state.checkRoom()
            state.waiting[index] = nil
            state.begun[index] = begun
        }
    }

    /// Creates the file, or opens it if it was created before.
    func open(_ waiting: WaitingFile, in directory: Descriptor) throws(SystemFailure) -> Descriptor {
        let file = waiting.announced
        guard let made = waiting.made else {
            return try area.maker.make(file.entry, for: file.restriction, named: file.stagedName, in: directory)
        }
        let descriptor = try Beneath.openOwned(
            file.stagedName, in: directory, O_RDWR | O_NONBLOCK, features: area.features)
        guard try descriptor.status().identity == made else { throw SystemFailure(ELOOP) }
        return descriptor
    }

    /// Creates the file for received bytes as a copy of the stored one. Takes long for a large file.
    private func copy(_ stored: StoredFile, for file: AnnouncedFile) throws(FileError) -> FileIdentity {
        let source = try self.stored.open(stored, file.name)
        let directory = try area.folders.directory(for: file.folder)
        try area.place.space.check(roomFor: min(stored.status.size, stored.status.allocated), file.name)
        if let workspace = area.workspace.current {
            // The mark is set during the copy, since the partial may be listed; without it, only a number in the list
            // is wrong.
            _ = try? area.storage.makeFile(Workspace.copiedName, in: workspace.folder, mode: 0o600)
        }
        let made = try file.entry.making(in: file.folder) { () throws(SystemFailure) in
            try area.maker.copy(source, to: file.stagedName, in: directory, file.entry, for: file.restriction)
                .status().identity
        }
        // The stored file may have been written to while it was copied.
        _ = try self.stored.open(stored, file.name)
        return made
    }

    /// Notes the file that is the item itself.
    func noteRoot(_ file: AnnouncedFile, _ descriptor: Descriptor) throws(FileError) {
        guard file.folder == nil else { return }
        area.workspace.root = try file.entry.storing { () throws(SystemFailure) in try descriptor.status().identity }
    }

    /// Leaves out a file with received content, because the file system refuses its name.
    func leaveOut(nameRefused file: AnnouncedFile) throws(FileError) {
        guard let folder = file.folder else { preconditionFailure("the item itself has a name of ours") }
        try area.ledger.lose(.name, of: file.name, in: folder)
        try area.folders.finishOne(in: folder)
    }
}
