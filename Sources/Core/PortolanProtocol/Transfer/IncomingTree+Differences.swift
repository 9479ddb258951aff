import PortolanCrypto

/// Files that come as differences from an earlier version.
extension IncomingTree {
    /// Makes a message about the earlier version: the first one unrequested, later ones as answers.
    ///
    /// - Returns: the message to send; nil if the file is over already.
    package mutating func base(
        _ entry: UInt32, _ beginning: Message.Base.Beginning?, data: [UInt8], isLast: Bool
    ) -> Message.Base? {
        guard let file = files[entry], !isAbandoned else { return nil }
        precondition(file.decision == .difference, "Entry \(entry) does not come by its difference")
        let base = Self.valid { () throws(InvalidValue) in
            try Message.Base(transfer: number, index: entry, beginning: beginning, data: data, isLast: isLast)
        }
        files[entry]?.base.tell(base)
        return base
    }

    /// Checks a question about the earlier version.
    ///
    /// - Returns: true if it must be answered, because the file is not over.
    package mutating func take(_ compare: Message.Compare) throws(ProtocolViolation) -> Bool {
        try ProtocolViolation.check(
            takesDifferences, "The sender asks for an earlier version in a transfer without differences.")
        // Its end may have overtaken the question on a lane.
        guard !isAbandoned, var file = files[compare.index] else { return false }
        try ProtocolViolation.check(
            file.decision == .difference, "The sender asks for an earlier version that was not described.")
        try file.base.take(compare.question)
        files[compare.index] = file
        return true
    }
}

/// State of the messages about the earlier version of a file.
struct IncomingBase: Sendable {
    private(set) var size: UInt64 = 0
    /// On which digests depend; nil before the first message.
    private(set) var key: [UInt8]?
    /// True if the unasked part was sent.
    private(set) var isTold = false
    /// True if a question is open.
    private var isAsked = false
    private var hasAskedGroups = false
    private var groupBytes: UInt64 = 0
    /// End of the last range whose sums were requested.
    private var summed: UInt64 = 0
    /// True if the file contains a copy of it.
    var isCopied = false

    mutating func tell(_ base: Message.Base) {
        if let beginning = base.beginning {
            precondition(size == 0, "A file has one earlier version")
            (size, key) = (beginning.size, beginning.key)
        }
        precondition(size > 0 && (!isTold || isAsked), "Something is said and was not asked for")
        if !isTold { groupBytes += UInt64(base.data.count) }
        guard base.isLast else { return }
        isTold = true
        isAsked = false
    }

    mutating func take(_ question: Message.Compare.Question) throws(ProtocolViolation) {
        try ProtocolViolation.check(isTold && !isAsked, "A question came before the last one was answered.")
        switch question {
        case .groups(let runs):
            guard !hasAskedGroups else { throw ProtocolViolation(.unexpected, "The sender asks for groups twice.") }
            guard let last = runs.last, last.upperBound <= groupBytes / UInt64(BlockDigest.length) else {
                throw ProtocolViolation(.unexpected, "The sender asks for groups that do not exist.")
            }
            hasAskedGroups = true
        case .sums(let ranges):
            for range in ranges {
                try ProtocolViolation.check(
                    range.base.upperBound <= size, "The sender asks for more of an earlier version than there is.")
                try ProtocolViolation.check(
                    range.base.upperBound == size || range.base.upperBound.isMultiple(of: UInt64(range.block)),
                    "The sender asks for a part of a block of an earlier version.")
                try ProtocolViolation.check(
                    range.base.lowerBound >= summed, "The sender asks for an earlier version again.")
                summed = range.base.upperBound
            }
        }
        isAsked = true
    }
}
