/// Numbers of the lanes of one direction that have begun: each number is valid once.
package struct LaneNumbers: Sendable {
    /// Numbers that are this far below the greatest one count as used, so that the list of used numbers stays short.
    private static let span: UInt32 = 64

    /// True if this side connects lanes: it opened the session.
    private let isConnecting: Bool
    /// Most open lanes of the sender; 0 if no accepted item uses lanes.
    package private(set) var allowed = 0
    /// The greatest number that was used.
    private var greatest: UInt32 = 0
    /// Used numbers: bit n is for the number that is n below the greatest.
    private var used: UInt64 = 0

    package init(isConnecting: Bool) { self.isConnecting = isConnecting }

    /// Allows at least `count` lanes at a time.
    package mutating func allow(_ count: Int) { allowed = max(allowed, count) }

    /// Notes that a lane begins.
    ///
    /// - Returns: false if its number was used before.
    package mutating func begin(_ number: UInt32) -> Bool {
        if number > greatest {
            used = number - greatest < Self.span ? used << UInt64(number - greatest) : 0
            greatest = number
        }
        guard greatest - number < Self.span else { return false }
        let bit = UInt64(1) << UInt64(greatest - number)
        defer { used |= bit }
        return used & bit == 0
    }

    /// Notes that a lane begins, at its receiver.
    ///
    /// - Returns: false if it was not allowed, or may not begin.
    package mutating func admit(_ number: UInt32) -> Bool { allowed > 0 && begin(number) }

    /// Takes the request of a sender that cannot connect and asks this side to.
    package mutating func receive(request number: UInt32) throws(ProtocolViolation) {
        try ProtocolViolation.check(isConnecting, "A side that connects by itself asks for a lane.")
        try ProtocolViolation.check(admit(number), "The sender asks for a lane that it may not have.")
    }
}
