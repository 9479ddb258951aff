import NIOCore
import PortolanFiles
import PortolanProtocol
import Synchronization

/// Carries out one offer on a session: shows it, produces what is taken, and waits for the receipts.
package struct OfferingRun: Sendable {
    private let session: Session
    private let offer: Offer
    private let answerWait: Duration
    private let produce: @Sendable (_ item: Int, _ representation: Int) async throws -> OfferedContent
    private let report: @Sendable (OfferingEvent) -> Void

    /// - Parameters:
    ///   - answerWait: how long the other side may take to decide.
    ///   - produce: gives the content of a representation that was taken; indices are the offer's.
    package init(
        _ offer: Offer, on session: Session, answerWait: Duration,
        produce: @escaping @Sendable (_ item: Int, _ representation: Int) async throws -> OfferedContent,
        report: @escaping @Sendable (OfferingEvent) -> Void
    ) {
        self.session = session
        self.offer = offer
        self.answerWait = answerWait
        self.produce = produce
        self.report = report
    }

    private enum Input: Sendable {
        case message(Message)
        case began(transfer: UInt32)
        case exportFailed(transfer: UInt32, SourceFailure)
        case sentAll(transfer: UInt32, Message.End)
        case answerIsOverdue
        case over(any Error)
    }

    /// - Returns: what became of each item.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`. The session is closed then.
    package func run() async throws -> [ItemOutcome] {
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { await listen(feed) }
            let wait = answerWait
            tasks.addTask {
                try await Task.sleep(for: wait)
                feed.yield(.answerIsOverdue)
            }
            do {
                return try await carryOut(inputs, feed, &tasks)
            } catch {
                // Now, and not when all tasks have ended: one of them may wait for a peer that takes nothing any more.
                session.close(Message.Close(Self.code(for: error)))
                throw error
            }
        }
    }

    private func carryOut(
        _ inputs: AsyncStream<Input>, _ feed: AsyncStream<Input>.Continuation,
        _ tasks: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> [ItemOutcome] {
        var machine = OfferingMachine(offer: offer)
        var outcomes: [ItemOutcome?] = Array(repeating: nil, count: offer.items.count)
        var stops: [UInt32: StopSign] = [:]
        var actions = machine.start()
        var inputs = inputs.makeAsyncIterator()
        while true {
            for action in actions {
                switch action {
                case .send(let message):
                    session.send(message)
                    if case .offer = message { session.offerMade() }
                case .waiting:
                    report(.waiting)
                case .produce(let transfer):
                    let stop = StopSign()
                    stops[transfer.number] = stop
                    tasks.addTask(executorPreference: BlockingThreads.next()) {
                        await carry(transfer, stop, feed)
                    }
                case .stop(let number):
                    stops[number]?.set()
                case .settled(let item, let outcome):
                    outcomes[item] = outcome
                case .closed(let close):
                    throw TransportError.closedByPeer(close)
                case .finished:
                    return outcomes.compactMap(\.self)
                }
            }
            guard let input = await inputs.next() else { throw CancellationError() }
            switch input {
            case .message(let message):
                actions = try machine.receive(message)
            case .began(let number):
                machine.began(number)
                actions = []
            case .exportFailed(let number, let failure):
                actions = machine.exportFailed(number, failure)
            case .sentAll(let number, let end):
                // Said from here, so that no receipt can overtake the news that it was.
                session.send(.end(end))
                actions = machine.ended(number, failure: end.failure)
            case .answerIsOverdue:
                if !machine.isAnswered { throw TransportError.answerIsOverdue }
                actions = []
            case .over(let error):
                throw error
            }
        }
    }

    private func listen(_ feed: AsyncStream<Input>.Continuation) async {
        do {
            for try await record in session.incoming {
                guard record.type == .control else {
                    throw ProtocolViolation(.unexpected, "The receiver sent payload.")
                }
                feed.yield(.message(try Message(decoding: record.body.readableBytesView)))
            }
            throw TransportError.truncated
        } catch {
            feed.yield(.over(error))
        }
    }

    /// Produces and sends one representation.
    private func carry(
        _ transfer: OutgoingTransfer, _ stop: StopSign, _ feed: AsyncStream<Input>.Continuation
    ) async {
        let number = transfer.number
        let item = transfer.item
        let representation = transfer.representation
        let content: OfferedContent
        do {
            content = try await produce(item, representation)
        } catch {
            report(.broke(item: item, representation: representation, sentence: "\(error)"))
            feed.yield(.exportFailed(transfer: number, Self.failure(for: error)))
            return
        }
        let offered = offer.items[item].representations[representation]
        var sending = ContentSending(
            transfer, of: offered, title: offer.items[item].title, on: session, stop: stop, report: report,
            began: { feed.yield(.began(transfer: number)) })
        do {
            let end = try await sending.send(content)
            feed.yield(.sentAll(transfer: number, end))
        } catch {
            if !stop.isSet { report(.broke(item: item, representation: representation, sentence: "\(error)")) }
            let failure = stop.isSet ? .cancelled : Self.failure(for: error)
            if let end = sending.breakOff(failure) {
                feed.yield(.sentAll(transfer: number, end))
            } else {
                feed.yield(.exportFailed(transfer: number, failure))
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

    private static func code(for error: any Error) -> CloseCode {
        switch error {
        case let violation as ProtocolViolation: violation.closeCode
        case is CancellationError: .cancelled
        case TransportError.answerIsOverdue: .notInTime
        default: .internal
        }
    }
}

/// Tells a transfer under way that nobody wants the rest of it.
final class StopSign: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) || Task.isCancelled }

    func set() { value.store(true, ordering: .relaxed) }
}
