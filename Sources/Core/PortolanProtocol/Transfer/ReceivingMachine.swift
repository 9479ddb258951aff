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
    private enum State {
        /// No offer has come yet.
        case idle
        /// An offer waits for this side's answer, with the person asked or not.
        case deciding(Offer, isPending: Bool)
        /// The last offer was answered. This state stays after the offer is over.
        case answered(AnsweredOffer)
    }

    private struct Transfer {
        let number: UInt32
        let item: Int
        /// True if Begin has declared the size.
        let isSized: Bool
        /// Checker of the declared size, for data and for a tree record on the session.
        var data: IncomingData?
        var isDiscarded: Bool
        /// The End of a transfer on lanes whose content may not all have come yet.
        var end: Message.End?
    }

    private var state = State.idle
    private var transfer: Transfer?
    private var nextTransfer: UInt32 = 1

    package init() {}

    /// True if payload records are allowed: part of an offer was accepted.
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
        guard case .answered(let offer) = state, transfer == nil else { return false }
        return offer.isDue(onlyFor: items)
    }

    /// Items that were taken and have had no receipt, in the order of the offer.
    package var unsettled: [Int] {
        if case .answered(let offer) = state { offer.unsettled } else { [] }
    }

    /// True if messages about the last offer may still come.
    package var holdsOffer: Bool {
        switch state {
        case .idle: false
        case .deciding: true
        case .answered(let offer): offer.offer != nil
        }
    }

    /// True if no message of an offer, or about one, is due.
    package var isAtRest: Bool {
        switch state {
        case .idle: true
        case .deciding: false
        case .answered(let offer): transfer == nil && offer.isSettled
        }
    }

    /// The answered offer, for callers that know that there is one. It is changed in place.
    private var answered: AnsweredOffer {
        get {
            guard case .answered(let offer) = state else { preconditionFailure("No offer was answered") }
            return offer
        }
        _modify {
            guard case .answered(var offer) = state else { preconditionFailure("No offer was answered") }
            state = .idle
            defer { state = .answered(offer) }
            yield &offer
        }
    }

    /// Notes the sender's end record, which is its last message.
    package func endOfInput() throws(ProtocolViolation) {
        try ProtocolViolation.check(isAtRest, "The sender ended the session before it had sent every accepted item.")
    }
}

// MARK: - Messages of the sender

extension ReceivingMachine {
    private mutating func receive(_ offer: Offer) throws(ProtocolViolation) -> [Action] {
        try ProtocolViolation.check(isAtRest, "A second offer came while the first was open.")
        if case .answered(let last) = state, offer.id <= last.id {
            throw ProtocolViolation(.unexpected, "An offer came with the number of an earlier one.")
        }
        state = .deciding(offer, isPending: false)
        return [.decide(offer)]
    }

    private mutating func receive(_ begin: Message.Begin) throws(ProtocolViolation) -> [Action] {
        guard transfer == nil else { throw ProtocolViolation(.unexpected, "A transfer began inside another.") }
        try ProtocolViolation.check(
            begin.transfer == nextTransfer, "Transfer \(begin.transfer) began where transfer \(nextTransfer) was due.")
        let item = try index(begin.item, offer: begin.offer)
        let (representation, isGivenUp) = try expected(item, begin.representation)
        let offered = answered.offer?.items[item].representations[representation]
        guard let offered, offered.channel == begin.channel else {
            throw ProtocolViolation(.unexpected, "A transfer began on another channel than the one offered.")
        }
        let terms = answered.items[item].terms
        try ProtocolViolation.check(
            begin.channel == .data || begin.asks == terms.asks,
            "A transfer contradicts the answer about whether present content is compared.")
        try ProtocolViolation.check(
            !begin.isWhole || terms.allowsWhole, "A file came on the session, which contradicts the answer.")
        try ProtocolViolation.check(nextTransfer < .max, .limit, "A session has more transfers than can be numbered.")
        nextTransfer += 1
        transfer = Transfer(
            number: begin.transfer, item: item, isSized: begin.size != nil,
            data: begin.channel == .data || begin.isWhole ? IncomingData(begin) : nil,
            isDiscarded: isGivenUp)
        answered.items[item].state = isGivenUp ? .settled : .arriving
        switch begin.channel {
        case .data: return isGivenUp ? [] : [.begin(item: item, begin)]
        case .file where begin.isWhole:
            return isGivenUp ? [] : [.beginWhole(item: item, begin, IncomingTree(begin, as: offered, terms: terms))]
        case .file:
            var tree = IncomingTree(begin, as: offered, terms: terms)
            if isGivenUp { tree.abandon() }
            return [.beginTree(item: item, begin, tree)]
        }
    }

    private mutating func receive(_ failed: Message.ExportFailed) throws(ProtocolViolation) -> [Action] {
        let item = try index(failed.item, offer: failed.offer)
        let (representation, isGivenUp) = try expected(item, failed.representation)
        answered.items[item].state = isGivenUp ? .settled : .unavailable
        return isGivenUp ? [] : [.produceFailed(item: item, representation: representation, failed.failure)]
    }

    private func receive(_ total: Message.Total) throws(ProtocolViolation) -> [Action] {
        guard let transfer, transfer.number == total.transfer, transfer.data == nil, !transfer.isSized,
            transfer.end == nil
        else { throw ProtocolViolation(.unexpected, "A total came for an item that is not a folder in transfer.") }
        return transfer.isDiscarded ? [] : [.total(item: transfer.item, total)]
    }

    private func receive(_ compare: Message.Compare) throws(ProtocolViolation) -> [Action] {
        guard let transfer, transfer.number == compare.transfer, transfer.data == nil, transfer.end == nil else {
            throw ProtocolViolation(.unexpected, "A question came about an item that is not a file in transfer.")
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
        answered.items[item].state = .arrived(whole: end.failure == nil)
        if let failure = end.failure { return [.aborted(item: item, failure)] }
        return [.complete(item: item, end)]
    }

    /// Returns an item of the open offer, by the sender's number for it.
    private func index(_ item: UInt32, offer: UInt64) throws(ProtocolViolation) -> Int {
        guard case .answered(let open) = state, open.id == offer else {
            throw ProtocolViolation(.unexpected, "The sender refers to an offer that was not answered.")
        }
        try ProtocolViolation.check(
            Int(item) < open.items.count, .badIndex, "The sender refers to an item that was not offered.")
        return Int(item)
    }

    /// Checks that this representation of the item is due; returns true if the item was given up meanwhile.
    private func expected(
        _ item: Int, _ representation: UInt32
    ) throws(ProtocolViolation) -> (representation: Int, isGivenUp: Bool) {
        try ProtocolViolation.check(
            Int(representation) < answered.items[item].representations, .badIndex,
            "The sender refers to a representation that was not offered.")
        switch answered.items[item].state {
        case .taken(let chosen) where chosen == Int(representation): return (chosen, false)
        case .givenUp(let chosen) where chosen == Int(representation): return (chosen, true)
        case .taken, .givenUp: throw ProtocolViolation(.unexpected, "A representation came that was not accepted.")
        case .arriving, .arrived, .unavailable, .settled:
            throw ProtocolViolation(.unexpected, "The sender refers to an item that is not due.")
        }
    }

    /// Checks the open transfer, which must be one of data, against its declaration.
    ///
    /// - Returns: its item; nil if that was given up.
    private mutating func inData(
        of number: UInt32, _ step: (inout IncomingData) throws(ProtocolViolation) -> Void
    ) throws(ProtocolViolation) -> Int? {
        guard let transfer, transfer.number == number else {
            throw ProtocolViolation(.unexpected, "The sender refers to transfer \(number), which is not open.")
        }
        guard var data = transfer.data else {
            throw ProtocolViolation(.unexpected, "Content came on the session that must come on lanes.")
        }
        try step(&data)
        self.transfer?.data = data
        return transfer.isDiscarded ? nil : transfer.item
    }
}

// MARK: - Calls of the owner

extension ReceivingMachine {
    /// Informs the sender that a person is being asked. Called at most once, before `answer`.
    package mutating func pending() -> [Action] {
        guard case .deciding(let offer, isPending: false) = state else {
            preconditionFailure("No offer waits for an answer")
        }
        state = .deciding(offer, isPending: true)
        return [.send(.pending(Message.Pending(offer: offer.id)))]
    }

    /// Answers the open offer: one decision for each of its items.
    ///
    /// - Parameters:
    ///   - terms: terms of accepted items, by item; items without terms are sent as new files.
    ///   - inline: items that use only the inline content.
    package mutating func answer(
        _ decisions: [ItemDecision], terms: [Int: LaneTerms] = [:], inline: Set<Int> = []
    ) -> [Action] {
        guard case .deciding(let offer, _) = state else { preconditionFailure("No offer waits for an answer") }
        precondition(decisions.count == offer.items.count, "An answer decides about every item")
        state = .answered(AnsweredOffer(offer))
        let choices = decisions.enumerated().map { item, decision in
            decide(item, decision, terms[item] ?? LaneTerms(), isInline: inline.contains(item))
        }
        let arrived = inline.sorted().map { arriveInline($0, of: offer, terms[$0] ?? LaneTerms()) }
        return [.answer(offer.id, choices)] + arrived + finishIfSettled()
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
        return [.answer(answered.id, [choice])] + finishIfSettled()
    }

    /// Notes that the tree of the ended transfer is complete; called once, after `.endTree`.
    package mutating func treeCompleted() -> [Action] {
        guard let transfer, let end = transfer.end else { preconditionFailure("No transfer on lanes has ended") }
        return concluded(transfer.isDiscarded ? nil : transfer.item, end)
    }

    /// Notes that the item is durably stored; called once, after `.complete`.
    package mutating func stored(_ item: Int, _ stored: StoredItem) -> [Action] {
        guard case .arrived(whole: true) = state(of: item) else { preconditionFailure("Item \(item) has not arrived") }
        answered.items[item].state = .settled
        return [.receipt(answered.id, item, .stored(stored))] + finishIfSettled()
    }

    /// Gives up an accepted item; called once, at any time after `answer`. Later payload of it must be discarded.
    package mutating func failed(_ item: Int, _ failure: StoringFailure) -> [Action] {
        switch state(of: item) {
        case .taken(let representation): answered.items[item].state = .givenUp(representation: representation)
        case .arriving:
            transfer?.isDiscarded = true
            answered.items[item].state = .settled
        case .arrived, .unavailable: answered.items[item].state = .settled
        case .givenUp, .settled: preconditionFailure("Item \(item) is not under way")
        }
        return [.receipt(answered.id, item, .failed(failure))] + finishIfSettled()
    }

    private mutating func arriveInline(_ item: Int, of offer: Offer, _ terms: LaneTerms) -> Action {
        let offered = offer.items[item]
        guard case .taken(let representation) = answered.items[item].state, let inline = offered.inline,
            inline.representation == representation, !terms.asks
        else { preconditionFailure("Nothing came of item \(item) with the offer that was taken") }
        answered.items[item].state = .arrived(whole: true)
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
        answered.decide(item, decision, terms)
        switch decision {
        case .take:
            allowsPayload = true
            return ItemChoice(item: UInt32(item), decision, terms: terms, isInline: isInline)
        case .decline, .stored: return ItemChoice(item: UInt32(item), decision)
        }
    }

    /// Returns the representations of an item that were chosen so far, for
    /// `Negotiation.choose(_:accepting:excluding:)`.
    package func tried(_ item: Int) -> Set<Int> {
        if case .answered(let offer) = state { offer.items[item].tried } else { [] }
    }

    private func state(of item: Int) -> AnsweredOffer.ItemState {
        guard case .answered(let offer) = state, offer.items.indices.contains(item) else {
            preconditionFailure("No answered offer has an item \(item)")
        }
        return offer.items[item].state
    }

    /// Releases an offer about which no more messages can come.
    private mutating func letGo() {
        if transfer == nil { answered.letGo() }
    }

    private mutating func finishIfSettled() -> [Action] {
        guard answered.finish() else { return [] }
        letGo()
        return [.finished(offer: answered.id)]
    }
}
