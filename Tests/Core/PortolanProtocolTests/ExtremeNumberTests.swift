import PortolanProtocol
import TestSupport
import Testing

/// Numbers at the ends of their ranges, in every numeric field, from either side: accepted or refused, they never trap.
@Suite(.aside) struct ExtremeNumberTests {
    static let numbers: [UInt64] = [
        0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32, 1 << 45, 1 << 62, (1 << 62) + 1,
        (1 << 63) - 2, (1 << 63) - 1, 1 << 63, .max - 1, .max,
    ]
    static let largest = UInt64(Int64.max)

    // MARK: Sums

    @Test func threeEndlessHolesInFilesOfUnknownSize() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)] + (1...3).map { .file($0) })
        #expect(violation { try tree.take([.hole(entry: 1, offset: 0, length: Self.largest)]) } == .unexpected)
    }

    @Test func totalSizeOfATransferIsBounded() throws {
        for asks in [false, true] {
            var tree = try incomingTree(asks: asks)
            try tree.take([
                .folder(0), .file(1, size: Self.largest - 8), .file(2, size: 5), .file(3, content: [1, 2, 3]),
            ])
            #expect(violation { try tree.take([.file(4, size: 1)]) } == .limit)
            var other = try incomingTree(asks: asks)
            try other.take([.folder(0), .file(1, size: Self.largest)])
            #expect(violation { try other.take([.file(2, content: [1])]) } == .limit)
        }
    }

    @Test func streamsCountAmongTheFilesOfATransfer() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0), .file(1, size: Self.largest - 4), .file(2), .file(3)])
        try tree.take(2, 0, 3)
        try tree.take(3, 0, 1)
        #expect(violation { try tree.take(3, 1, 1) } == .limit)
    }

    @Test func aSenderDoesNotAnnounceMoreThanAReceiverTakes() throws {
        var tree = try outgoingTree()
        try tree.addEntry(isFolder: true)
        try tree.addFile(size: Self.largest)
        #expect(throws: InvalidValue.self) { try tree.addFile(size: 1) }
        #expect(throws: InvalidValue.self) { try tree.addWhole(size: 1) }
        // Neither refused file is counted, and more can be added.
        try tree.addFile(size: nil)
        #expect(tree.nextIndex == 3)
    }

    // MARK: Records of a sender on its lanes

    @Test(arguments: [false, true], 0..<3)
    func treeRecordsOfExtremeNumbers(asks: Bool, group: Int) {
        var refused = 0
        for number in 0..<400 {
            withSeed(UInt64(0xE87_0000 + group * 1000 + number)) { random in
                var tree = try incomingTree(asks: asks)
                var entries: UInt64 = 0
                for _ in 0..<12 {
                    let bytes = Self.element(entries, &random)
                    do {
                        if random.chance(5) {
                            let header = try PayloadHeader(decoding: [0, 0, 0, 1] + bytes.suffix(12))
                            let count = [1, 2, 1 << 20, 1 << 21][random.below(4)]
                            guard try tree.take(header, count: count, lane: 0) == .take else { continue }
                            _ = try tree.wrote(UInt64(count), of: header.entry)
                        } else {
                            entries += UInt64(try Self.take(bytes, by: &tree, &random))
                        }
                    } catch is ProtocolViolation {
                        refused += 1
                    }
                }
                if random.chance(2) { tree.abandon() }
                let end = try? Message.End(
                    transfer: 1, entries: UInt32(truncatingIfNeeded: Self.number(&random)), bytes: Self.number(&random),
                    lanes: Array(0..<UInt32(random.below(17))))
                if let end { _ = violation { try tree.end(end) } }
            }
        }
        #expect(refused > 400, "The runs must reach the refusals to mean something")
    }

    /// - Returns: the number of accepted entries.
    private static func take(
        _ element: [UInt8], by tree: inout IncomingTree, _ random: inout SeededGenerator
    ) throws -> Int {
        try ([0, 0, 0, 1] + element).withUnsafeBytes { bytes in
            var reader = try TreeReader(bytes)
            var entries = 0
            while let element = try reader.next() {
                guard try tree.take(element, lane: UInt32(random.below(6) / 5)) == .take else { continue }
                switch element {
                case .entry(let entry):
                    entries += 1
                    guard case .file(let file) = entry.kind, file.content == nil else { continue }
                    let decision: EntryDecision =
                        tree.asks ? EntryDecision.allCases[random.below(file.size == nil ? 2 : 3)] : .all
                    tree.decide(entry.index, decision)
                    guard decision == .compare, let size = file.size else { continue }
                    let last = Message.Holding.blockCount(size: size)
                    if last > 0 {
                        _ = tree.holding(
                            entry.index, block: last - 1, digests: [UInt8](repeating: 0, count: 16), isLast: true)
                    }
                case .hole(let entry, _, let length): _ = try tree.wrote(length, of: entry)
                case .copy(let copy): _ = try tree.wrote(copy.length, of: copy.entry)
                case .content, .fileEnd, .mark: break
                }
            }
            return entries
        }
    }

    private static func number(_ random: inout SeededGenerator) -> UInt64 { numbers[random.below(numbers.count)] }

    /// An element, byte by byte: half of its numbers fit, the others are extreme.
    private static func element(_ next: UInt64, _ random: inout SeededGenerator) -> [UInt8] {
        func big(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
        }
        func entry(_ random: inout SeededGenerator) -> UInt64 {
            random.chance(3) ? number(&random) : UInt64(random.below(Int(next) + 1))
        }
        func common(_ kind: UInt8, _ flags: UInt8, _ random: inout SeededGenerator) -> [UInt8] {
            let index = random.chance(6) ? number(&random) : next
            let time = random.chance(2) ? number(&random) : 1_700_000_000
            let nanoseconds = random.chance(6) ? number(&random) : 999_999_999
            let permissions = random.chance(6) ? number(&random) : 0o777
            let parent = random.chance(6) ? number(&random) : 0
            return [0xF0 | kind, flags] + big(index, 4) + big(parent, 4) + big(permissions, 2) + big(time, 8)
                + big(nanoseconds, 4) + (index == 0 ? [0, 0] : [0, 1, 0x6E])
        }
        if next == 0 { return common(2, 0, &random) }
        switch random.below(12) {
        case 0, 1, 2: return common(1, [1, 1, 5, 3][random.below(4)], &random) + varint(number(&random))
        case 3: return common(1, 0, &random)
        case 10, 11:
            // A folder, and an entry in it with an extreme time.
            let shared = random.chance(4) ? UInt8(truncatingIfNeeded: number(&random)) : 1
            return common(2, 0, &random) + [random.chance(2) ? 0x42 : 0x82, 0] + varint(number(&random))
                + [shared, 1, 0x6F]
        case 4: return common(2, 0, &random)
        case 5: return common(4, 0, &random) + big(entry(&random), 4)
        case 6: return [5] + big(entry(&random), 4) + big(number(&random), 4)
        case 7, 8: return [6] + big(entry(&random), 4) + big(number(&random), 8) + big(number(&random), 8)
        default:
            let status: UInt8 = random.chance(2) ? 0 : 3
            return [7] + big(entry(&random), 4) + [status] + big(number(&random), 8) + big(number(&random), 8)
        }
    }

    // MARK: Messages, either way

    /// A field of a protobuf message.
    private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

    private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A message of which each number is a plausible one or an extreme one.
    private static func message(_ random: inout SeededGenerator) -> [UInt8] {
        func pick(_ plausible: UInt64, _ random: inout SeededGenerator) -> UInt64 {
            random.chance(4) ? number(&random) : plausible
        }
        func numbers(_ plausible: [UInt64], from first: UInt64 = 1, _ random: inout SeededGenerator) -> [UInt8] {
            plausible.enumerated().flatMap { place, value in field(first + UInt64(place), pick(value, &random)) }
        }
        func counts(_ kinds: [UInt64], in place: UInt64, _ random: inout SeededGenerator) -> [UInt8] {
            kinds.flatMap { kind in
                let said = random.chance(16) ? number(&random) : kind
                return field(place, field(1, said) + field(2, pick(1, &random)))
            }
        }
        let item = UInt64(random.below(2))
        let representation = UInt64(random.below(4))
        let omission = field(1, [0x61]) + field(2, pick(1, &random))
        switch random.below(14) {
        case 0:
            let choice = numbers([item, representation], &random) + field(4, 1) + field(6, pick(4, &random))
            return field(2, field(1, pick(1, &random)) + field(2, choice) + field(2, numbers([1 - item, 0], &random)))
        case 1: return field(3, numbers([1], &random))
        case 2, 3:
            let channel: UInt64 = representation < 2 ? 2 : 1
            return field(
                4, numbers([1, 1, item, representation, channel], &random) + field(7, pick(4, &random)))
        case 4, 5:
            return field(
                7,
                numbers([1, 1, 4], &random) + field(5, omission) + counts([1, 2], in: 6, &random)
                    + numbers([1], from: 7, &random))
        case 6: return field(8, numbers([1, item, representation, 1], &random))
        case 7:
            let stored =
                numbers([4, 1], from: 2, &random) + field(4, omission) + counts([1, 3, 5], in: 5, &random)
            return field(9, numbers([1, item], &random) + field(3, stored))
        case 8: return field(10, numbers([1], &random))
        case 9: return field(32, numbers([1, 0], &random) + field(3, [0, 1, 2]))
        case 10:
            let digests = [UInt8](repeating: 0, count: 16 * random.below(3))
            return field(33, numbers([1, 1, 0], &random) + field(4, digests) + field(5, UInt64(random.below(2))))
        case 11: return field(20, numbers([1], &random) + field(3, pick(5, &random)))
        case 12: return field(48, numbers([0, 3], &random))
        default: return field(34, numbers([1], &random) + counts([7, 8], in: 2, &random))
        }
    }

    @Test(arguments: 0..<3)
    func messagesOfExtremeNumbers(group: Int) {
        var understood = 0
        for number in 0..<400 {
            withSeed(UInt64(0xE88_0000 + group * 1000 + number)) { random in
                var receiving = ReceivingMachine()
                _ = try receiving.receive(.offer(sampleOffer()))
                _ = receiving.answer([.take(representation: random.below(4)), .take(representation: random.below(4))])
                var offering = OfferingMachine(offer: try sampleOffer())
                _ = offering.start()
                var outgoing = try outgoingTree(asks: true)
                try outgoing.addEntry(isFolder: true)
                for size in [5, Self.largest - 5, nil] as [UInt64?] { try outgoing.addFile(size: size) }
                for _ in 0..<20 {
                    do {
                        let message = try Message(decoding: Self.message(&random))
                        understood += 1
                        #expect(try Message(decoding: message.encode()) == message)
                        Self.take(message, &receiving, &offering, &outgoing)
                    } catch is ProtocolViolation {}
                }
            }
        }
        #expect(understood > 2000, "Most messages must be understood to mean something")
    }

    private static func take(
        _ message: Message, _ receiving: inout ReceivingMachine, _ offering: inout OfferingMachine,
        _ outgoing: inout OutgoingTree
    ) {
        _ = violation {
            guard message.route == .receiving else { return }
            for action in try receiving.receive(message) {
                if case .complete(let item, let end) = action {
                    _ = receiving.stored(
                        item, try StoredItem(bytes: end.bytes, entries: end.entries, omissions: end.omissions))
                }
                if case .endTree = action { _ = receiving.treeCompleted() }
            }
        }
        _ = violation {
            let header = try PayloadHeader(decoding: [0, 0, 0, 1, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8))
            _ = try receiving.payload(header, count: 1)
        }
        _ = violation {
            guard message.route == .offering else { return }
            for action in try offering.receive(message) {
                guard case .produce(let transfer) = action else { continue }
                offering.began(transfer.number)
                _ = offering.ended(transfer.number, failure: nil)
            }
        }
        if case .wanted(let wanted) = message { _ = violation { _ = try outgoing.receive(wanted) } }
        if case .holding(let holding) = message { _ = violation { _ = try outgoing.receive(holding) } }
    }

    @Test func countOfOmissionsDoesNotOverflow() throws {
        var omissions = Omissions()
        omissions.count(further: .max, missing: .max)
        omissions.append(Omission(path: [0x61], reason: .name))
        var others = Omissions([Omission(path: [0x62], reason: .name)])
        others.count(further: Self.largest, missing: 1)
        omissions.append(contentsOf: others)
        #expect(omissions.further == Self.largest && omissions.count == Self.largest)
        #expect(omissions.missing == Self.largest)
        let stored = try StoredItem(bytes: 0, omissions: omissions)
        let receipt = Message.receipt(Message.Receipt(offer: 1, item: 0, outcome: .stored(stored)))
        #expect(try Message(decoding: receipt.encode()) == receipt)
    }
}
