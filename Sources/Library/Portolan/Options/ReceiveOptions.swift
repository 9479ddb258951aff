/// Options for receiving items. The defaults suit most.
public struct ReceiveOptions: Sendable, Hashable {
    /// Limit for one session, in bytes a second; nil sets no limit.
    public var rateLimit: UInt64?
    /// Bytes of the file system that stay free; nil keeps 1 % free, at most 256 MiB.
    public var reserve: UInt64?
    /// Largest accepted item in bytes, including holes; nil sets no limit. A larger item is declined; an item of
    /// unknown size fails when it exceeds the limit.
    public var maximumSize: UInt64?
    /// Time for which the partials of an interrupted transfer are kept, so that the sender can resume it.
    public var partialLifetime: Duration = .seconds(7 * 86400)

    /// True if an item fails when the permissions of its files cannot be kept. A fetched single file is executable only
    /// with this option.
    public var requiresPermissions = false

    public init() {}
}
