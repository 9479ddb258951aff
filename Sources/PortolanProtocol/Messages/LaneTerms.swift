/// How a receiver wants what it takes to come, if the sender sends it on lanes.
package struct LaneTerms: Hashable, Sendable {
    /// The receiver has something of it, and will say of each entry what it needs.
    package let asks: Bool
    /// Everything on one lane and in order, for a receiver that cannot write anywhere but at the end.
    package let isInOrder: Bool
    /// How many lanes the sender may have open at most at a time; 0 was not said, and means one.
    package let lanes: Int

    package init(asks: Bool = false, isInOrder: Bool = false, lanes: Int = 0) {
        precondition((0...Limits.lanes).contains(lanes), "A session has at most 16 lanes")
        self.asks = asks
        self.isInOrder = isInOrder
        self.lanes = lanes
    }

    /// How many there may be.
    package var mostLanes: Int { isInOrder ? 1 : max(lanes, 1) }
}

// MARK: - Wire

extension LaneTerms {
    init(_ wire: WireChoice) throws(InvalidValue) {
        guard wire.lanes <= Limits.lanes else { throw .limit("An answer that allows \(wire.lanes) lanes.") }
        self.init(asks: wire.ask, isInOrder: wire.inOrder, lanes: Int(wire.lanes))
    }
}
