import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

/// Pair of honest trees, and lanes between them that deliver in any order that several connections can.
///
/// The sender makes up files, the receiver may hold parts of some. In any random run, no message may be refused, no
/// lane may wait forever, and the receiver ends with the sender's content.
private struct TreePair {
    private enum Item {
        case record([UInt8])
        case payload(PayloadHeader, Int)
    }

    private struct File {
        var size: UInt64
        var next: UInt64 = 0
        var isCompared = false
        /// Blocks that the receiver holds; true for those that equal the sender's.
        var held: [UInt64: Bool] = [:]
        var isListed = false
    }

    var sender: OutgoingTree
    var receiver: IncomingTree
    private let laneCount: Int
    private var lanes: [[Item]]
    private var toSender: [Message] = []

    // The sender.
    private var left: Int
    private var folders: [UInt32] = [0]
    private var announced: [UInt32: File] = [:]
    private var wanted: [UInt32] = []
    private var open: [UInt32] = []
    private var hasEnded = false
    private var end: Message.End?

    // The receiver.
    private var decided: [UInt32: (decision: EntryDecision, size: UInt64)] = [:]
    private var comparing: [UInt32: UInt64] = [:]
    private(set) var finished: Set<UInt32> = []
    private(set) var expected: Set<UInt32> = []
    private(set) var waits = 0

    init(entries: Int, lanes: Int, asks: Bool) throws {
        sender = try outgoingTree(asks: asks)
        receiver = try incomingTree(asks: asks)
        left = entries
        laneCount = lanes
        self.lanes = Array(repeating: [], count: lanes)
        try sender.addEntry(isFolder: true)
        try write([.folder(0)], lane: 0)
    }

    private mutating func write(_ samples: [TreeSample], lane: Int) throws {
        lanes[lane].append(.record(try TreeSample.record(samples)))
    }

    /// Takes one possible step; `false` when there is none.
    mutating func step(_ random: inout SeededGenerator) throws -> Bool {
        var steps = [0, 1, 2, 3, 4]
        steps.shuffle(using: &random)
        for step in steps {
            let isDone =
                switch step {
                case 0: try announce(&random)
                case 1: try sendContent(&random)
                case 2: try deliver(&random)
                case 3: try list(&random)
                default: try hear()
                }
            if isDone { return true }
        }
        return try endIfOver()
    }

    // MARK: Sender

    private mutating func announce(_ random: inout SeededGenerator) throws -> Bool {
        guard left > 0 else { return false }
        while folders.count > 1, random.chance(4) { folders.removeLast() }
        let index = sender.nextIndex
        let parent = folders.last ?? 0
        if random.chance(10) {
            try sender.addEntry(isFolder: true)
            try write([.folder(index, in: parent)], lane: 0)
            if folders.count < 20 { folders.append(index) }
        } else if random.chance(3) {
            try sender.addWhole(size: 3)
            try write([.file(index, in: parent, content: [1, 2, 3])], lane: 0)
        } else {
            guard sender.mayAddFile else { return false }
            // Up to three blocks and a bit.
            let size = UInt64(1 + random.below(900_000))
            try sender.addFile(size: size)
            expected.insert(index)
            try write([.file(index, in: parent, size: size)], lane: 0)
            announced[index] = File(size: size)
            if !sender.asks { open.append(index) }
        }
        left -= 1
        return true
    }

    private mutating func sendContent(_ random: inout SeededGenerator) throws -> Bool {
        if let next = wanted.first, sender.mayBegin, random.chance(2) {
            wanted.removeFirst()
            if announced[next]?.isCompared == false, random.chance(3), let size = announced[next]?.size, size < 100_000
            {
                sender.sentWhole(next)
                try write(
                    [.content(entry: next, [UInt8](repeating: 0, count: Int(size)))], lane: random.below(laneCount))
                return true
            }
            sender.begin(next)
            open.append(next)
            return true
        }
        guard let entry = open.randomElement(using: &random), var file = announced[entry] else { return false }
        let lane = random.below(laneCount)
        guard file.next < file.size else {
            open.removeAll { $0 == entry }
            try write([.fileEnd(sender.endFile(entry, size: file.size))], lane: lane)
            return true
        }
        let block = file.next / BlockDigest.blockSize
        let length = min(BlockDigest.blockSize, file.size - file.next)
        if file.isCompared, !file.isListed, file.held[block] == nil { return false }
        if file.held[block] == true {
            sender.matched(length, of: entry)
        } else if random.chance(5) {
            sender.skipped(length, of: entry)
            try write([.hole(entry: entry, offset: file.next, length: length)], lane: lane)
        } else {
            sender.sent(Int(length), of: entry)
            lanes[lane].append(
                .payload(PayloadHeader(transfer: 1, entry: entry, offset: file.next), Int(length)))
        }
        file.next += length
        announced[entry] = file
        return true
    }

    private mutating func hear() throws -> Bool {
        guard !toSender.isEmpty else { return false }
        switch try Message(decoding: toSender.removeFirst().encode()) {
        case .wanted(let message):
            for (entry, decision) in try sender.receive(message) where decision != .nothing {
                announced[entry]?.isCompared = decision == .compare
                wanted.append(entry)
            }
        case .holding(let message):
            guard try sender.receive(message) else { return true }
            for block in message.blocks {
                // The made-up digest says whether the block is equal.
                announced[message.index]?.held[block] = message.digest(ofBlock: block).first == 1
            }
            announced[message.index]?.isListed = message.isLast
        default: throw VectorError("What is that?")
        }
        return true
    }

    private mutating func endIfOver() throws -> Bool {
        guard left == 0, open.isEmpty, wanted.isEmpty, !hasEnded, !sender.asks || decided.count == expected.count else {
            return false
        }
        hasEnded = true
        for lane in 0..<laneCount { try write([.mark], lane: lane) }
        end = sender.end(lanes: Array(0..<UInt32(laneCount)))
        return true
    }

    // MARK: Receiver

    private mutating func deliver(_ random: inout SeededGenerator) throws -> Bool {
        if let end, random.chance(3) || lanes.allSatisfy(\.isEmpty) {
            self.end = nil
            try receiver.end(end)
            return true
        }
        for lane in (0..<laneCount).shuffled(using: &random) {
            guard let item = lanes[lane].first else { continue }
            guard try take(item, lane, &random) else {
                waits += 1
                continue
            }
            lanes[lane].removeFirst()
            return true
        }
        return false
    }

    /// - Returns: `false` if it has to wait.
    private mutating func take(_ item: Item, _ lane: Int, _ random: inout SeededGenerator) throws -> Bool {
        switch item {
        case .payload(let header, let count):
            switch try receiver.take(header, count: count, lane: UInt32(lane)) {
            case .take:
                try finish(receiver.wrote(UInt64(count), of: header.entry))
                return true
            case .wait: return false
            case .drop, .finish: throw VectorError("Nothing is dropped")
            }
        case .record(let bytes):
            // The records have a single element each.
            return try bytes.withUnsafeBytes { bytes in
                var reader = try TreeReader(bytes)
                guard let element = try reader.next() else { throw VectorError("An empty record") }
                return try take(element, lane, &random)
            }
        }
    }

    private mutating func take(
        _ element: TreeElement, _ lane: Int, _ random: inout SeededGenerator
    ) throws -> Bool {
        switch try receiver.take(element, lane: UInt32(lane)) {
        case .wait: return false
        case .drop: throw VectorError("Nothing is dropped")
        case .finish(let file):
            finish(file)
            return true
        case .take: break
        }
        switch element {
        case .entry(let entry):
            guard case .file(let file) = entry.kind, file.content == nil else { break }
            let decision = receiver.asks ? EntryDecision.allCases[random.below(3)] : .all
            receiver.decide(entry.index, decision)
            decided[entry.index] = (decision, file.size ?? 0)
            if decision == .compare { comparing[entry.index] = 0 }
            if decision == .nothing { finished.insert(entry.index) }
        case .content(let entry, _): finished.insert(entry)
        case .hole(let entry, _, let length): try finish(receiver.wrote(length, of: entry))
        case .copy: throw VectorError("Nothing comes by its difference")
        case .fileEnd, .mark: break
        }
        if lane == 0, let wanted = receiver.wanted() { toSender.append(.wanted(wanted)) }
        return true
    }

    private mutating func finish(_ file: IncomingTree.FinishedFile?) {
        guard let file else { return }
        if file.failure == nil { finished.insert(file.entry) }
    }

    /// Adds claims of some more blocks.
    private mutating func list(_ random: inout SeededGenerator) throws -> Bool {
        guard let (entry, next) = comparing.sorted(by: { $0.key < $1.key }).randomElement(using: &random) else {
            return false
        }
        let count = Message.Holding.blockCount(size: decided[entry]?.size ?? 0)
        let first = min(next + UInt64(random.below(2)), count)
        let blocks = first..<min(count, first + UInt64(random.below(3)))
        let isLast = blocks.upperBound >= count || random.chance(4)
        guard isLast || !blocks.isEmpty else { return true }
        let digests = blocks.flatMap { _ in [random.chance(3) ? 0 : 1] + [UInt8](repeating: 0, count: 15) }
        comparing[entry] = isLast ? nil : blocks.upperBound
        if let holding = receiver.holding(entry, block: first, digests: digests, isLast: isLast) {
            toSender.append(.holding(holding))
        }
        return true
    }
}

@Suite(.aside) struct TreePairTests {
    @Test(arguments: [false, true], 0..<12 as Range<UInt64>)
    func honestSidesAgreeForAnyOrderOfLanes(asks: Bool, seed: UInt64) {
        withSeed(0x7A1_0000 + seed) { random in
            var pair = try TreePair(entries: 150 + random.below(100), lanes: 1 + random.below(4), asks: asks)
            while try pair.step(&random) {}
            #expect(pair.receiver.isComplete, "seed \(seed)")
            #expect(pair.finished == pair.expected, "seed \(seed)")
            #expect(pair.receiver.rememberedCount < 40, "seed \(seed)")
        }
    }
}
