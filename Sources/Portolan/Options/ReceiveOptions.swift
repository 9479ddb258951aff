/// Options for receiving items. The defaults suit most.
public struct ReceiveOptions: Sendable, Hashable {
    /// The most bytes a second that come in over one session; nil sets no limit.
    public var rateLimit: UInt64?
    /// Bytes of the destination's file system that stay free; nil keeps 1 % of it free, at most 256 MiB.
    public var reserve: UInt64?
    /// The largest item that is taken, in bytes, holes counted; nil sets no limit. An item that is known to be larger
    /// is declined, and an item of unknown size fails when it grows larger.
    public var maximumSize: UInt64?
    /// Time for which the partials of an interrupted transfer are kept, so that the sender can resume it.
    public var partialLifetime: Duration = .seconds(7 * 86400)

    /// True if the permissions of files must be kept: an item fails if they cannot be. A single file that is fetched is
    /// executable with this, and never without.
    public var requiresPermissions = false

    public init() {}
}
