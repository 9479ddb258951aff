/// Sums of a transfer, at the receiver. Each stays below 2^63.
struct IncomingTotals {
    /// Bytes of content that came.
    private(set) var bytes: UInt64 = 0

    /// Sizes of the files that were announced, and bytes of streams.
    private var extent: UInt64 = 0

    mutating func add(bytes more: UInt64) throws(ProtocolViolation) {
        // Both are below 2^63.
        try ProtocolViolation.check(
            bytes + more <= Limits.size, .limit, "A transfer holds more bytes than any file can have.")
        bytes += more
    }

    /// Counts the size of a file, or bytes of a stream.
    mutating func add(extent more: UInt64) throws(ProtocolViolation) {
        // Both are below 2^63.
        try ProtocolViolation.check(
            extent + more <= Limits.size, .limit, "The files of a transfer are together larger than any file can be.")
        extent += more
    }
}
