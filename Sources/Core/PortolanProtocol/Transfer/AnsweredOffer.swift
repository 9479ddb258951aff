/// Offer at its receiver after the answer: the state of each item.
struct AnsweredOffer: Sendable {
    enum ItemState: Sendable {
        /// Accepted: Begin or ExportFailed must come.
        case taken(representation: Int)
        /// Given up before Begin came; the sender may have sent it before it knew.
        case givenUp(representation: Int)
        /// Between Begin and End.
        case arriving
        /// End came; this side's result is awaited.
        case arrived(whole: Bool)
        /// ExportFailed came; this side's next choice is awaited.
        case unavailable
        case settled
    }

    struct Item: Sendable {
        var state = ItemState.settled
        /// Bits of the representations that were chosen; none is chosen twice.
        private var chosen: UInt32 = 0
        /// Terms of the accepted item.
        private(set) var terms = LaneTerms()
        let representations: Int

        fileprivate init(_ offered: OfferedItem) { representations = offered.representations.count }

        var tried: Set<Int> { Set((0..<representations).filter(hasTried)) }

        private func hasTried(_ representation: Int) -> Bool { chosen & 1 << representation != 0 }

        fileprivate mutating func take(_ representation: Int, _ terms: LaneTerms) {
            precondition((0..<representations).contains(representation), "Nothing of that index was offered")
            precondition(!hasTried(representation), "That was tried before")
            chosen |= 1 << representation
            state = .taken(representation: representation)
            self.terms = terms
        }
    }

    let id: UInt64
    /// Nil after no more messages about it can come, to release a large offer in a long session.
    private(set) var offer: Offer?
    var items: [Item]
    private var hasFinished = false

    /// - Parameter offer: offer whose items each get a decision.
    init(_ offer: Offer) {
        id = offer.id
        self.offer = offer
        items = offer.items.map(Item.init)
    }

    /// True if every item has had this side's last message.
    var isSettled: Bool {
        items.allSatisfy {
            switch $0.state {
            case .settled, .givenUp: true
            case .taken, .arriving, .arrived, .unavailable: false
            }
        }
    }

    /// Returns true if all is settled except this side's answer on `items`, which have arrived.
    func isDue(onlyFor arrived: Set<Int>) -> Bool {
        items.enumerated().allSatisfy { index, item in
            switch item.state {
            case .settled, .givenUp: true
            case .arrived(let whole): whole && arrived.contains(index)
            case .taken, .arriving, .unavailable: false
            }
        }
    }

    /// Items that were taken and have had no receipt, in the order of the offer.
    var unsettled: [Int] {
        items.indices.filter { index in
            switch items[index].state {
            case .taken, .arriving, .arrived, .unavailable: true
            case .givenUp, .settled: false
            }
        }
    }

    mutating func decide(_ item: Int, _ decision: ItemDecision, _ terms: LaneTerms) {
        switch decision {
        case .take(let representation): items[item].take(representation, terms)
        case .decline, .stored: items[item].state = .settled
        }
    }

    /// Notes once that every item has had this side's last message.
    ///
    /// - Returns: true if that is so now, and was not noted before.
    mutating func finish() -> Bool {
        guard isSettled, !hasFinished else { return false }
        hasFinished = true
        return true
    }

    /// Releases the offer if no more messages about it can come.
    mutating func letGo() {
        guard hasFinished else { return }
        let isOver = items.allSatisfy { if case .settled = $0.state { true } else { false } }
        if isOver { offer = nil }
    }
}
