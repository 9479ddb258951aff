/// Options for sending items. The defaults suit most.
public struct SendOptions: Sendable, Hashable {
    /// Use of compression in a transfer.
    public enum Compression: String, Sendable, CaseIterable {
        /// Compression if a trial shows that it helps.
        case automatic = "auto"
        case never
        /// Always, by Zstandard.
        case zstd
    }

    /// Kind of metadata of a file or folder that a receiver may not be able to keep.
    public enum Requirement: String, Sendable, CaseIterable {
        /// Permissions to read, write and execute: the nine bits.
        case permissions = "mode"
        /// Modification time, to the nanosecond.
        case modificationTime = "mtime"
        case symbolicLinks = "symlinks"
        /// Extended attributes whose name begins with `user.`.
        case attributes = "xattrs"
        /// Regions that read as zeros and take no room.
        case holes = "sparse"
        /// Hard links: several names inside one item are the same file.
        case hardLinks = "hardlinks"
        /// Every entry that the receiver may see, with its content. An unreadable or changing file, a device, socket or
        /// pipe counts as a loss.
        case content
    }

    public var compression: Compression = .automatic
    /// The most bytes a second that go out; nil sets no limit.
    public var rateLimit: UInt64?
    /// Properties that must be kept; otherwise the item fails.
    public var requirements: Set<Requirement> = []
    /// True to send extended attributes. Required ones are always sent.
    public var attributes = false
    /// Time for retries after a session has broken off; zero gives up at once. The time begins anew after each session
    /// that made progress.
    public var retry: Duration = .seconds(600)

    public init() {}
}
