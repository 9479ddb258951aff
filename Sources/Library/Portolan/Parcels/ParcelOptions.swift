/// Options of a parcel, as the user gave them. All other options come from this device's configuration at the time of
/// sending.
public struct ParcelOptions: Codable, Hashable, Sendable {
    public var compression: SendOptions.Compression = .automatic
    /// The most bytes a second that go out, at least 1.
    public var rateLimit: UInt64?
    public var requirements: Set<SendOptions.Requirement> = []
    /// True to send extended attributes. Required ones are always sent.
    public var attributes = false
    /// Seconds of retries after a session has broken; 0 disables retries.
    public var retrySeconds: Int64?
    /// Seconds without progress of an accepted item, after which the receiver is given up; 0 waits without end.
    public var stallSeconds: Int64?
    /// True if an incomplete item counts as complete.
    public var allowsOmissions = false
    /// True to offer forms that converters of this machine can make, too.
    public var converters = true
    /// The only network interfaces that are used.
    public var interfaces: [String]?
    /// Discovery for finding the peer.
    public var discovery: NodeConfiguration.Discovery?

    public init() {}

    private enum CodingKeys: String, CodingKey {
        case compression
        case rateLimit = "limit-rate"
        case requirements = "require"
        case attributes = "xattrs"
        case retrySeconds = "retry"
        case stallSeconds = "stall-timeout"
        case allowsOmissions = "allow-omissions"
        case converters
        case interfaces
        case discovery
    }

    /// - Parameter defaults: values of options that were not given.
    public func sendOptions(over defaults: SendOptions = SendOptions()) -> SendOptions {
        var options = defaults
        options.compression = compression
        options.rateLimit = rateLimit ?? defaults.rateLimit
        options.requirements = requirements
        options.attributes = attributes || requirements.contains(.attributes)
        options.retry = retrySeconds.map { .seconds($0) } ?? defaults.retry
        return options
    }

    /// Longest time of retries, in seconds: longer than any transfer lasts, and small enough to be added without
    /// overflow.
    static let longestRetry: Int64 = 366 * 86400
}

extension SendOptions.Compression: Codable {}
extension SendOptions.Requirement: Codable {}
extension NodeConfiguration.Discovery: Codable {}
