import Glibc

/// The names of a folder that is being walked, one chunk of them at a time.
struct FolderNames {
    /// Number of names that are read at a time; a folder with no more names than this is walked in byte order from end
    /// to end.
    static let usualChunk = 16_384
    /// Number of names that are read at a time if the chunks of all folders on the way down take ``maximumBytes``
    /// already.
    static let smallChunk = 1024
    static let maximumBytes = 16 << 20

    /// The chunk.
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

    /// Reads the next chunk, which may be empty, in place of this one.
    ///
    /// - Parameter isRemembering: true if there is room to remember more names.
    mutating func advance(
        chunk: Int, isRemembering: Bool, through buffer: borrowing DirectoryReader.Buffer
    ) throws(SystemFailure) {
        if seen.count == 0 { listing.keep { seen.insert($0, isGrowing: isRemembering) } }
        listing = DirectoryListing()
        listing = try reader.next(chunk, through: buffer)
        listing.keep { seen.insert($0, isGrowing: isRemembering) }
    }
}
