/// Sender's side of one offer: from its first message to the outcome of every item.
///
/// Messages and events go in, actions come out; it holds one small state per item and does no I/O. It takes messages of
/// the route `.offering` and knows nothing of the other direction of the session, nor of the connection. Violations by
/// the receiver throw; misuse by the owner traps.
///
/// ```swift
/// var machine = OfferingMachine(offer: visible.offer)
/// perform(machine.start())
/// // an answer arrives:  machine.withdraw(…) items that the receiver may not see any more; then as any message
/// // a message arrives:  perform(try machine.receive(message))
/// // the end record comes: try machine.endOfInput(). An offer that was not answered counts as never made
/// // .produce(transfer): run the exporter. If it fails: perform(machine.exportFailed(transfer.number, …)).
/// //   Else see OutgoingTransfer: began(…) when Begin was sent, ended(…) when End was.
/// //   What comes with .wanted, .holding and .base is for the OutgoingTree of files.
/// // .stop(number): stop producing or sending that one; call exportFailed or ended as above, with .cancelled.
/// ```
package struct OfferingMachine: Sendable {
    package enum Action: Sendable {
        case send(Message)
        /// The receiver's user is being asked, so no time limit applies.
        case waiting
        /// The receiver takes this representation: produce it, and send it. One at a time.
        case produce(OutgoingTransfer)
        /// The receiver accepts the content of this item that was sent with the offer.
        case tookInline(item: Int)
        /// Receiver's decisions about the current transfer, for its `OutgoingTree`.
        case wanted(Message.Wanted)
        case holding(Message.Holding)
        case base(Message.Base)
        /// The receiver cannot use the current transfer; end it.
        case stop(transfer: UInt32)
        /// The outcome of an item is known.
        case settled(item: Int, ItemOutcome)
        /// The outcome of every item is known, and no transfer is running.
        case finished
    }

    private enum ItemState {
        /// The receiver has not decided.
        case unanswered
        /// Accepted; waits for its turn.
        case queued(representation: Int)
        /// Being produced; the receiver has not been informed yet.
        case producing(representation: Int)
        /// We have sent Begin and not yet End.
        case sending(representation: Int)
        /// We have sent ExportFailed; the receiver owes another choice.
        case awaitingChoice
        /// We have sent End; the receiver owes a receipt or another choice.
        case awaitingReceipt(representation: Int, whole: Bool)
        case settled
        /// The receiver had not decided when all of it was withdrawn: as if it had never been there.
        case withdrawn
    }

    private struct Item {
        var state = ItemState.unanswered
        /// Representations that were chosen before; none is chosen twice.
        var tried: UInt32 = 0
        /// Withdrawn representations.
        var withdrawn: UInt32 = 0
        var lastFailure: SourceFailure?
        /// Terms of the accepted item.
        var terms = LaneTerms()
        /// Representation whose content was sent with the offer.
        let inline: Int?

        init(_ offered: OfferedItem) { inline = offered.inline?.representation }

        var isOffered: Bool { if case .withdrawn = state { false } else { true } }

        var isOver: Bool {
            switch state {
            case .settled, .withdrawn: true
            case .unanswered, .queued, .producing, .sending, .awaitingChoice, .awaitingReceipt: false
            }
        }

        func hasWithdrawn(_ representation: Int) -> Bool { withdrawn & 1 << representation != 0 }
    }

    private struct Current {
        let item: Int
        let number: UInt32
        var hasBegun = false
    }

    /// The inline content is removed once it was sent: a session may last.
    package private(set) var offer: Offer
    private var items: [Item]
    /// True if the receiver has decided about every item.
    package private(set) var isAnswered = false
    private var isPending = false
    private var hasFinished = false
    private var current: Current?
    /// The number that the next transfer of the session gets, for the machine of the next offer.
    package private(set) var nextTransfer: UInt32
    /// Devices of the session, to check signed receipts; nil leaves these out.
    private let parties: ReceiptParties?

    /// - Parameter parties: devices of the session; nil leaves out signed receipts.
    package init(offer: Offer, firstTransfer: UInt32 = 1, parties: ReceiptParties? = nil) {
        self.offer = offer
        self.parties = parties
        items = offer.items.map(Item.init)
        nextTransfer = firstTransfer
    }

    /// Shows the offer.
    package mutating func start() -> [Action] {
        defer { offer = offer.withoutInline }
        return [.send(.offer(offer))]
    }

    /// Takes a message of the route `.offering`.
    package mutating func receive(_ message: Message) throws(ProtocolViolation) -> [Action] {
        switch message {
        case .answer(let answer): return try receive(answer)
        case .receipt(let receipt): return try receive(receipt)
        case .pending(let pending):
            try checkOffer(pending.offer)
            try ProtocolViolation.check(
                !isAnswered && !isPending, "The receiver sent a second Pending, or one after its answer.")
            isPending = true
            return [.waiting]
        case .wanted(let wanted): return try isUnderWay(wanted.transfer) ? [.wanted(wanted)] : []
        case .holding(let holding): return try isUnderWay(holding.transfer) ? [.holding(holding)] : []
        case .base(let base): return try isUnderWay(base.transfer) ? [.base(base)] : []
        default:
            preconditionFailure("\(message.name) is not about an offer of this side")
        }
    }

    /// Notes the receiver's end record, which is its last message. Without an answer before, offer and end record have
    /// crossed.
    ///
    /// A transfer of an item that the receiver gave up may still be running here, and must be ended.
    package func endOfInput() throws(ProtocolViolation) {
        try ProtocolViolation.check(
            !isAnswered || items.allSatisfy(\.isOver),
            "The receiver ended the session before it reported the outcome of every item.")
    }
}

// MARK: - Messages of the receiver

extension OfferingMachine {
    private mutating func receive(_ answer: Message.Answer) throws(ProtocolViolation) -> [Action] {
        try checkOffer(answer.offer)
        for choice in answer.choices { try check(choice) }
        if isAnswered {
            for choice in answer.choices { try checkIsOwed(choice) }
        } else if answer.choices.count != items.count(where: \.isOffered) {
            throw ProtocolViolation(.unexpected, "The receiver's first answer does not decide about every item.")
        }
        isAnswered = true
        var actions: [Action] = []
        for choice in answer.choices {
            let index = Int(choice.item)
            switch choice.decision {
            case .take(let representation):
                items[index].tried |= 1 << representation
                items[index].terms = choice.terms
                if choice.isInline {
                    items[index].state = .awaitingReceipt(representation: representation, whole: true)
                    actions.append(.tookInline(item: index))
                } else {
                    items[index].state = .queued(representation: representation)
                }
            case .decline(let decline):
                actions.append(settle(index, .declined(decline, after: items[index].lastFailure)))
            case .stored(let representation, let stored):
                let verified = stored.with(verifiedReceipt(stored))
                actions.append(settle(index, .stored(verified, representation: representation)))
            }
        }
        return actions + proceed()
    }

    /// Checks a choice. Items hidden from this receiver have no index, so this one check covers hidden, withdrawn and
    /// nonexistent ones.
    private func check(_ choice: ItemChoice) throws(ProtocolViolation) {
        let item = try index(choice.item)
        let representation: Int
        switch choice.decision {
        case .take(let taken): representation = taken
        case .stored(let taken, _): representation = taken
        case .decline: return
        }
        guard representation < offer.items[item].representations.count, !items[item].hasWithdrawn(representation)
        else { throw Self.notOffered }
        if case .stored = choice.decision, isAnswered || offer.parcel == nil || choice.terms.asks || choice.isInline {
            throw ProtocolViolation(
                .unexpected, "The receiver reports an item as stored earlier that it cannot have received before.")
        }
        if case .stored(_, let stored) = choice.decision { try checkSigned(stored, item) }
        // A file without a source, such as a stream, is stored whole: the sender cannot wait for decisions about it.
        let taken = offer.items[item].representations[representation]
        try ProtocolViolation.check(
            !choice.terms.asks || taken.channel != .file || !taken.source.isEmpty,
            "The receiver asks about a file that has no source, such as a stream.")
        try ProtocolViolation.check(
            !choice.isInline || !isAnswered && items[item].inline == representation && !choice.terms.asks,
            "The receiver accepted inline content that the offer does not contain.")
    }

    private func index(_ item: UInt32) throws(ProtocolViolation) -> Int {
        guard Int(item) < items.count, items[Int(item)].isOffered else { throw Self.notOffered }
        return Int(item)
    }

    private static let notOffered = ProtocolViolation(
        .badIndex, "The receiver asked for an item or a representation that was not offered.")

    private func checkIsOwed(_ choice: ItemChoice) throws(ProtocolViolation) {
        let item = items[Int(choice.item)]
        switch (item.state, choice.decision) {
        case (.awaitingChoice, .decline): return
        case (.awaitingChoice, .take(let representation)), (.awaitingReceipt, .take(let representation)):
            try ProtocolViolation.check(
                item.tried & 1 << representation == 0,
                "The receiver chose a representation again that it had chosen before.")
        case (.unanswered, _), (.queued, _), (.producing, _), (.sending, _), (.settled, _), (.withdrawn, _),
            (.awaitingReceipt, .decline), (.awaitingChoice, .stored), (.awaitingReceipt, .stored):
            throw ProtocolViolation(.unexpected, "The receiver decided about an item when no decision was due.")
        }
    }

    private mutating func receive(_ receipt: Message.Receipt) throws(ProtocolViolation) -> [Action] {
        try checkOffer(receipt.offer)
        let index = try index(receipt.item)
        var actions: [Action] = []
        switch (items[index].state, receipt.outcome) {
        case (.awaitingReceipt(let representation, whole: true), .stored(let stored)):
            try checkSigned(stored, index)
            actions = [settle(index, .stored(stored.with(verifiedReceipt(stored)), representation: representation))]
        case (.producing, .failed(let failure)), (.sending, .failed(let failure)):
            actions = [settle(index, .failed(failure, after: items[index].lastFailure))]
            if let current { actions.append(.stop(transfer: current.number)) }
        case (.queued, .failed(let failure)), (.awaitingChoice, .failed(let failure)),
            (.awaitingReceipt, .failed(let failure)):
            actions = [settle(index, .failed(failure, after: items[index].lastFailure))]
        case (_, .stored):
            throw ProtocolViolation(.unexpected, "The receiver reports an item as stored that was not sent completely.")
        case (.unanswered, _), (.settled, _), (.withdrawn, _):
            throw ProtocolViolation(
                .unexpected, "The receiver sent a receipt for an item that it had not accepted, or a second receipt.")
        }
        return actions + proceed()
    }

    private func checkSigned(_ stored: StoredItem, _ index: Int) throws(ProtocolViolation) {
        try parties?.check(stored, parcel: offer.parcel, item: offer.items[index].parcelItem)
    }

    /// Returns the receiver's signed receipt, once that is checked.
    private func verifiedReceipt(_ stored: StoredItem) -> DeliveryReceipt? { parties == nil ? nil : stored.receipt }

    /// Returns true if it is the current transfer; false if it ended before the receiver knew.
    private func isUnderWay(_ transfer: UInt32) throws(ProtocolViolation) -> Bool {
        try ProtocolViolation.check(
            transfer > 0 && transfer < nextTransfer, "The receiver refers to transfer \(transfer), which has not begun."
        )
        return current?.number == transfer
    }

    private func checkOffer(_ id: UInt64) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            id == offer.id && items.contains(where: \.isOffered), .badIndex,
            "The receiver refers to an offer that was never made.")
    }

    private mutating func settle(_ index: Int, _ outcome: ItemOutcome) -> Action {
        items[index].state = .settled
        return .settled(item: index, outcome)
    }
}

// MARK: - Calls of the owner

extension OfferingMachine {
    /// Withdraws a representation that the receiver may not see any more; may be repeated.
    ///
    /// A later choice of it counts as a choice of a representation that was never offered. An item without another
    /// representation is withdrawn, unless the receiver has decided about it; an offer without items is withdrawn, too.
    /// An accepted representation that was not handed out yet is not produced: the receiver gets the message that the
    /// export was cancelled, and may choose again.
    package mutating func withdraw(item: Int, representation: Int) {
        let count = offer.items[item].representations.count
        precondition((0..<count).contains(representation), "Nothing of that index was offered")
        items[item].withdrawn |= 1 << representation
        if case .unanswered = items[item].state, items[item].withdrawn.nonzeroBitCount == count {
            items[item].state = .withdrawn
        }
    }

    /// Notes that the representation could not be produced, and Begin was not sent.
    package mutating func exportFailed(_ transfer: UInt32, _ failure: SourceFailure) -> [Action] {
        let item = finishCurrent(transfer, begun: false)
        // A settled item means that the receiver gave it up meanwhile, and awaits nothing.
        guard case .producing(let representation) = items[item].state else { return proceed() }
        return [askAgain(item, representation, failure)] + proceed()
    }

    private mutating func askAgain(_ item: Int, _ representation: Int, _ failure: SourceFailure) -> Action {
        items[item].state = .awaitingChoice
        items[item].lastFailure = failure
        let failed = Message.ExportFailed(
            offer: offer.id, item: UInt32(item), representation: UInt32(representation), failure: failure)
        return .send(.exportFailed(failed))
    }

    /// Notes that Begin was sent.
    package mutating func began(_ transfer: UInt32) {
        guard let begun = current, begun.number == transfer, !begun.hasBegun else {
            preconditionFailure("Begin for a transfer that was not handed out")
        }
        current?.hasBegun = true
        nextTransfer += 1
        if case .producing(let representation) = items[begun.item].state {
            items[begun.item].state = .sending(representation: representation)
        }
    }

    /// Notes that End was sent, with this failure.
    package mutating func ended(_ transfer: UInt32, failure: SourceFailure?) -> [Action] {
        let item = finishCurrent(transfer, begun: true)
        if case .sending(let representation) = items[item].state {
            items[item].state = .awaitingReceipt(representation: representation, whole: failure == nil)
            items[item].lastFailure = failure ?? items[item].lastFailure
        }
        return proceed()
    }

    private mutating func finishCurrent(_ transfer: UInt32, begun: Bool) -> Int {
        guard let current, current.number == transfer, current.hasBegun == begun else {
            preconditionFailure("A transfer ended that was not under way")
        }
        self.current = nil
        return current.item
    }

    /// Hands out the next representation, or finishes if all is done.
    private mutating func proceed() -> [Action] {
        guard current == nil, isAnswered else { return [] }
        var actions: [Action] = []
        for index in items.indices {
            guard case .queued(let representation) = items[index].state else { continue }
            guard !items[index].hasWithdrawn(representation) else {
                actions.append(askAgain(index, representation, .cancelled))
                continue
            }
            items[index].state = .producing(representation: representation)
            current = Current(item: index, number: nextTransfer)
            let transfer = OutgoingTransfer(
                number: nextTransfer, offer: offer.id, item: index, representation: representation,
                as: offer.items[index].representations[representation], terms: items[index].terms)
            return actions + [.produce(transfer)]
        }
        guard !hasFinished, items.allSatisfy(\.isOver) else { return actions }
        hasFinished = true
        return actions + [.finished]
    }
}

/// Outcome of an offered item.
public enum ItemOutcome: Hashable, Sendable {
    /// The receiver has durably stored it, in this representation of the offer.
    case stored(StoredItem, representation: Int)
    /// The receiver declined the item; `after` is the failure to produce its earlier choice, if it had one.
    case declined(Decline, after: SourceFailure?)
    /// The receiver accepted the item but has not stored it; `after` is the failure on this side, if there was one.
    case failed(StoringFailure, after: SourceFailure?)
}
