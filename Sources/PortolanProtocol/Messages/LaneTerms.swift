/// Receiver's terms for an accepted item that the sender sends on lanes.
package struct LaneTerms: Hashable, Sendable {
    /// True if the receiver has a part of it, and will decide about each entry.
    package let asks: Bool
    /// True if the content must come on one lane and in order, for a receiver that can only append.
    package let isInOrder: Bool
    /// Largest number of lanes that the sender may have open at a time; 0 if absent, and means one.
    package let lanes: Int

    package init(asks: Bool = false, isInOrder: Bool = false, lanes: Int = 0) {
        precondition((0...Limits.lanes).contains(lanes), "A session has at most 16 lanes")
        self.asks = asks
        self.isInOrder = isInOrder
        self.lanes = lanes
    }

    /// Largest number of lanes.
    package var mostLanes: Int { isInOrder ? 1 : max(lanes, 1) }
}

// MARK: - Wire

extension LaneTerms {
    init(_ wire: WireChoice) throws(InvalidValue) {
        guard wire.lanes <= Limits.lanes else { throw .limit("An answer that allows \(wire.lanes) lanes.") }
        self.init(asks: wire.ask, isInOrder: wire.inOrder, lanes: Int(wire.lanes))
    }
}
