import PortolanProtocol
import TestSupport

/// Two honest machines and what joins them: every message is encoded and decoded, and chance decides who goes next.
struct MachinePair {
    private enum Record {
        case control([UInt8])
        case payload(PayloadHeader, Int)
    }

    var offering: OfferingMachine
    var receiving = ReceivingMachine()
    private var toReceiver: [Record] = []
    private var toSender: [[UInt8]] = []

    // What the sender is doing.
    private var transfer: OutgoingTransfer?
    private var hasBegun = false
    private var openFolders: [UInt32] = []
    private var inFile = false
    private var mustStop = false

    // What the receiver has to do.
    private var undecided: Offer?
    private var hasSaidPending = false
    private var owed: [Int: [Duty]] = [:]
    private var givenUp: Set<Int> = []

    private enum Duty { case finishWhole, finishBroken, chooseAgain }

    /// What both sides think became of each item.
    private(set) var outcomes: [Int: ItemOutcome] = [:]
    private(set) var storedByReceiver: Set<Int> = []
    private(set) var bytesWritten: [Int: UInt64] = [:]
    private(set) var senderFinished = false
    private(set) var receiverFinished = false
    private(set) var waits = 0

    init(_ offer: Offer) throws {
        offering = OfferingMachine(offer: offer)
        try perform(offering.start())
    }

    /// Does one thing that can be done; `false` if there is nothing.
    mutating func step(_ random: inout SeededGenerator) throws -> Bool {
        var choices: [Int] = []
        if !toReceiver.isEmpty { choices += [0, 0] }
        if !toSender.isEmpty { choices += [1, 1] }
        if transfer != nil { choices += [2, 2, 2] }
        if undecided != nil || !owed.isEmpty { choices += [3] }
        guard let choice = choices.randomElement(using: &random) else { return false }
        switch choice {
        case 0: try deliverToReceiver(&random)
        case 1: try perform(offering.receive(Message(decoding: toSender.removeFirst())))
        case 2: try send(&random)
        default: try decide(&random)
        }
        return true
    }

    private mutating func deliverToReceiver(_ random: inout SeededGenerator) throws {
        switch toReceiver.removeFirst() {
        case .control(let bytes): try perform(receiving.receive(Message(decoding: bytes)), &random)
        case .payload(let header, let count):
            let verdict = try receiving.payload(PayloadHeader(decoding: header.encode()), count: count)
            if case .write(let item) = verdict { bytesWritten[item, default: 0] += UInt64(count) }
        }
    }

    // MARK: The sender

    private mutating func perform(_ actions: [OfferingMachine.Action]) throws {
        for action in actions {
            switch action {
            case .send(let message): toReceiver.append(.control(message.encode()))
            case .produce(let next):
                guard transfer == nil else { throw VectorError("Two productions at once") }
                (transfer, hasBegun, openFolders, inFile, mustStop) = (next, false, [], false, false)
            case .stop(let number):
                guard transfer?.number == number else { throw VectorError("Stop for another transfer") }
                mustStop = true
            case .settled(let item, let outcome):
                guard outcomes[item] == nil else { throw VectorError("Item \(item) was settled twice") }
                outcomes[item] = outcome
            case .waiting: waits += 1
            case .wanted, .holding: throw VectorError("Nobody was asked")
            case .finished: senderFinished = true
            case .closed: throw VectorError("Nobody closes")
            }
        }
    }

    private mutating func send(_ random: inout SeededGenerator) throws {
        guard var current = transfer else { return }
        if let actions = try advance(&current, &random) {
            transfer = nil
            try perform(actions)
        } else {
            transfer = current
        }
    }

    /// Sends a little more of the transfer.
    ///
    /// - Returns: `nil` while it goes on, what the machine says once it is over.
    private mutating func advance(
        _ current: inout OutgoingTransfer, _ random: inout SeededGenerator
    ) throws -> [OfferingMachine.Action]? {
        guard hasBegun else {
            if mustStop || random.chance(4) {
                return offering.exportFailed(current.number, mustStop ? .cancelled : .export)
            }
            let size: UInt64? = current.channel == .data && random.chance(2) ? 3 : nil
            say(try current.begin(name: Array("name".utf8), size: size))
            offering.began(current.number)
            hasBegun = true
            if current.channel == .file { try sendEntry(&current, root: true, &random) }
            return nil
        }
        if mustStop || random.chance(25) { return finish(&current, failure: mustStop ? .cancelled : .unreadable) }
        guard current.channel == .data || inFile else {
            if random.chance(5) { return finish(&current, failure: nil) }
            try sendEntry(&current, root: false, &random)
            return nil
        }
        let limit = min(current.remaining ?? 5, 5)
        guard limit == 0 || random.chance(4) else {
            let count = 1 + random.below(Int(limit))
            toReceiver.append(.payload(current.nextPayload, count))
            current.sent(count)
            return nil
        }
        guard inFile else { return finish(&current, failure: nil) }
        say(current.endEntry(failure: random.chance(9) ? .changed : nil))
        inFile = false
        return openFolders.isEmpty ? finish(&current, failure: nil) : nil
    }

    private mutating func sendEntry(_ current: inout OutgoingTransfer, root: Bool, _ random: inout SeededGenerator)
        throws
    {
        let isFolder = root ? current.representation == 1 : random.chance(3)
        while !root, openFolders.count > 1, random.chance(3) { openFolders.removeLast() }
        let kind: Message.Entry.Kind =
            isFolder
            ? .folder
            : !root && random.chance(4)
                ? .symbolicLink(target: Array("elsewhere".utf8)) : .file(size: random.chance(2) ? 4 : nil)
        let (index, message) = try current.entry(parent: openFolders.last ?? 0, name: Array("n".utf8), kind: kind)
        say(message)
        if isFolder { openFolders.append(index) }
        if case .file = kind { inFile = true }
    }

    private mutating func finish(
        _ current: inout OutgoingTransfer, failure: SourceFailure?
    ) -> [OfferingMachine.Action] {
        let end = current.end(failure: failure)
        say(.end(end))
        return offering.ended(current.number, failure: end.failure)
    }

    private mutating func say(_ message: Message) { toReceiver.append(.control(message.encode())) }

    // MARK: The receiver

    private mutating func perform(_ actions: [ReceivingMachine.Action], _ random: inout SeededGenerator) throws {
        for action in actions {
            switch action {
            case .send(let message): toSender.append(message.encode())
            case .decide(let offer): undecided = offer
            case .begin(let item, _), .entry(let item, _):
                // The disk may fill at any moment.
                if random.chance(12), !givenUp.contains(item) {
                    givenUp.insert(item)
                    try perform(receiving.failed(item, StoringFailure(.noSpace)), &random)
                }
            case .beginTree, .endTree: throw VectorError("Nothing is on lanes")
            case .entryEnd: break
            case .complete(let item, _): owed[item, default: []].append(.finishWhole)
            case .aborted(let item, _): owed[item, default: []].append(.finishBroken)
            case .produceFailed(let item, _, _): owed[item, default: []].append(.chooseAgain)
            case .finished: receiverFinished = true
            case .closed: throw VectorError("Nobody closes")
            }
        }
    }

    private mutating func decide(_ random: inout SeededGenerator) throws {
        if let offer = undecided {
            if !hasSaidPending, random.chance(2) {
                hasSaidPending = true
                return try perform(receiving.pending(), &random)
            }
            undecided = nil
            let decisions = offer.items.map { item -> ItemDecision in
                random.chance(5)
                    ? .decline(Decline(.notWanted)) : .take(representation: random.below(item.representations.count))
            }
            try perform(receiving.answer(decisions), &random)
            // Some are given up before anything of them has come.
            for (item, decision) in decisions.enumerated() {
                if case .take = decision, random.chance(8) {
                    try perform(receiving.failed(item, StoringFailure(.cannotWrite)), &random)
                }
            }
            return
        }
        guard let (item, duties) = owed.randomElement(using: &random), duties.count == 1 else {
            throw VectorError("Two duties for one item")
        }
        owed[item] = nil
        let untried = offering.offer.items[item].representations.indices.filter { !receiving.tried(item).contains($0) }
        switch duties[0] {
        case .finishWhole where !random.chance(4):
            storedByReceiver.insert(item)
            try perform(receiving.stored(item, StoredItem(bytes: bytesWritten[item] ?? 0)), &random)
        case .chooseAgain where random.chance(3):
            try perform(receiving.answerAgain(item, .decline(Decline(.nothingInCommon))), &random)
        default:
            if let next = untried.randomElement(using: &random), !random.chance(3) {
                try perform(receiving.answerAgain(item, .take(representation: next)), &random)
            } else {
                try perform(receiving.failed(item, StoringFailure(.import)), &random)
            }
        }
    }
}
