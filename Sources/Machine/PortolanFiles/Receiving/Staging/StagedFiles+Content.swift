import PortolanValues
import Synchronization

/// Content of files.
extension StagedFiles {
    func write(_ index: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        guard let file = try begin(index, bringing: UInt64(bytes.count)) else { return }
        let range = try file.take(UInt64(bytes.count), at: offset)
        do throws(FileError) {
            try file.announced.entry.storing { () throws(SystemFailure) in
                try area.storage.write(bytes, to: file.descriptor, at: offset)
            }
            try area.place.space.use(bytes.count, file.announced.name)
        } catch {
            return try leaveOut(file.announced, because: error)
        }
        file.wrote(range, isHole: false)
        if !area.place.isInMemory, file.isDueForWriteback() { file.startWriteback() }
    }

    func hole(_ index: UInt32, at offset: UInt64, length: UInt64) throws(FileError) {
        if try passOver(index, at: offset, length: length) { return }
        guard let file = try begin(index, bringing: length) else { return }
        let range = try file.take(length, at: offset)
        // A new file has no content where nothing was written, so a hole needs no call. A file of an earlier transfer
        // may have more content than is known, but none behind its end, however far the hole reaches.
        if file.claim != nil {
            do throws(FileError) {
                try file.announced.entry.storing { () throws(SystemFailure) in
                    let present = range.clamped(to: 0..<(try file.descriptor.status().size))
                    if !present.isEmpty { try area.storage.clear(present, of: file.descriptor) }
                }
            } catch {
                return try leaveOut(file.announced, because: error)
            }
        }
        file.wrote(range, isHole: true)
    }

    /// Notes a hole that the compared stored file has, too: it is no difference.
    ///
    /// - Returns: true if it is such a hole.
    private func passOver(_ index: UInt32, at offset: UInt64, length: UInt64) throws(FileError) -> Bool {
        guard let waiting = state.withLock({ $0.waiting[index] }), let claim = waiting.claim,
            let size = waiting.announced.size, offset <= size, length <= size - offset
        else { return false }
        return try waiting.beginning.withLock { _ throws(FileError) in
            // Another lane may have made the file meanwhile.
            guard let stored = waiting.equal, state.withLock({ $0.waiting[index] }) === waiting else { return false }
            let file = waiting.announced
            let range = offset..<offset + length
            guard try self.stored.open(stored, file.name).isHole(range) else { return false }
            try FileError.checkForm(
                claim.passOver(range), "a hole of “\(file.name)” from \(offset) twice, or too many of them")
            return true
        }
    }

    /// Returns the number of claimed bytes of a file that are no holes; nil without a claim.
    func claimedContent(_ index: UInt32) -> UInt64? { state.withLock { $0.waiting[index]?.claim?.content } }

    func content(_ index: UInt32, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let size = UInt64(bytes.count)
        let waiting = try takeWaiting(index, size: size)
        let file = waiting.announced
        let made: Descriptor?
        var isAdapted = true
        do throws(FileError) {
            let directory = try area.folders.directory(for: file.folder)
            made = try unlessNameIsRefused(in: file.folder) { () throws(FileError) in
                try file.entry.making(in: file.folder) { () throws(SystemFailure) in
                    let descriptor = try open(waiting, in: directory)
                    if !bytes.isEmpty { try area.storage.write(bytes, to: descriptor, at: 0) }
                    if waiting.claim != nil { isAdapted = try adapt(descriptor, to: file.entry, size: size) }
                    return descriptor
                }
            }
            try area.place.space.use(bytes.count, file.name)
        } catch {
            state.withLock { state in
                state.settling.remove(index)
                state.waiting[index] = waiting
            }
            return try leaveOut(file, because: error, restComes: false)
        }
        guard let descriptor = made else {
            _ = state.withLock { $0.settling.remove(index) }
            return try leaveOut(nameRefused: file)
        }
        try leftOut.checkIsNew(file)
        try noteRoot(file, descriptor)
        if !isAdapted { try area.ledger.lose(.mode, of: file.name, in: file.folder) }
        try settle(file, descriptor, size: size)
    }

    /// Takes a waiting file, for its whole content.
    private func takeWaiting(_ index: UInt32, size: UInt64) throws(FileError) -> WaitingFile {
        try state.withLock { state throws(FileError) -> WaitingFile in
            guard let waiting = state.waiting.removeValue(forKey: index) else {
                throw .malformed("the content of entry \(index), which is no file that waits for it")
            }
            let file = waiting.announced
            try FileError.checkForm(
                file.size ?? size == size, "\(size) bytes of “\(file.name)”, where \(file.size ?? 0) were announced")
            if file.size == nil { try state.extend(by: size, file.name) }
            state.settling.insert(index)
            return waiting
        }
    }

    /// Returns the digest of a present block; nil if it cannot be read any more.
    func digest(_ index: UInt32, block: UInt64) throws(FileError) -> [UInt8]? {
        let (begun, waiting) = state.withLock { ($0.begun[index], $0.waiting[index]) }
        // The sender may have begun with missing ranges before it has got all claims.
        guard let claim = begun?.claim ?? waiting?.claim, let size = (begun?.announced ?? waiting?.announced)?.size,
            let range = BlockRange.of(block, inFileOf: size), claim.held.contains(range)
        else { return nil }
        let file: Descriptor?
        if let begun {
            file = begun.descriptor
        } else if let waiting, let stored = waiting.stored {
            // If a file with another name is gone, its blocks are not claimed, and this file is sent completely.
            let name = waiting.announced.name
            file = stored.otherName == nil ? try self.stored.open(stored, name) : try? self.stored.open(stored, name)
        } else if let waiting {
            let directory = try area.folders.directory(for: waiting.announced.folder)
            file = try? open(waiting, in: directory)
        } else {
            file = nil
        }
        guard let digest = file?.digest(of: range) else { return nil }
        claim.tell(range)
        return digest
    }
}
