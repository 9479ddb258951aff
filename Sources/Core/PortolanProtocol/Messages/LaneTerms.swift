/// Receiver's terms for an accepted item that the sender sends on lanes.
package struct LaneTerms: Hashable, Sendable {
    /// True if the receiver has a part of it, and will decide about each entry.
    package let asks: Bool
    /// Largest number of lanes that the transfer may use; 0 if absent, and means one.
    package let lanes: Int
    /// True if all of it may come on the session in its stead, where that fits into one tree record; without a meaning
    /// where the receiver asks.
    package let takesWhole: Bool

    package init(asks: Bool = false, lanes: Int = 0, takesWhole: Bool = false) {
        precondition((0...Limits.lanes).contains(lanes), "A session has at most 16 lanes")
        self.asks = asks
        self.lanes = lanes
        self.takesWhole = takesWhole
    }

    /// True if the sender may send it whole on the session.
    package var allowsWhole: Bool { takesWhole && !asks }

    /// Largest number of lanes.
    package var mostLanes: Int { max(lanes, 1) }

    /// True if the files must come one after the other, each in order: there is one lane, for a receiver that can only
    /// append.
    package var isInOrder: Bool { mostLanes == 1 }
}

// MARK: - Wire

extension LaneTerms {
    init(_ wire: WireChoice) throws(InvalidValue) {
        guard wire.lanes <= Limits.lanes else { throw .limit("An answer that allows \(wire.lanes) lanes.") }
        self.init(asks: wire.ask, lanes: Int(wire.lanes), takesWhole: wire.whole)
    }
}
