import DequeModule
import PortolanConcurrency
import PortolanProtocol

/// Run of an `OfferingRole`: makes offers one after the other, sends accepted content, and waits for the receipts.
struct OfferingRun {
    enum Input: Sendable {
        /// Message of a receiver.
        case message(Message)
        case order(OfferOrder)
        case began(transfer: UInt32)
        case exportFailed(transfer: UInt32, SourceFailure)
        case sentAll(transfer: UInt32, Message.End)
        case answerIsOverdue(offer: UInt64)
        /// Time to evaluate the receiver's standing and the progress again.
        case standingIsDue
        /// The lanes have been idle for so long that they are ended.
        case restIsDue
        case over(any Error)
        /// The peer has sent its end record.
        case peerEnded
    }

    /// Interval of evaluations of the receiver's standing while content is being sent.
    private static let standingInterval = Duration.seconds(1)
    /// Time after which idle lanes are ended.
    private static let rest = Duration.seconds(5)

    let session: Session
    let mailbox: Mailbox<Input>
    let lanes: OutgoingLanes
    /// Called before each offer is made.
    private let prepare: @Sendable () throws -> Void
    /// Called before an offer is sent.
    private let offerMade: @Sendable () -> Void
    /// Ends the session at once; the first cause counts.
    private let fail: @Sendable (any Error) -> Void
    /// The present offer, or the last one.
    private var machine: OfferingMachine?
    private var orders: Deque<OfferOrder> = []
    private var hasPeerEnded = false

    init(
        of session: Session, from mailbox: Mailbox<Input>, lanes: OutgoingLanes,
        prepare: @escaping @Sendable () throws -> Void, offerMade: @escaping @Sendable () -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.session = session
        self.mailbox = mailbox
        self.lanes = lanes
        self.prepare = prepare
        self.offerMade = offerMade
        self.fail = fail
    }

    /// Carries out orders until the session is over.
    ///
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of an offering.
    mutating func run() async throws {
        do {
            while true {
                while let order = orders.popFirst() { try await carryOut(order) }
                guard let input = try await nextAtRest() else { return }
                try await takeAtRest(input)
            }
        } catch {
            for order in orders { order.settle(.failure(error)) }
            throw error
        }
    }

    private func nextAtRest() async throws -> Input? {
        guard lanes.count > 0 else { return try await mailbox.next() }
        return try await session.alarms.with(
            Alarm(after: Self.rest) { [mailbox] in
                mailbox.post(.restIsDue)
                return false
            }
        ) {
            try await mailbox.next()
        }
    }

    /// Handles an input while no offer is open.
    private mutating func takeAtRest(_ input: Input) async throws {
        switch input {
        case .message(let message): try judgeLate(message)
        case .order(let order): orders.append(order)
        case .restIsDue:
            try await session.runtime.withBlockingThread { try lanes.end() }
        case .peerEnded: hasPeerEnded = true
        case .over(let error): throw error
        case .began, .exportFailed, .sentAll, .answerIsOverdue, .standingIsDue: break
        }
    }

    /// Checks a message that comes while no offer is open: it may only be about a finished transfer.
    private mutating func judgeLate(_ message: Message) throws(ProtocolViolation) {
        guard machine != nil else {
            switch message {
            case .wanted, .holding, .base:
                throw ProtocolViolation(.unexpected, "The receiver refers to a transfer, and none has begun.")
            default: throw ProtocolViolation(.badIndex, "The receiver refers to an offer that was never made.")
            }
        }
        _ = try machine?.receive(message)
    }

    // MARK: One offer

    private mutating func carryOut(_ order: OfferOrder) async throws {
        guard order.begin() else { return }
        guard !hasPeerEnded else { return order.settle(.failure(TransportError.endedUnanswered)) }
        let offering = order.offering
        let id = (machine?.offer.id ?? 0) + 1
        let made: (offer: Offer, inline: [Int: SentInline])?
        do {
            made = try await session.runtime.withBlockingThread {
                try prepare()
                return try offering.makeOffer(id, answering: order.request).map { bringingInline($0, order) }
            }
        } catch {
            // The session is as good as before.
            return order.settle(.failure(error))
        }
        guard let made else { return order.settle(.success(nil)) }
        do {
            let mailbox = mailbox
            let outcomes = try await session.alarms.with(
                Alarm(after: order.answerWait) {
                    mailbox.post(.answerIsOverdue(offer: id))
                    return false
                },
                Alarm(after: Self.standingInterval) {
                    mailbox.post(.standingIsDue)
                    return true
                }
            ) {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    defer { tasks.cancelAll() }
                    do {
                        return try await carryOut(made.offer, with: made.inline, of: order, &tasks)
                    } catch TransportError.endedUnanswered {
                        throw TransportError.endedUnanswered
                    } catch {
                        // Now, rather than after all tasks have ended: one of them may wait for a peer that reads
                        // nothing any more.
                        fail(error)
                        throw error
                    }
                }
            }
            order.settle(.success(outcomes))
        } catch TransportError.endedUnanswered {
            // The offer counts as never made.
            order.settle(.failure(TransportError.endedUnanswered))
        } catch {
            order.settle(.failure(error))
            throw error
        }
    }

    private mutating func carryOut(
        _ offer: Offer, with inline: [Int: SentInline], of order: OfferOrder,
        _ tasks: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> [ItemOutcome] {
        let offering = order.offering
        let parties = offering.deviceKey.map { ReceiptParties(receiver: session.peer.deviceKey, sender: $0) }
        var machine = OfferingMachine(
            offer: offer, firstTransfer: self.machine?.nextTransfer ?? 1, parties: parties)
        defer { self.machine = machine }
        var outcomes: [ItemOutcome?] = Array(repeating: nil, count: offer.items.count)
        var underWay: [UInt32: TransferUnderWay] = [:]
        var heard = 0
        var stall = order.manner.stallWait.map { StallWatch(patience: $0, now: session.runtime.now) }
        /// Representations that the peer may see, as evaluated for the current input.
        var seen: Set<OfferedPlace> = []
        var isAtWork = false
        defer { if isAtWork { session.workEnded() } }
        func work() {
            if !isAtWork { session.workBegan() }
            isAtWork = true
        }
        var actions = machine.start()
        while true {
            for action in actions {
                switch action {
                case .send(let message):
                    if case .offer = message {
                        offerMade()
                        order.hasOffered()
                    }
                    session.send(message)
                case .waiting:
                    offering.report(.waiting)
                case .tookInline(let item):
                    work()
                    if let sent = inline[item] { reportInline(item, sent, to: offering) }
                case .produce(let transfer):
                    work()
                    let begun = TransferUnderWay(transfer)
                    underWay = [transfer.number: begun]
                    let run = self
                    let isSeen = seen.contains(OfferedPlace(transfer.item, transfer.representation))
                    tasks.addTask {
                        await run.session.runtime.withBlockingThread {
                            await run.carry(transfer, of: offer, order, begun, isSeen: isSeen)
                        }
                    }
                case .stop(let number):
                    underWay[number]?.stop()
                case .wanted(let wanted):
                    try underWay[wanted.transfer]?.files?.receive(wanted)
                    session.progressed()
                case .holding(let holding):
                    try underWay[holding.transfer]?.files?.receive(holding)
                    session.progressed()
                case .base(let base):
                    try underWay[base.transfer]?.files?.receive(base)
                    session.progressed()
                case .settled(let item, let outcome):
                    session.progressed()
                    outcomes[item] = outcome
                    offering.report(.settled(item: item, outcome))
                case .finished:
                    return outcomes.compactMap(\.self)
                }
            }
            let next: Input?
            do {
                next = try await mailbox.next()
            } catch TransportError.closedByPeer(let close) {
                settleLastWords(in: &machine, offering)
                throw TransportError.closedByPeer(close)
            }
            guard let input = next else { throw CancellationError() }
            actions = []
            seen = []
            switch input {
            case .message(let message):
                heard += 1
                order.wasHeard()
                (actions, seen) = try await receive(message, offering, &machine)
            case .order(let order): orders.append(order)
            case .began(let number): machine.began(number)
            case .exportFailed(let number, let failure): actions = machine.exportFailed(number, failure)
            case .sentAll(let number, let end):
                // Sent from here, so that no receipt can overtake the report of the end.
                session.send(.end(end))
                actions = machine.ended(number, failure: end.failure)
            case .standingIsDue:
                // A small transfer is sent completely before the receiver can answer on a lane.
                try lanes.checkForRefusal()
                for begun in underWay.values { try await stopIfHidden(begun, offering) }
                let begun = underWay.values.first
                let sample = machine.isAnswered ? sample(of: begun, heard: heard) : nil
                let storing = begun?.isOver ?? true ? StallWatch.storingTime(of: lanes.sent) : .zero
                if stall?.isStalled(at: sample, now: session.runtime.now, allowing: storing) ?? false {
                    throw TransportError.stalled(seconds: Int(order.manner.stallWait?.components.seconds ?? 0))
                }
            case .answerIsOverdue(let id):
                if id == offer.id, !machine.isAnswered { throw TransportError.answerIsOverdue }
            case .restIsDue: break
            case .over(let error): throw error
            case .peerEnded:
                hasPeerEnded = true
                try machine.endOfInput()
                if !machine.isAnswered { throw TransportError.endedUnanswered }
            }
        }
    }

    /// Reports the receipts that came before the peer's Close, which has ended the mailbox.
    private mutating func settleLastWords(in machine: inout OfferingMachine, _ offering: any OfferSource) {
        for input in mailbox.drain() {
            switch input {
            case .order(let order): orders.append(order)
            case .message(.receipt(let receipt)):
                for case .settled(let item, let outcome) in (try? machine.receive(.receipt(receipt))) ?? [] {
                    offering.report(.settled(item: item, outcome))
                }
            default: break
            }
        }
    }

    /// Samples the progress of an answered offer; nil while this side is at work.
    ///
    /// - Parameter underWay: the transfer that was begun last; nil if there was none.
    private func sample(of underWay: TransferUnderWay?, heard: Int) -> StallWatch.Sample? {
        let sent = lanes.sent
        guard let underWay, !underWay.isOver else {
            return StallWatch.Sample(heard: heard, bytes: sent, queued: lanes.queued)
        }
        return underWay.progress.map {
            StallWatch.Sample(heard: heard, bytes: sent &+ $0, queued: lanes.queued)
        }
    }

    /// Stops the sending of content that the receiver may not see any more.
    private func stopIfHidden(_ underWay: TransferUnderWay, _ offering: any OfferSource) async throws {
        guard !underWay.isOver, !underWay.isStopped else { return }
        let place = OfferedPlace(underWay.item, underWay.representation)
        guard try await !session.runtime.withBlockingThread({ try offering.isSeen(place) }), underWay.stop() else {
            return
        }
        let sentence = await session.runtime.withBlockingThread { offering.withdrawal(of: place) }
        offering.report(.broke(item: place.item, representation: place.representation, sentence: sentence))
    }

    /// Handles a message of the receiver. Items that the peer may not see any more since the offer are treated as if
    /// they had never been offered.
    ///
    /// - Returns: the actions, and the visible part of an answer.
    private func receive(
        _ message: Message, _ offering: any OfferSource, _ machine: inout OfferingMachine
    ) async throws -> ([OfferingMachine.Action], seen: Set<OfferedPlace>) {
        guard case .answer(let answer) = message else { return (try machine.receive(message), []) }
        let chosen = Set(answer.choices.compactMap { machine.offer.place(of: $0) })
        let seen = try await session.runtime.withBlockingThread { try offering.seen(among: chosen) }
        let withdrawn = chosen.subtracting(seen)
        for place in withdrawn { machine.withdraw(item: place.item, representation: place.representation) }
        do {
            return (try machine.receive(message), seen)
        } catch {
            if withdrawn.isEmpty { throw error }
            throw TransportError.withdrawn
        }
    }
}

extension ItemDecision {
    /// Representation in which the item is accepted or was stored.
    fileprivate var representation: Int? {
        switch self {
        case .take(let representation), .stored(let representation, _): representation
        case .decline: nil
        }
    }
}

extension Offer {
    /// Returns the representation of a choice; nil if it does not exist.
    fileprivate func place(of choice: ItemChoice) -> OfferedPlace? {
        let item = Int(choice.item)
        guard let representation = choice.decision.representation, items.indices.contains(item),
            items[item].representations.indices.contains(representation)
        else { return nil }
        return OfferedPlace(item, representation)
    }
}
