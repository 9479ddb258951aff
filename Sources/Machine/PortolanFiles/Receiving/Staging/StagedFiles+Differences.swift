import Glibc
import PortolanCrypto
import PortolanValues
import Synchronization

/// Earlier version of a file that comes as a difference, for reading in order. Usable from any thread.
package struct BaseFile: Sendable {
    /// In bytes.
    package let size: UInt64
    let descriptor: Descriptor
    let name: DisplayText

    package init(size: UInt64, descriptor: Descriptor, name: DisplayText) {
        self.size = size
        self.descriptor = descriptor
        self.name = name
    }

    /// Fills the buffer with the bytes at `offset`.
    ///
    /// - Throws: ``FileError/Kind/changedHere`` if the file is shorter.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(FileError) {
        var filled = 0
        while filled < buffer.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let position = off_t(offset) + off_t(filled)
            let count = retrying { pread(descriptor.number, room.baseAddress, room.count, position) }
            if count < 0 { throw .storing(name, .last) }
            if count == 0 { throw .changedHere(name) }
            filled += count
        }
    }
}

/// Files that come as differences from a stored one: as copies of its parts, and as new bytes.
///
/// The stored file is never written. If others change it while it is read, the digest of the whole file reveals that.
extension StagedFiles {
    /// Returns the stored file while it is the one that was announced to the sender; nil if the file has ended.
    func base(of index: UInt32) throws(FileError) -> BaseFile? {
        let (begun, waiting) = state.withLock { ($0.begun[index], $0.waiting[index]) }
        let stored = begun?.base ?? (waiting?.isDifference == true ? waiting?.stored : nil)
        guard let stored, let file = begun?.announced ?? waiting?.announced else { return nil }
        return BaseFile(
            size: stored.status.size, descriptor: try self.stored.open(stored, file.name),
            name: DisplayText(file.name.text))
    }

    /// Copies a part of the stored file to the file.
    func copy(
        _ index: UInt32, from start: UInt64, to offset: UInt64, length: UInt64
    ) throws(FileError) {
        if start == offset, try passOver(copy: offset, length: length, of: index) { return }
        guard let file = try begin(index, bringing: length) else { return }
        guard let base = file.base, start <= base.status.size, length <= base.status.size - start else {
            throw .malformed("a copy of what is not there for “\(file.announced.name)”")
        }
        let range = try file.take(length, at: offset)
        do throws(FileError) {
            try copy(start..<start + length, of: base, to: file, at: offset)
        } catch {
            return try leaveOut(file.announced, because: error)
        }
        file.copied(range)
        if !area.place.isInMemory, file.isDueForWriteback() { file.startWriteback() }
    }

    private func copy(
        _ range: Range<UInt64>, of base: StoredFile, to file: PartialFile, at offset: UInt64
    ) throws(FileError) {
        let source = try stored.open(base, file.announced.name)
        try file.announced.entry.storing { () throws(SystemFailure) in
            try area.maker.content.copy(source, range, to: file.descriptor, at: offset)
        }
        try area.place.space.use(range.count, file.announced.name)
    }

    /// Notes a part of the file that is in the same place in the stored one. If that is so for all parts, the stored
    /// one stays.
    ///
    /// - Returns: true if the file may still be the stored one.
    private func passOver(copy offset: UInt64, length: UInt64, of index: UInt32) throws(FileError) -> Bool {
        guard let waiting = state.withLock({ $0.waiting[index] }), waiting.isDifference, let claim = waiting.claim
        else { return false }
        return waiting.beginning.withLock { _ in
            // Another lane may have made the file meanwhile.
            guard let stored = waiting.equal, state.withLock({ $0.waiting[index] }) === waiting,
                offset <= stored.status.size, length <= stored.status.size - offset
            else { return false }
            claim.passOver(copy: offset..<offset + length)
            return true
        }
    }

    /// Copies the ranges that were passed over before the first new bytes.
    func copyPassed(from base: StoredFile, to file: PartialFile) throws(FileError) {
        for range in file.claim?.passedCopies.ranges ?? [] { try copy(range, of: base, to: file, at: range.lowerBound) }
    }

    /// Compares a rebuilt file with the announced digest. A difference means that the stored file was changed
    /// meanwhile. The comparison ends with ``FileError/stopped`` if the item is to end.
    func check(_ file: PartialFile, size: UInt64, _ digest: FileDigest) throws(FileError) {
        let found = try file.announced.entry.storing { () throws(SystemFailure) in
            // The end of the file may be a hole, so the size is set explicitly.
            try area.storage.resize(file.descriptor, to: size)
            let found = file.descriptor.digest(ofFile: size, key: digest.key, unless: area.place.interruption)
            if found == nil, area.place.interruption.isRequested { throw .interrupted }
            return found
        }
        guard found == digest.bytes else { throw .changedHere(DisplayText(file.announced.name.text)) }
    }
}
