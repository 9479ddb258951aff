import CPortolanLinux
import Glibc
import PortolanTrust

/// A file of an item that is being received.
struct PartialFile: Sendable {
    let descriptor: Descriptor
    let name: FileName
    let modified: FileTime
    /// Position of the folder it lies in; nil for an item that is one file.
    let folder: Int?
    /// Bytes announced, where they were.
    let announced: UInt64?
    /// Bytes taken so far: the offset of the next ones.
    private(set) var taken: UInt64 = 0
    private var writtenBack: UInt64 = 0

    init(descriptor: Descriptor, entry: TreeEntry, folder: Int?, announced: UInt64?) {
        self.descriptor = descriptor
        self.name = entry.name
        self.modified = entry.modified
        self.folder = folder
        self.announced = announced
    }

    /// Accepts the next bytes, which must follow those before and stay within what was announced.
    mutating func take(_ count: Int, at offset: UInt64) throws(FileError) {
        guard offset == taken else {
            throw .malformed("bytes of “\(name)” for offset \(offset), where \(taken) was next")
        }
        let (end, overflow) = offset.addingReportingOverflow(UInt64(count))
        if let announced, overflow || end > announced {
            throw .malformed("more bytes of “\(name)” than the \(announced) that were announced")
        }
        // The system's offsets are signed.
        if overflow || end > UInt64(Int64.max) { throw .storing(DisplayText(name.text), SystemFailure(EFBIG)) }
        taken = end
    }

    /// How much is written before the disk is told to begin with it, so that the last sync does not have to do it all.
    static let writebackStep: UInt64 = 32 << 20

    /// The part to begin writing back now, if enough came together.
    mutating func nextWriteback() -> Range<UInt64>? {
        guard taken - writtenBack >= Self.writebackStep else { return nil }
        defer { writtenBack = taken }
        return writtenBack..<taken
    }
}

extension Descriptor {
    /// Writes all of `bytes` at `offset`: one call, unless the system takes less.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemFailure) {
        var rest = bytes[...]
        var position = off_t(offset)
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = retrying { pwrite(number, part.baseAddress, part.count, position) }
            if count < 0 { throw .last }
            // Nothing and no error is how some file systems say that they are full.
            if count == 0 { throw SystemFailure(ENOSPC) }
            rest = rest.dropFirst(count)
            position += off_t(count)
        }
    }

    /// Makes sure of the room for a file whose size is known, so that a full disk is noticed before the transfer.
    func reserve(_ size: UInt64, inMemory: Bool) throws(SystemFailure) {
        guard size >= 1 << 20 else { return }
        if let free = freeSpace(), size > free { throw SystemFailure(ENOSPC) }
        guard let length = Int64(exactly: size) else { throw SystemFailure(EFBIG) }
        // In memory, reserving means clearing every page that is about to be written anyway.
        if inMemory { return }
        let result = retrying { portolan_reserve_space(number, length) }
        // Other failures mean that this file system does not reserve; writing will tell.
        if result != 0, errno == ENOSPC || errno == EFBIG || errno == EDQUOT { throw .last }
    }
}
