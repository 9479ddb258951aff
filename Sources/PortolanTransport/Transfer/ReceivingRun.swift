import NIOCore
import PortolanFiles
import PortolanProtocol
import PortolanTrust

/// Receives what comes on a session: has offers decided, takes in items, sends receipts.
///
/// Messages and data come on the session itself; files and folders come on its lanes, whose threads store what they bring.
package struct ReceivingRun {
    private let session: Session
    private let receiver: any ItemReceiver
    private let lanes: IncomingLanes
    private let pacing: Pacing?
    private let sender: SenderCheck
    private var machine = ReceivingMachine()
    private var offer: Offer?
    private var arriving: Arriving?
    /// Items that came whole and wait for the others of their offer, with the representation that was taken.
    private var waiting: [Int: Int] = [:]

    private struct Arriving {
        let item: Int
        let representation: Int
        let sink: any ItemSink
        /// Of data, which comes on the session.
        var bytes: UInt64 = 0
        var nextReport = ContinuousClock.now
    }

    /// - Parameters:
    ///   - pacing: how fast what comes may come.
    ///   - checkSender: throws if the peer may send nothing any more, `TransportError.notEntitled`, or if that cannot be found
    ///     out. Called at each offer, answer, Begin and publication, and once a second. May block for a disk.
    ///   - makeReceiver: called when the teams' rosters have been exchanged, so that what it finds out about the peer is of
    ///     now. If it throws, the session is closed.
    package static func run(
        on session: Session, ledger: any TeamLedger, pacing: Pacing? = nil,
        checkSender: @escaping @Sendable () throws -> Void,
        receiver makeReceiver: @Sendable () async throws -> any ItemReceiver
    ) async throws {
        var dialogue = session.dialogue()
        let lanes = IncomingLanes(of: session, pacing)
        do {
            // Until the peer's standing is known, nothing waits for a thread on which items' files are stored.
            try await TeamExchanging(session: session, ledger: ledger).run { try await dialogue.next() }
            let receiver = try await withLookupThread { try await makeReceiver() }
            let sender = SenderCheck(checkSender)
            var run = ReceivingRun(session: session, receiver: receiver, lanes: lanes, pacing: pacing, sender: sender)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                // Not on the thread of the item, which a disk may hold.
                tasks.addTask(executorPreference: globalConcurrentExecutor) { await lanes.watchForSilence() }
                tasks.addTask(executorPreference: globalConcurrentExecutor) {
                    await sender.poll { error in
                        lanes.refuse(error)
                        session.nudge()
                    }
                }
                defer { tasks.cancelAll() }
                try await BlockingThreads.forItems.run {
                    // On the thread of the item, because it looks at the disk.
                    async let _ = lanes.watchForStop()
                    try await run.runToItsEnd(&dialogue.records)
                }
            }
        } catch {
            // An error of a lane says more than the end of the session that it causes.
            let error = lanes.breakage ?? error
            if error is CancellationError {
                session.close(Message.Close(.goingAway))
            } else {
                session.close(because: error)
            }
            throw error
        }
    }

    /// No lane is at work any more when it returns or throws.
    private mutating func runToItsEnd(_ records: inout SessionHandler.Records.AsyncIterator) async throws {
        do {
            try await run(&records)
        } catch TransportError.notEntitled(let sentence) {
            refuseUnsettled(sentence)
            // Before the lanes end, so that the sender learns the reason first.
            session.close(Message.Close(.notTrusted))
            await lanes.stop()
            drop()
            throw TransportError.notEntitled(sentence)
        } catch {
            await lanes.stop()
            suspend()
            throw error
        }
        await lanes.stop()
    }

    private init(
        session: Session, receiver: any ItemReceiver, lanes: IncomingLanes, pacing: Pacing?, sender: SenderCheck
    ) {
        self.session = session
        self.receiver = receiver
        self.lanes = lanes
        self.pacing = pacing
        self.sender = sender
    }

    private mutating func run(_ records: inout SessionHandler.Records.AsyncIterator) async throws {
        while let record = try await records.next() {
            switch record.type {
            case .control where record.isNudge:
                try sender.requireNotLost()
                if let trouble = lanes.takeTrouble(), let item = arriving?.item {
                    try await perform(fail(item, trouble))
                }
            case .control:
                try await perform(machine.receive(Message(decoding: record.body.readableBytesView)))
            case .payload:
                try await takePayload(record)
                session.recycle(record)
            case .end:
                break
            case .tree, .packed:
                preconditionFailure("The records of lanes are refused on a session")
            }
        }
        try Task.checkCancellation()
        try machine.endOfInput()
        await session.finish()
    }

    private mutating func perform(_ actions: [ReceivingMachine.Action]) async throws {
        var actions = actions[...]
        while let action = try await next(&actions) {
            switch action {
            case .send(let message):
                session.send(message)
            case .decide(let offer):
                self.offer = offer
                session.offerMade()
                actions += try await decide(on: offer)
                if machine.allowsPayload { session.allowPayload() }
            case .begin(let item, let begin):
                try sender.confirm()
                actions += take(begin, of: item)
            case .beginTree(let item, let begin, let tree):
                try sender.confirm()
                actions += take(begin, tree, of: item)
            case .total(let item, let total):
                receiver.report(.found(item: item, bytes: total.bytes, isAll: total.isFinal))
            case .endTree(let end):
                try sender.requireNotLost()
                try await lanes.end(end)
                if let trouble = lanes.takeTrouble(), let item = arriving?.item { actions += fail(item, trouble) }
                actions += machine.treeCompleted()
            case .complete(let item, let end):
                try sender.confirm()
                actions += await complete(item, end)
            case .aborted(let item, let failure):
                suspend()
                actions += chooseAgain(item, because: StoringFailure(.source), failure.sentence)
            case .produceFailed(let item, _, let failure):
                actions += chooseAgain(item, because: StoringFailure(.source), failure.sentence)
            case .finished:
                break
            case .closed(let close):
                throw TransportError.closedByPeer(close)
            }
        }
    }

    /// The next thing to do; what waits for the rest of its offer is concluded when nothing else is left to do.
    private mutating func next(
        _ actions: inout ArraySlice<ReceivingMachine.Action>
    ) async throws -> ReceivingMachine.Action? {
        if let action = actions.popFirst() { return action }
        guard !waiting.isEmpty, machine.isDue(onlyFor: Set(waiting.keys)) else { return nil }
        try sender.confirm()
        actions += await conclude()
        return actions.popFirst()
    }

    private mutating func conclude() async -> [ReceivingMachine.Action] {
        let items = waiting.keys.sorted()
        let representations = waiting
        waiting = [:]
        let verdicts = await receiver.conclude(items)
        return zip(items, verdicts).flatMap { item, verdict in
            switch verdict {
            case .success(let stored):
                receiver.report(.stored(item: item, representation: representations[item] ?? 0, stored))
                return machine.stored(item, stored)
            case .failure(let refusal):
                receiver.report(.failed(item: item, sentence: "\(refusal)"))
                return machine.failed(item, StoringFailure(.refused, detail: "\(refusal)"))
            }
        }
    }

    // MARK: Deciding

    /// Asks for decisions, tells the sender when that takes a moment, and gives up when the sender does.
    ///
    /// The sender's standing is evaluated before and after: a person may take hours.
    private mutating func decide(on offer: Offer) async throws -> [ReceivingMachine.Action] {
        try sender.confirm()
        enum Outcome: Sendable {
            case decided([ItemDecision])
            case takesAMoment
            case senderIsGone
        }
        let session = session
        let receiver = receiver
        return try await withThrowingTaskGroup(of: Outcome.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { .decided(await receiver.decide(on: offer)) }
            tasks.addTask {
                await session.waitUntilClosed()
                return .senderIsGone
            }
            tasks.addTask {
                try? await Task.sleep(for: .milliseconds(300))
                return .takesAMoment
            }
            while let outcome = try await tasks.next() {
                switch outcome {
                case .decided(let decisions):
                    try sender.confirm()
                    return machine.answer(decisions, terms: terms(for: decisions, of: offer))
                case .takesAMoment:
                    if case .send(let message)? = machine.pending().first { session.send(message) }
                case .senderIsGone:
                    try Task.checkCancellation()
                    throw TransportError.senderLeft
                }
            }
            throw CancellationError()
        }
    }

    /// How the files and folders among what is taken are to come. Lanes are let in from here on.
    private func terms(for decisions: [ItemDecision], of offer: Offer, from first: Int = 0) -> [Int: LaneTerms] {
        var terms: [Int: LaneTerms] = [:]
        for (index, decision) in decisions.enumerated() {
            let item = first + index
            guard case .take(let representation) = decision,
                offer.items[item].representations[representation].channel == .file
            else { continue }
            let wish = receiver.terms(item: item, representation: representation, of: offer.items[item])
            terms[item] = LaneTerms(asks: wish.asks, isInOrder: wish.isInOrder, lanes: IncomingLanes.limit)
        }
        if !terms.isEmpty { lanes.open() }
        return terms
    }

    /// Another representation, if there is one that may serve.
    private mutating func chooseAgain(
        _ item: Int, because failure: StoringFailure, _ sentence: String
    ) -> [ReceivingMachine.Action] {
        if let offer, let other = receiver.choose(from: offer.items[item], excluding: machine.tried(item)) {
            let terms = terms(for: [.take(representation: other)], of: offer, from: item)
            return machine.answerAgain(item, .take(representation: other), terms: terms[item] ?? LaneTerms())
        }
        receiver.report(.failed(item: item, sentence: sentence))
        return machine.failed(item, failure)
    }

    // MARK: Arriving

    private mutating func take(
        _ begin: Message.Begin, _ tree: IncomingTree? = nil, of item: Int
    ) -> [ReceivingMachine.Action] {
        guard let offered = offer?.items[item] else { preconditionFailure("An item began without an offer") }
        let representation = Int(begin.representation)
        let receiver = receiver
        guard tree?.isAbandoned != true else {
            if let tree { lanes.begin(FileReceiving(dropping: tree, on: session)) }
            return []
        }
        do {
            let bounds = ItemBounds(
                accepted: offered.representations[representation], sizeLimit: receiver.sizeLimit)
            try bounds.check(begin)
            let sink = BoundedSink(
                try receiver.receive(item: item, offered.representations[representation], of: offered, as: begin),
                bounds, channel: begin.channel)
            arriving = Arriving(item: item, representation: representation, sink: sink)
            receiver.report(.began(item: item, representation: representation, size: begin.size))
            if let tree {
                lanes.begin(
                    FileReceiving(tree, into: sink, on: session) { advance in
                        receiver.report(.received(item: item, advance))
                    })
            }
            return []
        } catch {
            if let tree { lanes.begin(FileReceiving(dropping: tree, on: session)) }
            return fail(item, error)
        }
    }

    private mutating func takePayload(_ record: Record) async throws {
        try sender.requireNotLost()
        let actions = try record.body.withUnsafeReadableBytes { bytes -> [ReceivingMachine.Action] in
            let header = try PayloadHeader(decoding: bytes)
            let data = UnsafeRawBufferPointer(rebasing: bytes[PayloadHeader.length...])
            try pacing?.wait(for: data.count) { try Task.checkCancellation() }
            guard case .write(let item) = try machine.payload(header, count: data.count) else { return [] }
            defer { countReceived(data.count) }
            return try attempt(item) { try $0.write(header.entry, at: header.offset, data) }
        }
        try await perform(actions)
    }

    private mutating func countReceived(_ count: Int) {
        guard var current = arriving else { return }
        current.bytes += UInt64(count)
        let now = ContinuousClock.now
        if now >= current.nextReport {
            current.nextReport = now + .milliseconds(100)
            let advance = Advance(done: current.bytes, transferred: current.bytes)
            receiver.report(.received(item: current.item, advance))
        }
        arriving = current
    }

    /// One step of storing; if it fails, the item is given up and the sender told at once.
    private mutating func attempt(
        _ item: Int, _ step: (any ItemSink) throws -> Void
    ) throws(CancellationError) -> [ReceivingMachine.Action] {
        guard let current = arriving else { return [] }
        do {
            try step(current.sink)
            return []
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return fail(item, error)
        }
    }

    private mutating func complete(_ item: Int, _ end: Message.End) async -> [ReceivingMachine.Action] {
        guard let current = arriving else { return [] }
        do {
            let completion = try await current.sink.complete(end)
            arriving = nil
            switch completion {
            case .stored(let stored):
                if stored.keptBytes > 0, !stored.isUpdated {
                    receiver.report(.resumed(item: item, kept: stored.keptBytes))
                }
                receiver.report(.stored(item: item, representation: current.representation, stored))
                return machine.stored(item, stored)
            case .waitsForOthers:
                waiting[item] = current.representation
                return []
            }
        } catch let error as ImportFailure {
            drop()
            return chooseAgain(item, because: StoringFailure(.import), "\(error)")
        } catch {
            return fail(item, error)
        }
    }

    private mutating func fail(_ item: Int, _ error: any Error) -> [ReceivingMachine.Action] {
        lanes.abandon()
        if (error as? FileError)?.mayPass ?? false { suspend() } else { drop() }
        receiver.report(.failed(item: item, sentence: "\(error)"))
        return machine.failed(item, StoringFailure(error))
    }

    /// Says of everything that was taken and has had no receipt that it is not wanted any more.
    private mutating func refuseUnsettled(_ sentence: String) {
        for item in machine.unsettled {
            receiver.report(.failed(item: item, sentence: sentence))
            for case .send(let message) in machine.failed(item, StoringFailure(.cancelled)) { session.send(message) }
        }
    }

    private mutating func drop() {
        arriving?.sink.discard()
        arriving = nil
    }

    /// What came so far may serve another time.
    private mutating func suspend() {
        arriving?.sink.suspend()
        arriving = nil
    }
}
