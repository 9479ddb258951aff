import Glibc
import PortolanValues

/// Creates files of an item: empty ones, and copies of present files.
struct FileMaker: Sendable {
    let place: ItemPlace

    /// Creates a file with its restriction from the beginning.
    func make(
        _ entry: TreeEntry, for restriction: Restriction, named name: String, in directory: Descriptor
    ) throws(SystemFailure) -> Descriptor {
        let file = try SystemFailure.naming { () throws(SystemFailure) in
            try place.storage.makeFile(name, in: directory, mode: UInt32(entry.permissions & place.permitted | 0o600))
        }
        try StoredVisibility.keep(restriction, on: file, by: place.storage)
        return file
    }

    /// Copies a file with its content, permissions and time.
    func copy(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> Descriptor {
        let source = try Beneath.openToRead(name, in: folder, features: place.features)
        return try copy(source, to: other, in: otherFolder, entry, for: restriction)
    }

    /// Copies a file to a new one, likewise. Ends with ``SystemFailure/interrupted`` when the item is to end.
    func copy(
        _ source: Descriptor, to other: String, in otherFolder: Descriptor, _ entry: TreeEntry,
        for restriction: Restriction
    ) throws(SystemFailure) -> Descriptor {
        let storage = place.storage
        let status = try source.status()
        guard status.kind == .file else { throw SystemFailure(ELOOP) }
        let copy = try make(entry, for: restriction, named: other, in: otherFolder)
        try copyContent(of: source, 0..<status.size, to: copy, at: 0)
        try storage.resize(copy, to: status.size)
        let permissions = status.mode & 0o777
        // The copy gets the source's mark, or an unfinished one would look like a received file that was changed here.
        if place.about != nil, var details = ReceivedMark.details(status.size, status.modified, on: source) {
            details.permissions = permissions
            _ = try ReceivedMark.set(status.size, status.modified, details, on: copy, by: storage)
        }
        try storage.setPermissions(permissions, of: copy)
        try storage.setModified(status.modified, of: copy)
        return copy
    }

    /// Copies a range of a file into another one, which has nothing there yet. Ends as above.
    ///
    /// Whole blocks are shared where the file system can.
    func copyContent(
        of source: Descriptor, _ range: Range<UInt64>, to copy: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        guard let shared = share(range, of: source, with: copy, at: offset) else {
            return try copyBytes(of: source, range, to: copy, at: offset)
        }
        try copyBytes(of: source, range.lowerBound..<shared.lowerBound, to: copy, at: offset)
        try copyBytes(
            of: source, shared.upperBound..<range.upperBound, to: copy,
            at: offset + (shared.upperBound - range.lowerBound))
    }

    /// Size of a block that can be shared, in bytes. A file system with larger ones refuses.
    private static let block: UInt64 = 4096
    /// Least bytes to share: each shared range is an extent of its own, and small ones would fragment the file.
    private static let leastShared = 64 << 10

    /// - Returns: the part of the range that is shared; nil if none is.
    private func share(
        _ range: Range<UInt64>, of source: Descriptor, with copy: Descriptor, at offset: UInt64
    ) -> Range<UInt64>? {
        let start = (range.lowerBound + Self.block - 1) / Self.block * Self.block
        let end = range.upperBound / Self.block * Self.block
        guard range.lowerBound % Self.block == offset % Self.block, start < end, end - start >= Self.leastShared,
            place.storage.share(start..<end, of: source, with: copy, at: offset + (start - range.lowerBound))
        else { return nil }
        return start..<end
    }

    private func copyBytes(
        of source: Descriptor, _ range: Range<UInt64>, to copy: Descriptor, at offset: UInt64
    ) throws(SystemFailure) {
        guard !range.isEmpty else { return }
        // Its holes stay holes, so that it takes no more than the original does. To look for some takes as long as the
        // rest of the file is.
        let mayHaveHoles = try source.status().mayHaveHoles
        let segments = place.storage.segments(of: source, size: range.upperBound)
        let most = min(256 << 10, max(range.count, 4096))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 4096)
        defer { buffer.deallocate() }
        var next = range.lowerBound
        while next < range.upperBound, let data = mayHaveHoles ? segments.next(from: next) : range {
            next = data.lowerBound
            while next < data.upperBound {
                let wanted = min(UInt64(buffer.count), data.upperBound - next)
                let count = retrying { pread(source.number, buffer.baseAddress, Int(wanted), off_t(next)) }
                if count < 0 { throw .last }
                if count == 0 { throw SystemFailure(EIO) }
                if place.interruption.isRequested { throw .interrupted }
                guard place.space.hasRoom(for: UInt64(count)) else { throw SystemFailure(ENOSPC) }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try place.storage.write(bytes, to: copy, at: offset + (next - range.lowerBound))
                next += UInt64(count)
            }
        }
    }
}
