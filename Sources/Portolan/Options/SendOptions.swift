/// How items are sent. The defaults suit most.
public struct SendOptions: Sendable, Hashable {
    /// Whether what is sent is made smaller on its way.
    public enum Compression: String, Sendable, CaseIterable {
        /// Where trying it out shows that it helps.
        case automatic = "auto"
        case never
        /// Always, by Zstandard.
        case zstd
    }

    /// Something of a file or folder that a receiver may not be able to keep.
    public enum Requirement: String, Sendable, CaseIterable {
        /// Permissions to read, write and execute: the nine bits.
        case permissions = "mode"
        /// When it was changed last, to the nanosecond.
        case modificationTime = "mtime"
        case symbolicLinks = "symlinks"
        /// Extended attributes whose name begins with `user.`.
        case attributes = "xattrs"
        /// Regions that read as zeros and take no room.
        case holes = "sparse"
        /// Hard links: several names inside one item are the same file.
        case hardLinks = "hardlinks"
        /// Every entry that the receiver may see, with its content: no file that cannot be read or changes, no device, socket or pipe.
        case content
    }

    public var compression: Compression = .automatic
    /// The most bytes a second that go out; nil sets no limit.
    public var rateLimit: UInt64?
    /// An item of which any of these would be lost fails instead of being stored without.
    public var requirements: Set<Requirement> = []
    /// Whether extended attributes are sent, too. Required ones always are.
    public var attributes = false
    /// How long to go on trying after a session has broken off; zero gives up at once. The time begins anew whenever a further
    /// session has got something across.
    public var retry: Duration = .seconds(600)

    public init() {}
}
