import NIOCore
import PortolanConcurrency
import PortolanProtocol

/// Receiver of an offer, and the check of whether the sender may send at all.
package struct Reception: Sendable {
    let receiver: any ItemReceiver
    let sender: SenderCheck

    /// - Parameters:
    ///   - begin: throws if the peer may send no items by the rosters of that time, `TransportError.notEntitled`.
    ///     Called at once.
    ///   - checkSender: throws if the peer may not send any more, or if its rights cannot be read. Called at each
    ///     answer, Begin and publication, and once a second while an offer is open. May block for a disk.
    package init(
        _ receiver: any ItemReceiver, begin: () throws -> Void = {},
        checkSender: @escaping @Sendable () throws -> Void = {}
    ) {
        self.receiver = receiver
        sender = SenderCheck(begin: begin, checkSender)
    }
}

/// Run of a `ReceivingRole`: gets decisions on offers, receives items, sends receipts.
///
/// Messages and data come on the session itself; files and folders come on its lanes, whose threads store their
/// content. The run is a task, and occupies a thread only while it works.
struct ReceivingRun {
    enum Input: Sendable {
        /// Message of a sender.
        case message(Message)
        case payload(Record)
        /// A lane or a watch has a report.
        case noticed
        /// The sender has lost its rights.
        case refused(TransportError)
    }

    let session: Session
    let mailbox: Mailbox<Input>
    let lanes: IncomingLanes
    let pacing: Pacer?
    /// Finds the reception for an offer; nil for an offer that is ignored.
    let findReception: @Sendable (Offer) async throws -> Reception?
    /// Called before the last answer about an offer is sent: another offer may come from then on.
    let isSettling: @Sendable () -> Void
    /// Called when all items of an offer are settled.
    let hasSettled: @Sendable (Offer) -> Void
    /// True if the peer has ended the session because this device was put out.
    private let isPutOut: @Sendable () -> Bool
    /// Ends the session at once; the first cause counts.
    private let fail: @Sendable (any Error) -> Void

    var machine = ReceivingMachine()
    var offer: Offer?
    var arriving: ArrivingItem?
    /// Items that came complete and wait for the other items of their offer.
    var waiting: [Int: WaitingItem] = [:]
    private var reception: Reception?
    /// True while an accepted part of the offer is not settled.
    private var isAtWork = false
    /// True while the peer has an offer here that is not settled.
    private var isOpen = false

    struct WaitingItem {
        let representation: Int
        let sink: any ItemSink
    }

    struct ArrivingItem {
        let item: Int
        let representation: Int
        let sink: any ItemSink
        /// Bytes of data received on the session.
        var bytes: UInt64 = 0
        /// Tree record of files that are sent whole on the session, until it is complete.
        var whole: WholeRecord?
        var nextReport: ContinuousClock.Instant
    }

    init(
        of session: Session, from mailbox: Mailbox<Input>, lanes: IncomingLanes, pacing: Pacer?,
        findReception: @escaping @Sendable (Offer) async throws -> Reception?,
        isSettling: @escaping @Sendable () -> Void, hasSettled: @escaping @Sendable (Offer) -> Void,
        isPutOut: @escaping @Sendable () -> Bool, fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.session = session
        self.mailbox = mailbox
        self.lanes = lanes
        self.pacing = pacing
        self.findReception = findReception
        self.isSettling = isSettling
        self.hasSettled = hasSettled
        self.isPutOut = isPutOut
        self.fail = fail
    }

    var receiver: any ItemReceiver { current.receiver }
    var sender: SenderCheck { current.sender }

    private var current: Reception {
        guard let reception else { preconditionFailure("Nothing was offered") }
        return reception
    }

    /// Handles messages and records until the peer has ended the session. No lane is working any more when this returns
    /// or throws.
    mutating func run() async throws {
        do {
            while let input = try await mailbox.next() {
                if case .message(.offer(let offer)) = input {
                    guard let reception = try await findReception(offer) else { continue }
                    // Before another one is settled, it is refused below.
                    if machine.isAtRest { self.reception = reception }
                }
                guard reception != nil else {
                    try refuse(input)
                    continue
                }
                try await runUntilAtRest(from: input)
                guard !machine.holdsOffer else { continue }
                // The session may last.
                offer = nil
                self.reception = nil
            }
            try machine.endOfInput()
        } catch {
            await lanes.stop()
            throw error
        }
        await lanes.stop()
    }

    /// Handles input that comes while there is no offer; throws if it ends the session.
    private mutating func refuse(_ input: Input) throws {
        switch input {
        case .message(let message): _ = try machine.receive(message)
        case .payload(let record):
            let header = try record.body.withUnsafeReadableBytes { try PayloadHeader(decoding: $0) }
            _ = try machine.payload(header, count: record.body.readableBytes - PayloadHeader.length)
        case .noticed: break
        case .refused(let error): throw error
        }
    }

    /// Handles an offer, or the rest of one that this side gave up.
    private mutating func runUntilAtRest(from first: Input) async throws {
        let (lanes, sender, mailbox, runtime) = (lanes, sender, mailbox, session.runtime)
        do {
            try await session.alarms.with(
                Alarm(after: SenderCheck.interval) {
                    await sender.isThere(runtime) { error in
                        lanes.refuse(error)
                        mailbox.post(.noticed)
                    }
                },
                Alarm(after: IncomingLanes.interval) {
                    lanes.lookForSilence()
                    return true
                },
                Alarm(after: IncomingLanes.interval) {
                    await runtime.withBlockingThread { lanes.lookForStop() }
                    return true
                }
            ) {
                try await take(first)
                while !machine.isAtRest, let input = try await mailbox.next() { try await take(input) }
            }
        } catch TransportError.notEntitled(let sentence, let told) {
            refuseUnsettled(sentence)
            // Before the lanes end, so that the sender learns the reason first.
            fail(TransportError.notEntitled(sentence, told: told))
            await lanes.stop()
            drop()
            throw TransportError.notEntitled(sentence, told: told)
        } catch {
            await lanes.stop()
            // A device that was put out keeps nothing, also where its lanes broke first.
            if isPutOut() { drop() } else { suspend() }
            throw error
        }
    }

    private mutating func take(_ input: Input) async throws {
        lanes.own.begin()
        defer { lanes.own.end() }
        switch input {
        case .message(let message):
            try await perform(machine.receive(message))
        case .payload(let record):
            try await takePayload(record)
            session.recycle(record)
        case .refused(let error): throw error
        case .noticed:
            try sender.requireNotLost()
            if let trouble = lanes.takeTrouble(), let item = arriving?.item { try await perform(fail(item, trouble)) }
        }
    }

    mutating func perform(_ actions: [ReceivingMachine.Action]) async throws {
        var actions = actions[...]
        /// True if the sender's standing was evaluated, and no wait happened since.
        var isConfirmed = false
        while let action = try await next(&actions) {
            let wasConfirmed = isConfirmed
            isConfirmed = false
            switch action {
            case .send(let message):
                isConfirmed = wasConfirmed
                if actions.contains(where: \.isFinished) { settle() }
                session.send(message)
            case .decide(let offer):
                self.offer = offer
                isOpen = true
                session.offerMade()
                actions += try await decide(on: offer)
                isConfirmed = true
                guard !machine.unsettled.isEmpty else { continue }
                session.allowPayload()
                session.workBegan()
                isAtWork = true
            case .inline(let item, let begin, let tree, let content):
                try await pacing?.suspend(for: content.count)
                if !wasConfirmed || pacing != nil { try sender.confirm() }
                actions += try await takeInline(begin, tree, content, of: item)
            case .begin(let item, let begin):
                try sender.confirm()
                actions += take(begin, of: item)
            case .beginWhole(let item, let begin, let tree):
                try sender.confirm()
                actions += take(begin, whole: tree, of: item)
            case .beginTree(let item, let begin, let tree):
                try sender.confirm()
                actions += take(begin, tree, of: item)
            case .total(let item, let total):
                receiver.report(.found(item: item, bytes: total.bytes, isAll: total.isFinal))
            case .compare(let compare): try lanes.take(compare)
            case .endTree(let end):
                try sender.requireNotLost()
                try await lanes.end(end)
                if let trouble = lanes.takeTrouble(), let item = arriving?.item { actions += fail(item, trouble) }
                actions += machine.treeCompleted()
            case .complete(let item, let end):
                try sender.confirm()
                if let whole = arriving?.whole.take() {
                    actions += try await takeInline(whole.content, whole.tree, of: item)
                } else {
                    actions += await complete(item, end)
                }
            case .aborted(let item, let failure):
                suspend()
                actions += chooseAgain(item, because: StoringFailure(.source), failure.sentence)
            case .produceFailed(let item, _, let failure):
                actions += chooseAgain(item, because: StoringFailure(.source), failure.sentence)
            case .finished:
                if isAtWork { session.workEnded() }
                isAtWork = false
                settle()
                if let offer { hasSettled(offer) }
            }
        }
    }

    private mutating func settle() {
        if isOpen { isSettling() }
        isOpen = false
    }

    /// Returns the next action; items that wait for the rest of their offer are concluded when no other action is left.
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
        let concluded = items.compactMap { waiting[$0] }
        waiting = [:]
        var actions: [ReceivingMachine.Action] = []
        for ((item, came), verdict) in zip(zip(items, concluded), await receiver.conclude(items)) {
            switch verdict {
            case .success(let unsigned):
                let stored = receiver.signed(item: item, unsigned)
                if let unconfirmed = await confirm(item, came.representation, stored, in: came.sink) {
                    actions += unconfirmed
                    continue
                }
                receiver.report(.stored(item: item, representation: came.representation, stored))
                actions += machine.stored(item, stored)
            case .failure(let refusal):
                receiver.report(.failed(item: item, sentence: "\(refusal)"))
                actions += machine.failed(item, StoringFailure(.refused, detail: "\(refusal)"))
            }
        }
        return actions
    }
}

extension ReceivingMachine.Action {
    fileprivate var isFinished: Bool { if case .finished = self { true } else { false } }
}
