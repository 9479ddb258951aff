/// Numbers of the lanes of one direction that may still begin: each is good once, and rounds do not fall.
package struct LaneNumbers: Sendable {
    /// True if this side connects lanes: it opened the session.
    private let isConnecting: Bool
    /// Indices that may be used are below it; nothing that comes on lanes was taken if it is 0.
    package private(set) var allowed = 0
    /// The highest round of which a lane was begun, and the indices that were used in it.
    package private(set) var round: UInt32 = 0
    private var used: Set<Int> = []

    package init(isConnecting: Bool) { self.isConnecting = isConnecting }

    /// Allows lanes of the indices below `count`.
    package mutating func allow(_ count: Int) { allowed = max(allowed, count) }

    /// Notes that a lane begins, at its sender.
    ///
    /// - Returns: false if its number was used before, or its round is over.
    package mutating func begin(_ number: LaneNumber) -> Bool {
        guard number.round >= round else { return false }
        if number.round > round { (round, used) = (number.round, []) }
        return used.insert(number.index).inserted
    }

    /// Notes that a lane was not connected: its number may be used again.
    package mutating func takeBack(_ number: LaneNumber) {
        if number.round == round { used.remove(number.index) }
    }

    /// Notes that a lane begins, at its receiver.
    ///
    /// - Returns: false if it was not allowed, or may not begin.
    package mutating func admit(_ number: LaneNumber) -> Bool { number.index < allowed && begin(number) }

    /// Takes the request of a sender that cannot connect and asks this side to.
    package mutating func receive(request number: LaneNumber) throws(ProtocolViolation) {
        guard isConnecting else {
            throw ProtocolViolation(.unexpected, "A side that connects by itself asks for a lane.")
        }
        guard admit(number) else {
            throw ProtocolViolation(.unexpected, "The sender asks for a lane that it may not have.")
        }
    }
}
