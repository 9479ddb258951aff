import PortolanCrypto

/// Files that go by their difference from an earlier version that the receiver has.
extension OutgoingTree {
    /// Takes the receiver's message about the earlier version.
    ///
    /// - Returns: true if it still matters: the file is not over.
    package mutating func receive(_ base: Message.Base) throws(ProtocolViolation) -> Bool {
        try ProtocolViolation.check(
            asks && base.transfer == number && isDecided(base.index),
            "The receiver describes an earlier version without being asked.")
        // The message may have crossed the end of the file.
        guard var file = files[base.index] else { return false }
        try ProtocolViolation.check(
            file.decision == .difference, "The receiver describes an earlier version of a file that it wants whole.")
        try file.base.take(base)
        files[base.index] = file
        return true
    }

    /// Asks about the earlier version. All earlier answers must have come.
    ///
    /// - Parameter answer: most bytes of a valid answer.
    package mutating func compare(
        _ entry: UInt32, _ question: Message.Compare.Question, answer: UInt64
    ) throws(InvalidValue) -> Message.Compare {
        let compare = try Message.Compare(transfer: number, index: entry, question)
        guard files[entry]?.decision == .difference else { preconditionFailure("It does not go by its difference") }
        files[entry]?.base.ask(atMost: answer)
        return compare
    }
}

/// Expected messages of the receiver about the earlier version of a file.
struct OutgoingBase: Sendable {
    /// The shortest chunk but the last of a file, in bytes: no group is shorter.
    private static let shortestGroup: UInt64 = 16 << 10

    private var size: UInt64?
    private var isAnswered = false
    private var come: UInt64 = 0
    private var most: UInt64 = 0

    mutating func take(_ base: Message.Base) throws(ProtocolViolation) {
        try ProtocolViolation.check(!isAnswered, "The receiver describes an earlier version without being asked.")
        try ProtocolViolation.check(
            (size == nil) == (base.beginning != nil), "The receiver has two earlier versions of a file, or none.")
        if let beginning = base.beginning {
            size = beginning.size
            most = (beginning.size / Self.shortestGroup + 1) * UInt64(BlockDigest.length)
        }
        come += UInt64(base.data.count)
        try ProtocolViolation.check(
            come <= most, .limit, "The receiver describes more of an earlier version than there is.")
        isAnswered = base.isLast
    }

    mutating func ask(atMost answer: UInt64) {
        precondition(isAnswered, "One question at a time")
        isAnswered = false
        come = 0
        most = answer
    }
}
