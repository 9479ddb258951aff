/// Lanes that a transfer has used, and those of them with an end mark.
struct LaneMarks: Sendable {
    private var used: UInt32 = 0
    private var marked: UInt32 = 0

    /// Notes content on a lane.
    mutating func use(_ lane: Int) throws(ProtocolViolation) {
        precondition((0..<Limits.lanes).contains(lane), "No such lane")
        guard !isMarked(lane) else {
            throw ProtocolViolation(.unexpected, "Something of a transfer came behind its mark.")
        }
        used |= 1 << UInt32(lane)
    }

    mutating func mark(_ lane: Int) { marked |= 1 << UInt32(lane) }

    func isMarked(_ lane: Int) -> Bool { marked & 1 << UInt32(lane) != 0 }

    /// Checks that the sender counts the lanes that it has used.
    func check(_ end: Message.End) throws(ProtocolViolation) {
        guard used >> end.lanes == 0 else {
            throw ProtocolViolation(.mismatch, "A transfer used more lanes than it says.")
        }
    }

    /// Returns true if all of so many lanes have ended.
    func areAll(_ lanes: UInt32) -> Bool { marked == UInt32(1) << lanes - 1 }
}
