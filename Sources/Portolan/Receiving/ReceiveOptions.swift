extension Node {
    /// How items are received. The defaults suit most.
    public struct ReceiveOptions: Sendable, Hashable {
        /// The most bytes a second that come in over one session; nil sets no limit.
        public var rateLimit: UInt64?
        /// So many bytes of the destination's file system stay free.
        public var reserve: UInt64 = 0
        /// How long what came of an interrupted transfer is kept, so that the sender can go on with it.
        public var partialLifetime: Duration = .seconds(7 * 86400)

        public init() {}
    }
}
