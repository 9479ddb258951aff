/// Checks one received transfer of data, or of a tree record, against its declaration: offsets without gaps, and
/// exactly the declared size.
struct IncomingData: Sendable {
    private let size: UInt64?
    /// Most bytes that may come; no more than the declared size.
    private let most: UInt64
    private var bytes: UInt64 = 0

    /// - Parameter begin: Begin of data; or of files that come whole, which has no declared size of the record.
    init(_ begin: Message.Begin) {
        size = begin.isWhole ? nil : begin.size
        most = begin.isWhole ? UInt64(Limits.treeRecord) : begin.size ?? Limits.size
    }

    mutating func take(_ header: PayloadHeader, count: Int) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            (1...Limits.payload).contains(count), .limit, "A payload record holds \(count) bytes of data.")
        guard header.entry == 0 else { throw ProtocolViolation(.unexpected, "Data came with the number of an entry.") }
        try ProtocolViolation.check(
            header.offset == bytes, "Payload came for offset \(header.offset) instead of \(bytes).")
        // The received bytes are below 2^63 and a record below 2^21, so that the sum cannot overflow.
        try ProtocolViolation.check(bytes + UInt64(count) <= most, "More payload came than was declared.")
        bytes += UInt64(count)
    }

    func check(_ end: Message.End) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            end.entries == 0 && end.bytes == bytes && end.lanes.isEmpty,
            "A transfer ended with totals that do not match its content.")
        try ProtocolViolation.check(
            end.failure != nil || size == nil || size == bytes, "A transfer ended before its declared size.")
    }
}
