import Glibc

/// Names of a folder during a walk, read in chunks.
struct FolderNames {
    /// Size of a chunk; a folder with no more names than this is walked in byte order.
    static let usualChunk = 16_384
    /// Size of a chunk when the chunks of all open folders already take ``maximumBytes``.
    static let smallChunk = 1024
    static let maximumBytes = 16 << 20

    /// Current chunk.
    private(set) var listing: DirectoryListing
    private var reader: DirectoryReader
    private var seen = SeenNames()

    /// Reads the first chunk.
    init(
        of folder: Descriptor, chunk: Int, through buffer: borrowing DirectoryReader.Buffer,
        by storage: any ReadableStorage = KernelStorage()
    ) throws(SystemFailure) {
        reader = DirectoryReader(folder, by: storage)
        listing = try reader.next(chunk, through: buffer)
    }

    /// Number of remembered names.
    var remembered: Int { seen.count }

    /// True if no chunk follows.
    var isAtEnd: Bool { reader.isAtEnd }

    /// Replaces the chunk by the next one, which may be empty.
    ///
    /// - Parameter isRemembering: true if there is room for more names in memory.
    mutating func advance(
        chunk: Int, isRemembering: Bool, through buffer: borrowing DirectoryReader.Buffer
    ) throws(SystemFailure) {
        if seen.count == 0 { listing.keep { seen.insert($0, isGrowing: isRemembering) } }
        listing = DirectoryListing()
        listing = try reader.next(chunk, through: buffer)
        listing.keep { seen.insert($0, isGrowing: isRemembering) }
    }
}
