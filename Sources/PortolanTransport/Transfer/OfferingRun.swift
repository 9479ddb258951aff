import PortolanFiles
import PortolanProtocol
import PortolanTrust
import Synchronization

/// What a session's offer is made of. Indices are the offer's.
package protocol Offering: Sendable {
    /// What the peer may see, now that the teams' rosters have been exchanged; nil if there is nothing to offer to it. May block.
    func makeOffer() throws -> Offer?

    /// Whether the peer may still see a representation that it asks for. May block.
    func maySee(item: Int, representation: Int) throws -> Bool

    /// Whether the peer may see, at this moment, a file or folder that is restricted so. May block.
    func maySee(_ restriction: Restriction) throws -> Bool

    /// The content of a representation that was taken.
    func produce(item: Int, representation: Int) async throws -> OfferedContent

    func report(_ event: OfferingEvent)
}

/// Carries out one offer on a session: exchanges the teams' rosters, shows the offer, produces what is taken, and waits for the receipts.
package struct OfferingRun: Sendable {
    private let session: Session
    private let ledger: any TeamLedger
    private let offering: any Offering
    private let answerWait: Duration
    private let manner: SendingManner
    private let lanes: OutgoingLanes

    /// - Parameter answerWait: how long the other side may take to decide.
    package init(
        _ offering: any Offering, on session: Session, ledger: any TeamLedger, answerWait: Duration,
        manner: SendingManner = SendingManner()
    ) {
        self.session = session
        self.ledger = ledger
        self.offering = offering
        self.answerWait = answerWait
        self.manner = manner
        lanes = OutgoingLanes(session)
    }

    /// Time between two evaluations of the receiver's standing while content is under way.
    private static let standingInterval = Duration.seconds(1)

    private enum Input: Sendable {
        case message(Message)
        case began(transfer: UInt32)
        case exportFailed(transfer: UInt32, SourceFailure)
        case sentAll(transfer: UInt32, Message.End)
        case answerIsOverdue
        /// The receiver's standing is to be evaluated again.
        case standingIsDue
        case over(any Error)
    }

    /// - Returns: what became of each item; nil if no offer was made.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and what `offering` throws. The session is closed then.
    package func run() async throws -> [ItemOutcome]? {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { await listen(feed) }
            do {
                var inputs = inputs.makeAsyncIterator()
                guard let offer = try await agreeOnOffer(&inputs) else { return nil }
                let wait = answerWait
                tasks.addTask {
                    try await Task.sleep(for: wait)
                    feed.yield(.answerIsOverdue)
                }
                tasks.addTask {
                    while true {
                        try await Task.sleep(for: Self.standingInterval)
                        feed.yield(.standingIsDue)
                    }
                }
                let outcomes = try await carryOut(offer, &inputs, feed, &tasks)
                try await endLanes()
                return outcomes
            } catch {
                // Now, and not when all tasks have ended: one of them may wait for a peer that takes nothing any more.
                session.close(because: error)
                throw error
            }
        }
    }

    /// A peer that reads nothing from a lane any more keeps it waiting.
    private func endLanes() async throws {
        try await withTaskCancellationHandler {
            try await withBlockingThread { try lanes.end() }
        } onCancel: {
            session.close(Message.Close(.cancelled))
        }
    }

    /// The rosters travel first, so that what the peer may see is decided by the newest.
    private func agreeOnOffer(_ inputs: inout AsyncStream<Input>.Iterator) async throws -> Offer? {
        try await TeamExchanging(session: session, ledger: ledger).run {
            guard case .message(let message)? = try await Self.next(&inputs) else { throw CancellationError() }
            return message
        }
        let offering = offering
        return try await withBlockingThread { try offering.makeOffer() }
    }

    private static func next(_ inputs: inout AsyncStream<Input>.Iterator) async throws -> Input? {
        let input = await inputs.next()
        if case .over(let error)? = input { throw error }
        return input
    }

    private func carryOut(
        _ offer: Offer, _ inputs: inout AsyncStream<Input>.Iterator, _ feed: AsyncStream<Input>.Continuation,
        _ tasks: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> [ItemOutcome] {
        var machine = OfferingMachine(offer: offer)
        var outcomes: [ItemOutcome?] = Array(repeating: nil, count: offer.items.count)
        var underWay: [UInt32: TransferUnderWay] = [:]
        var actions = machine.start()
        while true {
            for action in actions {
                switch action {
                case .send(let message):
                    session.send(message)
                    if case .offer = message { session.offerMade() }
                case .waiting:
                    offering.report(.waiting)
                case .produce(let transfer):
                    let begun = TransferUnderWay(transfer)
                    underWay = [transfer.number: begun]
                    tasks.addTask {
                        await withBlockingThread { await carry(transfer, of: offer, begun, feed) }
                    }
                case .stop(let number):
                    underWay[number]?.stop()
                case .wanted(let wanted):
                    try underWay[wanted.transfer]?.files?.receive(wanted)
                case .holding(let holding):
                    try underWay[holding.transfer]?.files?.receive(holding)
                case .settled(let item, let outcome):
                    outcomes[item] = outcome
                    offering.report(.settled(item: item, outcome))
                case .closed(let close):
                    throw TransportError.closedByPeer(close)
                case .finished:
                    return outcomes.compactMap(\.self)
                }
            }
            guard let input = try await Self.next(&inputs) else { throw CancellationError() }
            switch input {
            case .message(let message):
                actions = try await receive(message, &machine)
            case .began(let number):
                machine.began(number)
                actions = []
            case .exportFailed(let number, let failure):
                actions = machine.exportFailed(number, failure)
            case .sentAll(let number, let end):
                // Said from here, so that no receipt can overtake the news that it was.
                session.send(.end(end))
                actions = machine.ended(number, failure: end.failure)
            case .standingIsDue:
                for begun in underWay.values { try await stopIfHidden(begun, of: offer) }
                actions = []
            case .answerIsOverdue:
                if !machine.isAnswered { throw TransportError.answerIsOverdue }
                actions = []
            case .over:
                preconditionFailure("It was thrown")
            }
        }
    }

    /// Stops content under way that the receiver may not see any more.
    private func stopIfHidden(_ underWay: TransferUnderWay, of offer: Offer) async throws {
        guard !underWay.isOver, !underWay.isStopped else { return }
        let (item, representation) = (underWay.item, underWay.representation)
        let offering = offering
        guard try await !withLookupThread({ try offering.maySee(item: item, representation: representation) }),
            underWay.stop()
        else { return }
        offering.report(
            .broke(item: item, representation: representation, sentence: TransportError.withdrawn.description))
    }

    /// What the peer has lost the right to see since it was offered is answered as if it had never been.
    private func receive(
        _ message: Message, _ machine: inout OfferingMachine
    ) async throws -> [OfferingMachine.Action] {
        guard case .answer(let answer) = message else { return try machine.receive(message) }
        let offering = offering
        let offer = machine.offer
        let withdrawn = try await withLookupThread {
            try answer.choices.filter { choice in
                guard case .take(let representation) = choice.decision, offer.holds(choice.item, representation)
                else { return false }
                return try !offering.maySee(item: Int(choice.item), representation: representation)
            }
        }
        for choice in withdrawn {
            guard case .take(let representation) = choice.decision else { continue }
            machine.withdraw(item: Int(choice.item), representation: representation)
        }
        do {
            return try machine.receive(message)
        } catch {
            if withdrawn.isEmpty { throw error }
            throw TransportError.withdrawn
        }
    }

    private func listen(_ feed: AsyncStream<Input>.Continuation) async {
        do {
            var dialogue = session.dialogue()
            while let message = try await dialogue.next() { feed.yield(.message(message)) }
            throw ProtocolViolation(.unexpected, "The receiver ended the session before every item was settled.")
        } catch {
            feed.yield(.over(error))
        }
    }

    /// Produces and sends one representation.
    private func carry(
        _ transfer: OutgoingTransfer, of offer: Offer, _ underWay: TransferUnderWay,
        _ feed: AsyncStream<Input>.Continuation
    ) async {
        defer { underWay.end() }
        let number = transfer.number
        let item = transfer.item
        let representation = transfer.representation
        let content: OfferedContent
        do {
            // Waiting for its turn, and producing it, may each take long.
            guard try offering.maySee(item: item, representation: representation) else {
                feed.yield(.exportFailed(transfer: number, .cancelled))
                return
            }
            content = try await offering.produce(item: item, representation: representation)
            guard !underWay.isStopped, try offering.maySee(item: item, representation: representation) else {
                feed.yield(.exportFailed(transfer: number, .cancelled))
                return
            }
        } catch {
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
            feed.yield(.exportFailed(transfer: number, Self.failure(for: error)))
            return
        }
        var sending = ContentSending(
            transfer, of: offer.items[item].representations[representation], on: session, lanes, manner, underWay,
            filter: Self.filter(by: offering), report: { offering.report($0) },
            began: { feed.yield(.began(transfer: number)) })
        do {
            let (end, failure) = try await sending.send(content)
            if let failure { reportTrouble(failure) }
            feed.yield(.sentAll(transfer: number, end))
        } catch {
            reportTrouble(error)
            let failure = underWay.isStopped ? .cancelled : Self.failure(for: error)
            switch sending.breakOff(failure) {
            case .notBegun: feed.yield(.exportFailed(transfer: number, failure))
            case .end(let end): feed.yield(.sentAll(transfer: number, end))
            case .lanesAreBroken: feed.yield(.over(error))
            }
        }

        func reportTrouble(_ error: any Error) {
            // A connection that is gone says nothing of the representation.
            if underWay.isStopped || error is TransportError { return }
            offering.report(.broke(item: item, representation: representation, sentence: "\(error)"))
        }
    }

    private static func filter(by offering: any Offering) -> SourceFilter {
        { restriction throws(FileError) in
            do {
                return try offering.maySee(restriction)
            } catch {
                throw FileError(.unreadable, "Whether the receiver may see a part of it cannot be found out: \(error)")
            }
        }
    }

    private static func failure(for error: any Error) -> SourceFailure {
        switch error {
        case let error as FileError: error.kind == .sourceChanged ? .changed : .unreadable
        case is CancellationError: .cancelled
        default: .export
        }
    }
}

extension Offer {
    /// Whether there is a representation at this place.
    fileprivate func holds(_ item: UInt32, _ representation: Int) -> Bool {
        Int(item) < items.count && representation < items[Int(item)].representations.count
    }
}

/// A transfer that is being sent: the one place where others reach it.
final class TransferUnderWay: Sendable {
    let item: Int
    let representation: Int
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var isOver = false
        var files: FileSending?
    }

    init(_ transfer: OutgoingTransfer) {
        item = transfer.item
        representation = transfer.representation
    }

    /// Whether nothing more of it will be sent.
    var isOver: Bool { state.withLock(\.isOver) }

    func end() { state.withLock { $0.isOver = true } }

    /// What sends it, if it goes on lanes and has begun.
    var files: FileSending? { state.withLock(\.files) }

    /// Whether nobody wants the rest of it.
    var isStopped: Bool { state.withLock(\.isStopped) || Task.isCancelled }

    func begin(_ files: FileSending) {
        let isStopped = state.withLock { state in
            state.files = files
            return state.isStopped
        }
        if isStopped { files.stop() }
    }

    /// - Returns: false if it was over, or stopped before.
    @discardableResult
    func stop() -> Bool {
        let (isFirst, files) = state.withLock { state in
            defer { state.isStopped = true }
            return (!state.isStopped && !state.isOver, state.files)
        }
        files?.stop()
        return isFirst
    }
}
