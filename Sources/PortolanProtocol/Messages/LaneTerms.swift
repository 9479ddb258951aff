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

/// What of a file must be kept so that an item may be stored.
package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// Something that this version does not know, and so cannot keep.
    case unspecified
    case mode
    case modified
    case symlinks
    case attributes
    case sparse
    case hardLinks
    /// Every entry that the receiver may see, with its content.
    case content
}

// MARK: - Wire

extension LaneTerms {
    init(_ wire: WireChoice) throws(InvalidValue) {
        guard wire.lanes <= Limits.lanes else { throw .limit("An answer that allows \(wire.lanes) lanes.") }
        self.init(asks: wire.ask, isInOrder: wire.inOrder, lanes: Int(wire.lanes))
    }
}

extension Set<Requirement> {
    var wire: [WireFidelity] { map(\.wire).sorted { $0.rawValue < $1.rawValue } }
}

extension Requirement {
    init(_ wire: WireFidelity) {
        switch wire {
        case .unspecified, .UNRECOGNIZED: self = .unspecified
        case .mode: self = .mode
        case .modified: self = .modified
        case .symlinks: self = .symlinks
        case .attributes: self = .attributes
        case .sparse: self = .sparse
        case .hardLinks: self = .hardLinks
        case .content: self = .content
        }
    }

    var wire: WireFidelity {
        switch self {
        case .unspecified: .unspecified
        case .mode: .mode
        case .modified: .modified
        case .symlinks: .symlinks
        case .attributes: .attributes
        case .sparse: .sparse
        case .hardLinks: .hardLinks
        case .content: .content
        }
    }
}
