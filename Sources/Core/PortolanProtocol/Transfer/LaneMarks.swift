/// Lanes of a transfer, and those of them that have sent an end mark.
struct LaneMarks: Sendable {
    /// Largest number of lanes that it may use.
    private let most: Int
    /// Numbers of its lanes without a mark; at most 16 together with the marked ones, so that a search is short.
    private var open: [UInt32] = []
    private var marked: [UInt32] = []
    /// The lanes that End names.
    private var named: [UInt32]?
    /// Lane of its entries.
    private(set) var entries: UInt32?

    init(most: Int) { self.most = most }

    /// Notes content on a lane.
    mutating func use(_ lane: UInt32) throws(ProtocolViolation) {
        guard !open.contains(lane) else { return }
        try ProtocolViolation.check(!marked.contains(lane), "Content of a transfer came on a lane after its mark.")
        try ProtocolViolation.check(
            named?.contains(lane) ?? true, "Content of a transfer came on a lane that it does not use.")
        try ProtocolViolation.check(
            open.count + marked.count < most, "A transfer came on more lanes than were allowed.")
        open.append(lane)
    }

    /// Notes an entry on a lane in use: all others must come on the same lane.
    mutating func takeEntry(on lane: UInt32) throws(ProtocolViolation) {
        try ProtocolViolation.check(entries ?? lane == lane, "An entry came on another lane than the first.")
        entries = lane
    }

    /// Returns true if another entry can still come on a lane other than this one, on which it is awaited.
    func mayBringEntry(besides lane: UInt32) -> Bool {
        if let entries { return entries != lane && !marked.contains(entries) }
        return named.map { $0.contains { $0 != lane && !marked.contains($0) } } ?? true
    }

    mutating func mark(_ lane: UInt32) {
        open.removeAll { $0 == lane }
        marked.append(lane)
    }

    /// Takes the lanes that the sender names.
    mutating func end(_ lanes: [UInt32]) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            (open + marked).allSatisfy(lanes.contains), "A transfer used more lanes than its end lists.")
        named = lanes
    }

    /// True if all lanes that the sender names have ended.
    var areAll: Bool { open.isEmpty && marked.count == named?.count }
}
