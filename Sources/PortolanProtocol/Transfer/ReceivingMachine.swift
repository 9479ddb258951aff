/// Receiver's side of a session: offers come, are answered, and accepted items arrive.
///
/// Content must have been offered, accepted and begun, in that order; any other content throws. It holds one small
/// state per item and does no I/O. It takes messages of the route `.receiving` and knows nothing of the other direction
/// of the session, nor of the connection. Misuse by the owner traps.
///
/// ```swift
/// var machine = ReceivingMachine()
/// // a control record:  perform(try machine.receive(Message(decoding: plaintext)))
/// // a payload record:  let header = try PayloadHeader(decoding: plaintext)
/// //                    switch try machine.payload(header, count: plaintext.count - 16) { … }
/// // an Offer:          only where this side has not sent its end record, and takes offers or requested it
/// // the end record:    try machine.endOfInput(), which is in order also when no offer ever came
/// // .decide(offer):    perform(machine.answer(decisions)), after machine.pending() if a person is asked
/// // .beginTree(…, tree): the tree checks the lanes. .endTree(end): tree.end(end); read no more of the session
/// //                     until tree.isComplete, then perform(machine.treeCompleted())
/// // .complete(item, …): perform(machine.stored(item, …)) or machine.failed(item, …) or machine.answerAgain(item, …),
/// //                     at once or when machine.isDue(onlyFor:) says that nothing else is left to come
/// ```
package struct ReceivingMachine: Sendable {
    private enum ItemState {
        /// Our answer is awaited.
        case undecided
        /// Taken: Begin or ExportFailed must come.
        case taken(representation: Int)
        /// Given up before Begin came; the sender may have sent it before it knew.
        case givenUp(representation: Int)
        /// Between Begin and End.
        case arriving
        /// End came, our word is awaited.
        case arrived(whole: Bool)
        /// ExportFailed came, our next choice is awaited.
        case unavailable
        case settled
    }

    private struct Item {
        var state = ItemState.undecided
        /// Representations that were chosen; none is chosen twice.
        var tried: UInt32 = 0
        /// Terms of the accepted item.
        var terms = LaneTerms()
        let representations: Int

        init(_ offered: OfferedItem) { representations = offered.representations.count }

        func hasTried(_ representation: Int) -> Bool { tried & 1 << representation != 0 }
    }

    private struct OpenOffer {
        let id: UInt64
        /// nil once nothing can come of it any more: a session may last, and its last offer be large.
        var offer: Offer?
        var items: [Item]
        var isAnswered = false
        var isPending = false
        var hasFinished = false

        /// True if every item has had this side's last message.
        var isSettled: Bool {
            isAnswered
                && items.allSatisfy {
                    switch $0.state {
                    case .settled, .givenUp: true
                    case .undecided, .taken, .arriving, .arrived, .unavailable: false
                    }
                }
        }
    }

    private struct Transfer {
        let number: UInt32
        let item: Int
        /// True if Begin has declared the size.
        let isSized: Bool
        /// Checker of the declared size, for data.
        var data: IncomingData?
        var isDiscarded: Bool
        /// The last word on a transfer on lanes, which may not be all there yet.
        var end: Message.End?
    }

    private var open: OpenOffer?
    private var transfer: Transfer?
    private var nextTransfer: UInt32 = 1

    package init() {}

    /// True if payload records may come at all: part of an offer was accepted.
    package private(set) var allowsPayload = false

    /// Takes a message of the route `.receiving`.
    package mutating func receive(_ message: Message) throws(ProtocolViolation) -> [Action] {
        switch message {
        case .offer(let offer): return try receive(offer)
        case .begin(let begin): return try receive(begin)
        case .end(let end): return try receive(end)
        case .total(let total): return try receive(total)
        case .compare(let compare): return try receive(compare)
        case .exportFailed(let failed): return try receive(failed)
        default:
            preconditionFailure("\(message.name) is not about an offer of the peer")
        }
    }

    /// Judges a payload record by its header and how many bytes of data follow it.
    package mutating func payload(_ header: PayloadHeader, count: Int) throws(ProtocolViolation) -> PayloadVerdict {
        let item = try inData(of: header.transfer) { data throws(ProtocolViolation) in
            try data.take(header, count: count)
        }
        return item.map { .write(item: $0) } ?? .discard
    }

    /// Returns true if all of the offer is settled except this side's answer on `items`, which have arrived.
    package func isDue(onlyFor items: Set<Int>) -> Bool {
        guard let open, open.isAnswered, transfer == nil else { return false }
        return open.items.enumerated().allSatisfy { index, item in
            switch item.state {
            case .settled, .givenUp: true
            case .arrived(let whole): whole && items.contains(index)
            case .undecided, .taken, .arriving, .unavailable: false
            }
        }
    }

    /// Items that were taken and have had no receipt, in the order of the offer.
    package var unsettled: [Int] {
        guard let open, open.isAnswered else { return [] }
        return open.items.indices.filter { index in
            switch open.items[index].state {
            case .taken, .arriving, .arrived, .unavailable: true
            case .undecided, .givenUp, .settled: false
            }
        }
    }

    /// True if messages of the last offer may still come.
    package var holdsOffer: Bool { open?.offer != nil }

    /// True if no message of an offer, or about one, is due.
    package var isAtRest: Bool { transfer == nil && open?.isSettled ?? true }

    /// Notes the sender's end record, which is its last message.
    package func endOfInput() throws(ProtocolViolation) {
        guard isAtRest else {
            throw ProtocolViolation(.unexpected, "The sender ended before it had sent what was taken.")
        }
    }
}

// MARK: - Messages of the sender

extension ReceivingMachine {
    private mutating func receive(_ offer: Offer) throws(ProtocolViolation) -> [Action] {
        guard isAtRest else {
            throw ProtocolViolation(.unexpected, "A second offer came while the first was open.")
        }
        if let last = open?.id, offer.id <= last {
            throw ProtocolViolation(.unexpected, "An offer came with the number of an earlier one.")
        }
        open = OpenOffer(id: offer.id, offer: offer, items: offer.items.map(Item.init))
        return [.decide(offer)]
    }

    private mutating func receive(_ begin: Message.Begin) throws(ProtocolViolation) -> [Action] {
        guard transfer == nil else { throw ProtocolViolation(.unexpected, "A transfer began inside another.") }
        guard begin.transfer == nextTransfer else {
            throw ProtocolViolation(
                .unexpected, "Transfer \(begin.transfer) began where transfer \(nextTransfer) was due.")
        }
        let item = try index(begin.item, offer: begin.offer)
        let (representation, isGivenUp) = try expected(item, begin.representation)
        let offered = open?.offer?.items[item].representations[representation]
        guard let offered, offered.channel == begin.channel else {
            throw ProtocolViolation(.unexpected, "A transfer began on another channel than the one offered.")
        }
        let terms = open?.items[item].terms ?? LaneTerms()
        guard begin.channel == .data || begin.asks == terms.asks else {
            throw ProtocolViolation(.unexpected, "A transfer asks, or does not, against what the answer said.")
        }
        guard nextTransfer < .max else {
            throw ProtocolViolation(.limit, "A session has more transfers than can be numbered.")
        }
        nextTransfer += 1
        transfer = Transfer(
            number: begin.transfer, item: item, isSized: begin.size != nil,
            data: begin.channel == .data ? IncomingData(begin) : nil,
            isDiscarded: isGivenUp)
        open?.items[item].state = isGivenUp ? .settled : .arriving
        switch begin.channel {
        case .data: return isGivenUp ? [] : [.begin(item: item, begin)]
        case .file:
            var tree = IncomingTree(begin, as: offered, terms: terms)
            if isGivenUp { tree.abandon() }
            return [.beginTree(item: item, begin, tree)]
        }
    }

    private mutating func receive(_ failed: Message.ExportFailed) throws(ProtocolViolation) -> [Action] {
        let item = try index(failed.item, offer: failed.offer)
        let (representation, isGivenUp) = try expected(item, failed.representation)
        open?.items[item].state = isGivenUp ? .settled : .unavailable
        return isGivenUp ? [] : [.produceFailed(item: item, representation: representation, failed.failure)]
    }

    private func receive(_ total: Message.Total) throws(ProtocolViolation) -> [Action] {
        guard let transfer, transfer.number == total.transfer, transfer.data == nil, !transfer.isSized,
            transfer.end == nil
        else { throw ProtocolViolation(.unexpected, "A total came for no folder that is being sent.") }
        return transfer.isDiscarded ? [] : [.total(item: transfer.item, total)]
    }

    private func receive(_ compare: Message.Compare) throws(ProtocolViolation) -> [Action] {
        guard let transfer, transfer.number == compare.transfer, transfer.data == nil, transfer.end == nil else {
            throw ProtocolViolation(.unexpected, "A question came about no file that is being sent.")
        }
        return transfer.isDiscarded ? [] : [.compare(compare)]
    }

    private mutating func receive(_ end: Message.End) throws(ProtocolViolation) -> [Action] {
        if let transfer, transfer.number == end.transfer, transfer.data == nil {
            guard transfer.end == nil else { throw ProtocolViolation(.unexpected, "A transfer ended twice.") }
            self.transfer?.end = end
            return [.endTree(end)]
        }
        let item = try inData(of: end.transfer) { data throws(ProtocolViolation) in try data.check(end) }
        return concluded(item, end)
    }

    /// - Parameter item: `nil` if it was given up.
    private mutating func concluded(_ item: Int?, _ end: Message.End) -> [Action] {
        transfer = nil
        guard let item else {
            letGo()
            return []
        }
        open?.items[item].state = .arrived(whole: end.failure == nil)
        if let failure = end.failure { return [.aborted(item: item, failure)] }
        return [.complete(item: item, end)]
    }

    /// Returns an item of the open offer, by the sender's number for it.
    private func index(_ item: UInt32, offer: UInt64) throws(ProtocolViolation) -> Int {
        guard let open, open.isAnswered, open.id == offer else {
            throw ProtocolViolation(.unexpected, "Something came for an offer that was not answered.")
        }
        guard Int(item) < open.items.count else {
            throw ProtocolViolation(.badIndex, "Something came for an item that was not offered.")
        }
        return Int(item)
    }

    /// Checks that this representation of the item is due, and tells if the item was given up meanwhile.
    private func expected(
        _ item: Int, _ representation: UInt32
    ) throws(ProtocolViolation) -> (representation: Int, isGivenUp: Bool) {
        guard let open, Int(representation) < open.items[item].representations else {
            throw ProtocolViolation(.badIndex, "Something came for a representation that was not offered.")
        }
        switch open.items[item].state {
        case .taken(let chosen) where chosen == Int(representation): return (chosen, false)
        case .givenUp(let chosen) where chosen == Int(representation): return (chosen, true)
        case .taken, .givenUp: throw ProtocolViolation(.unexpected, "Another representation came than the one taken.")
        case .undecided, .arriving, .arrived, .unavailable, .settled:
            throw ProtocolViolation(.unexpected, "Something came for an item that is not due.")
        }
    }

    /// Holds the open transfer, which must be one of data, to its word.
    ///
    /// - Returns: the item it belongs to, or `nil` if that was given up.
    private mutating func inData(
        of number: UInt32, _ step: (inout IncomingData) throws(ProtocolViolation) -> Void
    ) throws(ProtocolViolation) -> Int? {
        guard let transfer, transfer.number == number else {
            throw ProtocolViolation(.unexpected, "Something came for transfer \(number), which is not open.")
        }
        guard var data = transfer.data else {
            throw ProtocolViolation(.unexpected, "Something came on the session that belongs on lanes.")
        }
        try step(&data)
        self.transfer?.data = data
        return transfer.isDiscarded ? nil : transfer.item
    }
}

// MARK: - Calls of the owner

extension ReceivingMachine {
    /// Tells the sender that a person is being asked. Said once at most, before `answer`.
    package mutating func pending() -> [Action] {
        guard let offer = open?.id, open?.isAnswered == false, open?.isPending == false else {
            preconditionFailure("No offer waits for an answer")
        }
        open?.isPending = true
        return [.send(.pending(Message.Pending(offer: offer)))]
    }

    /// Answers the open offer: one decision for each of its items.
    ///
    /// - Parameters:
    ///   - terms: terms of accepted items, by item; items without terms come as new files.
    ///   - inline: items of which only the inline content is wanted.
    package mutating func answer(
        _ decisions: [ItemDecision], terms: [Int: LaneTerms] = [:], inline: Set<Int> = []
    ) -> [Action] {
        guard let offer = open?.offer, open?.isAnswered == false else {
            preconditionFailure("No offer waits for an answer")
        }
        precondition(decisions.count == offer.items.count, "An answer decides about every item")
        open?.isAnswered = true
        let choices = decisions.enumerated().map { item, decision in
            decide(item, decision, terms[item] ?? LaneTerms(), isInline: inline.contains(item))
        }
        let arrived = inline.sorted().map { arriveInline($0, of: offer, terms[$0] ?? LaneTerms()) }
        return [sendAnswer(offer.id, choices)] + arrived + finishIfSettled()
    }

    /// Takes another representation of an item after `.produceFailed`, `.aborted` or `.complete`, or, only after
    /// `.produceFailed`, declines it. Earlier choices of the item cannot be taken again.
    package mutating func answerAgain(
        _ item: Int, _ decision: ItemDecision, terms: LaneTerms = LaneTerms()
    ) -> [Action] {
        switch (state(of: item), decision) {
        case (.unavailable, .take), (.unavailable, .decline), (.arrived, .take): break
        default: preconditionFailure("Item \(item) does not wait for another choice")
        }
        let choice = decide(item, decision, terms)
        return [sendAnswer(openOffer, [choice])] + finishIfSettled()
    }

    /// Notes that the tree of the ended transfer is complete; called once, after `.endTree`.
    package mutating func treeCompleted() -> [Action] {
        guard let transfer, let end = transfer.end else { preconditionFailure("No transfer on lanes has ended") }
        return concluded(transfer.isDiscarded ? nil : transfer.item, end)
    }

    /// Notes that the item is durably stored; called once, after `.complete`.
    package mutating func stored(_ item: Int, _ stored: StoredItem) -> [Action] {
        guard case .arrived(whole: true) = state(of: item) else { preconditionFailure("Item \(item) has not arrived") }
        open?.items[item].state = .settled
        return [sendReceipt(item, .stored(stored))] + finishIfSettled()
    }

    /// Gives up an accepted item; called once, at any time after `answer`. Payload of it that still comes is to be
    /// discarded.
    package mutating func failed(_ item: Int, _ failure: StoringFailure) -> [Action] {
        switch state(of: item) {
        case .taken(let representation): open?.items[item].state = .givenUp(representation: representation)
        case .arriving:
            transfer?.isDiscarded = true
            open?.items[item].state = .settled
        case .arrived, .unavailable: open?.items[item].state = .settled
        case .undecided, .givenUp, .settled: preconditionFailure("Item \(item) is not under way")
        }
        return [sendReceipt(item, .failed(failure))] + finishIfSettled()
    }

    private mutating func arriveInline(_ item: Int, of offer: Offer, _ terms: LaneTerms) -> Action {
        let offered = offer.items[item]
        guard case .taken(let representation) = open?.items[item].state, let inline = offered.inline,
            inline.representation == representation, !terms.asks
        else { preconditionFailure("Nothing came of item \(item) with the offer that was taken") }
        open?.items[item].state = .arrived(whole: true)
        let form = offered.representations[representation]
        let begin: Message.Begin
        do {
            begin = try Message.Begin(
                transfer: 0, offer: offer.id, item: UInt32(item), representation: UInt32(representation),
                channel: form.channel, name: inline.name,
                size: form.channel == .data ? UInt64(inline.content.count) : nil, requirements: inline.requirements)
        } catch {
            preconditionFailure("What came with a good offer begins well: \(error)")
        }
        let tree = form.channel == .file ? IncomingTree(begin, as: form, terms: terms) : nil
        return .inline(item: item, begin, tree, inline.content)
    }

    private mutating func decide(
        _ item: Int, _ decision: ItemDecision, _ terms: LaneTerms, isInline: Bool = false
    ) -> ItemChoice {
        switch decision {
        case .take(let representation):
            let offered = open?.items[item].representations ?? 0
            precondition((0..<offered).contains(representation), "Nothing of that index was offered")
            precondition(open?.items[item].hasTried(representation) == false, "That was tried before")
            open?.items[item].tried |= 1 << representation
            open?.items[item].state = .taken(representation: representation)
            open?.items[item].terms = terms
            allowsPayload = true
            return ItemChoice(item: UInt32(item), decision, terms: terms, isInline: isInline)
        case .decline, .stored:
            open?.items[item].state = .settled
            return ItemChoice(item: UInt32(item), decision)
        }
    }

    /// Returns the representations of an item that were chosen so far, for
    /// `Negotiation.choose(_:accepting:excluding:)`.
    package func tried(_ item: Int) -> Set<Int> {
        guard let open else { return [] }
        return Set((0..<open.items[item].representations).filter { open.items[item].hasTried($0) })
    }

    private func state(of item: Int) -> ItemState {
        guard let open, open.isAnswered, open.items.indices.contains(item) else {
            preconditionFailure("No answered offer has an item \(item)")
        }
        return open.items[item].state
    }

    private var openOffer: UInt64 {
        guard let open else { preconditionFailure("No offer is open") }
        return open.id
    }

    private func sendAnswer(_ offer: UInt64, _ choices: [ItemChoice]) -> Action {
        do {
            return .send(.answer(try Message.Answer(offer: offer, choices: choices)))
        } catch {
            preconditionFailure("An offer is never empty and never larger than an answer: \(error)")
        }
    }

    private func sendReceipt(_ item: Int, _ outcome: Message.Receipt.Outcome) -> Action {
        .send(.receipt(Message.Receipt(offer: openOffer, item: UInt32(item), outcome: outcome)))
    }

    /// Drops an offer of which nothing can come any more.
    private mutating func letGo() {
        guard let open, open.hasFinished, transfer == nil else { return }
        let isOver = open.items.allSatisfy { if case .settled = $0.state { true } else { false } }
        if isOver { self.open?.offer = nil }
    }

    private mutating func finishIfSettled() -> [Action] {
        guard let open, open.isSettled, !open.hasFinished else { return [] }
        self.open?.hasFinished = true
        letGo()
        return [.finished(offer: open.id)]
    }
}
