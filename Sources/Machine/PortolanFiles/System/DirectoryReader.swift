import CPortolanLinux
import Glibc

/// Reads the names of one directory, some at a time, so that a directory of any size begins at once and fits in memory.
///
/// It moves the position of the descriptor, which must not be listed through elsewhere.
package struct DirectoryReader: Sendable {
    /// Buffer for the system's entries; one buffer serves any number of directories, in turn.
    package struct Buffer: ~Copyable {
        // About a thousand names: as fast as a larger buffer, and small enough for a processor's cache.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 8)

        package init() {}

        deinit { bytes.deallocate() }
    }

    private let directory: Descriptor
    private let storage: any ReadableStorage
    package private(set) var isAtEnd = false

    package init(_ directory: Descriptor, by storage: any ReadableStorage) {
        self.directory = directory
        self.storage = storage
    }

    /// Reads through a separate descriptor, so that the position of `directory` does not change.
    init(of directory: Descriptor) throws(SystemFailure) {
        let number = retrying { openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw .last }
        self.init(Descriptor(owning: number), by: KernelStorage())
    }

    /// Reads the next names, sorted among themselves.
    ///
    /// - Parameter count: number of names after which reading stops; the system may return a few more.
    package mutating func next(
        _ count: Int, through buffer: borrowing Buffer
    ) throws(SystemFailure) -> DirectoryListing {
        var listing = DirectoryListing()
        while listing.count < count {
            let length = try storage.list(directory, into: buffer.bytes)
            guard length > 0 else {
                isAtEnd = true
                break
            }
            try append(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<length]), to: &listing)
        }
        listing.sort()
        return listing
    }

    private func append(
        _ records: UnsafeRawBufferPointer, to listing: inout DirectoryListing
    ) throws(SystemFailure) {
        var place = 0
        while place + PORTOLAN_RECORD_NAME < records.count {
            let length = records.loadUnaligned(fromByteOffset: place + PORTOLAN_RECORD_LENGTH, as: UInt16.self)
            let kind = records[place + PORTOLAN_RECORD_TYPE]
            let end = place + Int(length)
            let start = place + PORTOLAN_RECORD_NAME
            // The kernel keeps to this; a record that did not would be read past its end.
            guard end > start, end <= records.count else { throw SystemFailure(EIO) }
            let field = records[start..<end]
            try listing.append(UnsafeRawBufferPointer(rebasing: field.prefix { $0 != 0 }), kind: kind)
            place = end
        }
    }
}
