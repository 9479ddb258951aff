import PortolanValues

extension ByteRanges {
    /// Adds a received range of a file, which must not be empty. Bounded: a file in more than `Limits.fileParts`
    /// separate pieces is refused.
    ///
    /// - Throws: `ProtocolViolation` if a part of it has come before, or there are too many separate pieces; nothing is
    ///   added then.
    package mutating func add(_ range: Range<UInt64>) throws(ProtocolViolation) {
        precondition(!range.isEmpty, "Nothing came")
        guard !overlaps(range) else { throw ProtocolViolation(.unexpected, "A part of a file came twice.") }
        guard ranges.count >= Limits.fileParts else { return insert(range) }
        var grown = self
        grown.insert(range)
        try ProtocolViolation.check(
            grown.ranges.count <= Limits.fileParts, .limit, "A file comes in more than \(Limits.fileParts) parts.")
        self = grown
    }
}
