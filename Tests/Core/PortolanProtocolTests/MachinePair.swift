import Foundation
import PortolanProtocol
import TestSupport

/// Pair of honest machines and their connection: every message is encoded and decoded, and chance decides who goes
/// next.
struct MachinePair {
    private enum Record {
        case control([UInt8])
        case payload(PayloadHeader, Int)
        /// Elements that arrive on a lane.
        case tree([TreeSample])
    }

    var offering: OfferingMachine
    var receiving = ReceivingMachine()
    private var toReceiver: [Record] = []
    private var toSender: [[UInt8]] = []

    // The sender's state.
    private var transfer: OutgoingTransfer?
    private var hasBegun = false
    private var outgoing: OutgoingTree?
    private var mustStop = false

    // The receiver's state.
    private var undecided: Offer?
    private var hasSaidPending = false
    private var owed: [Int: [Duty]] = [:]
    private var givenUp: Set<Int> = []
    private var incoming: (item: Int, tree: IncomingTree)?

    private enum Duty { case finishWhole, finishBroken, chooseAgain }

    /// Outcome of each item in the view of both sides.
    private(set) var outcomes: [Int: ItemOutcome] = [:]
    private(set) var storedByReceiver: Set<Int> = []
    private(set) var bytesWritten: [Int: UInt64] = [:]
    private(set) var senderFinished = false
    private(set) var receiverFinished = false
    private(set) var waits = 0
    private(set) var tookInline: Set<Int> = []

    init(_ offer: Offer) throws {
        offering = OfferingMachine(offer: offer)
        try perform(offering.start())
    }

    /// Takes one possible step; `false` if there is none.
    mutating func step(_ random: inout SeededGenerator) throws -> Bool {
        var choices: [Int] = []
        if !toReceiver.isEmpty { choices += [0, 0] }
        if !toSender.isEmpty { choices += [1, 1] }
        if transfer != nil { choices += [2, 2, 2] }
        if undecided != nil || !owed.isEmpty { choices += [3] }
        guard let choice = choices.randomElement(using: &random) else { return false }
        switch choice {
        case 0: try deliverToReceiver(&random)
        case 1: try perform(offering.receive(Self.message(toSender.removeFirst(), .offering)))
        case 2: try send(&random)
        default: try decide(&random)
        }
        return true
    }

    /// Decodes a message, whose kind must say that it is for this machine and for no other of the session.
    private static func message(_ bytes: [UInt8], _ route: MessageRoute) throws -> Message {
        let message = try Message(decoding: bytes)
        guard message.route == route else { throw VectorError("\(message) went the wrong way") }
        return message
    }

    private mutating func deliverToReceiver(_ random: inout SeededGenerator) throws {
        switch toReceiver.removeFirst() {
        case .control(let bytes): try perform(receiving.receive(Self.message(bytes, .receiving)), &random)
        case .payload(let header, let count):
            let verdict = try receiving.payload(PayloadHeader(decoding: header.encode()), count: count)
            if case .write(let item) = verdict { bytesWritten[item, default: 0] += UInt64(count) }
        case .tree(let samples):
            guard let item = incoming?.item else { throw VectorError("A tree that did not begin") }
            try incoming?.tree.take(samples)
            if incoming?.tree.isAbandoned == false { try mayFail(item, &random) }
        }
    }

    // MARK: The sender

    private mutating func perform(_ actions: [OfferingMachine.Action]) throws {
        for action in actions {
            switch action {
            case .send(let message): toReceiver.append(.control(message.encode()))
            case .produce(let next):
                guard transfer == nil else { throw VectorError("Two productions at once") }
                (transfer, hasBegun, mustStop) = (next, false, false)
            case .stop(let number):
                guard transfer?.number == number else { throw VectorError("Stop for another transfer") }
                mustStop = true
            case .settled(let item, let outcome):
                guard outcomes[item] == nil else { throw VectorError("Item \(item) was settled twice") }
                outcomes[item] = outcome
            case .tookInline(let item):
                guard tookInline.insert(item).inserted else { throw VectorError("Item \(item) was taken twice") }
            case .waiting: waits += 1
            case .wanted, .holding, .base: throw VectorError("Nobody was asked")
            case .finished: senderFinished = true
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
    /// - Returns: `nil` while it goes on, the machine's output once it is over.
    private mutating func advance(
        _ current: inout OutgoingTransfer, _ random: inout SeededGenerator
    ) throws -> [OfferingMachine.Action]? {
        guard hasBegun else {
            if mustStop || random.chance(4) {
                return offering.exportFailed(current.number, mustStop ? .cancelled : .export)
            }
            if current.channel == .data {
                say(try current.begin(name: Array("name".utf8), size: random.chance(2) ? 3 : nil))
            } else {
                let (begin, tree) = try current.beginTree(name: Array("name".utf8))
                say(begin)
                outgoing = tree
            }
            offering.began(current.number)
            hasBegun = true
            return nil
        }
        if mustStop || random.chance(25) { return finish(&current, failure: mustStop ? .cancelled : .unreadable) }
        guard current.channel == .data else {
            let isLast = try sendEntry(ofFolder: current.representation == 1, &random)
            return isLast ? finish(&current, failure: nil) : nil
        }
        let limit = min(current.remaining ?? 5, 5)
        guard limit == 0 || random.chance(4) else {
            let count = 1 + random.below(Int(limit))
            toReceiver.append(.payload(current.nextPayload, count))
            current.sent(count)
            return nil
        }
        return finish(&current, failure: nil)
    }

    /// - Returns: true if it was the last one.
    private mutating func sendEntry(ofFolder isFolder: Bool, _ random: inout SeededGenerator) throws -> Bool {
        guard let index = outgoing?.nextIndex else { throw VectorError("A transfer without a tree") }
        if index == 0 ? isFolder : random.chance(3) {
            toReceiver.append(.tree([.folder(index)]))
            try outgoing?.addEntry(isFolder: true)
        } else {
            toReceiver.append(.tree([.file(index, content: [1, 2])]))
            try outgoing?.addWhole(size: 2)
        }
        return !isFolder || random.chance(5)
    }

    private mutating func finish(
        _ current: inout OutgoingTransfer, failure: SourceFailure?
    ) -> [OfferingMachine.Action] {
        if outgoing != nil { toReceiver.append(.tree([.mark])) }
        let end = outgoing?.end(lanes: [0], failure: failure) ?? current.end(failure: failure)
        outgoing = nil
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
            case .inline(let item, let begin, let tree, let content):
                bytesWritten[item] = try tree.map { try $0.takeInline(content) } ?? begin.size
                owed[item, default: []].append(.finishWhole)
            case .begin(let item, _):
                try mayFail(item, &random)
            case .beginTree(let item, _, let tree):
                incoming = (item, tree)
                if !tree.isAbandoned { try mayFail(item, &random) }
            case .beginWhole: throw VectorError("Nobody said that it may come whole")
            case .total: throw VectorError("Nobody counts")
            case .compare: throw VectorError("Nobody was told of an earlier version")
            case .endTree(let end):
                try incoming?.tree.end(end)
                guard incoming?.tree.isComplete == true else { throw VectorError("Something of a tree is missing") }
                try perform(receiving.treeCompleted(), &random)
            case .complete(let item, _): owed[item, default: []].append(.finishWhole)
            case .aborted(let item, _): owed[item, default: []].append(.finishBroken)
            case .produceFailed(let item, _, _): owed[item, default: []].append(.chooseAgain)
            case .finished: receiverFinished = true
            }
        }
    }

    /// The disk may fill at any moment.
    private mutating func mayFail(_ item: Int, _ random: inout SeededGenerator) throws {
        guard random.chance(12), givenUp.insert(item).inserted else { return }
        incoming?.tree.abandon()
        try perform(receiving.failed(item, StoringFailure(.noSpace)), &random)
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
            let inline = decisions.enumerated().filter { item, decision in
                guard let brought = offer.items[item].inline?.representation else { return false }
                return decision == .take(representation: brought) && random.chance(2)
            }
            try perform(receiving.answer(decisions, inline: Set(inline.map(\.offset))), &random)
            // Some are abandoned before anything of them has arrived.
            for (item, decision) in decisions.enumerated() {
                if case .take = decision, random.chance(8) {
                    owed[item] = nil
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

extension IncomingTree {
    /// Takes all content that was sent with an offer.
    ///
    /// - Returns: the number of bytes of that content.
    func takeInline(_ content: Data) throws -> UInt64 {
        var tree = self
        return try content.withUnsafeBytes { bytes in
            var reader = try TreeReader(bytes)
            while let element = try reader.next() { _ = try tree.takeInline(element) }
            return try tree.endInline().bytes
        }
    }
}
