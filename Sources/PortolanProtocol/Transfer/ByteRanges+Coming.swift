import PortolanValues

extension ByteRanges {
    /// Adds a range of a file that came, which must not be empty. Bounded: a file in more pieces than
    /// `Limits.fileParts` is refused.
    ///
    /// - Throws: `ProtocolViolation` if part of it has come before, or too many pieces are apart; nothing is added
    ///   then.
    package mutating func add(_ range: Range<UInt64>) throws(ProtocolViolation) {
        precondition(!range.isEmpty, "Nothing came")
        guard !overlaps(range) else { throw ProtocolViolation(.unexpected, "A part of a file came twice.") }
        guard ranges.count >= Limits.fileParts else { return insert(range) }
        var grown = self
        grown.insert(range)
        guard grown.ranges.count <= Limits.fileParts else {
            throw ProtocolViolation(.limit, "A file comes in more than \(Limits.fileParts) parts.")
        }
        self = grown
    }
}
