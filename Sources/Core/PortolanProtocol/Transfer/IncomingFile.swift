import PortolanCrypto
import PortolanValues

/// File of a transfer on lanes whose content comes in ranges.
struct IncomingFile: Sendable {
    /// Announced size.
    let size: UInt64?
    /// Footprint of its attributes.
    let attributeBytes: Int
    /// True if each range must begin at the end of the last one.
    let comesInOrder: Bool
    var decision = EntryDecision.all
    /// True if the receiver stores no byte of it, although a transfer without questions sends all of it.
    var isUnwanted = false
    /// True if it counts among the begun files.
    var isBegun: Bool
    /// Earlier version from which it may have copies.
    var base = IncomingBase()
    /// Number of stored bytes, including holes and copies.
    var written: UInt64 = 0

    private(set) var end: FileEndElement?
    /// Ranges that were sent.
    private var coverage = ByteRanges()
    /// Ranges that this side claimed to hold.
    private var held = ByteRanges()

    init(size: UInt64?, attributeBytes: Int, isBegun: Bool, comesInOrder: Bool) {
        self.size = size
        self.attributeBytes = attributeBytes
        self.isBegun = isBegun
        self.comesInOrder = comesInOrder
    }

    /// True if its size was not announced.
    var isStream: Bool { size == nil }

    mutating func take(_ range: Range<UInt64>) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            range.upperBound <= size ?? Limits.size, "A file has more content than was declared.")
        try ProtocolViolation.check(
            !comesInOrder || range.lowerBound == coverage.total, "A part of a file came out of order.")
        try coverage.add(range)
        if let end { try Self.check(coverage, against: end) }
    }

    mutating func take(_ end: FileEndElement) throws(ProtocolViolation) {
        guard self.end == nil else { throw ProtocolViolation(.unexpected, "A file ended twice.") }
        if end.failure == nil {
            try ProtocolViolation.check(
                size.map({ $0 == end.size }) ?? true, "A file ended with another size than was declared.")
            try ProtocolViolation.check(
                decision == .compare || end.sent == end.size, "A file ended before its declared size.")
        }
        try ProtocolViolation.check(
            end.digest == nil || base.key != nil, "A file ended with a digest, and is not sent by its difference.")
        try Self.check(coverage, against: end)
        self.end = end
    }

    private static func check(_ coverage: ByteRanges, against end: FileEndElement) throws(ProtocolViolation) {
        try ProtocolViolation.check(coverage.total <= end.sent, "A file has more content than its end reports.")
    }

    /// Takes a range that is a copy of the earlier version.
    mutating func take(_ copy: CopyElement) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            decision == .difference && base.isTold, "A copy refers to content that the receiver did not report.")
        try ProtocolViolation.check(
            copy.base <= base.size && copy.length <= base.size - copy.base,
            "A copy refers to more content than the receiver has.")
        base.isCopied = true
        try take(copy.range)
    }

    /// True if every sent byte of it is stored.
    var isOver: Bool { written == end?.sent }

    /// Checks that every byte was sent, or is held.
    func checkWhole() throws(ProtocolViolation) {
        guard let end, end.failure == nil else { return }
        try ProtocolViolation.check(!base.isCopied || end.digest != nil, "A file with copies ended without its digest.")
        try ProtocolViolation.check(
            coverage.covers(end.size, with: held), "A file ended without content that the receiver lacks.")
    }

    mutating func hold(_ holding: Message.Holding) {
        guard let size else { preconditionFailure("A file of unknown size cannot be compared") }
        let blockSize = BlockDigest.blockSize
        precondition(
            holding.blocks.upperBound <= Message.Holding.blockCount(size: size), "A block that the file does not have")
        guard !holding.blocks.isEmpty else { return }
        let start = holding.blocks.lowerBound * blockSize
        precondition(held.ranges.last.map { $0.upperBound <= start } ?? true, "Blocks are said in their order")
        certain(
            try held.add(start..<min(holding.blocks.upperBound * blockSize, size)),
            "Held in more pieces than can be sent")
    }
}
