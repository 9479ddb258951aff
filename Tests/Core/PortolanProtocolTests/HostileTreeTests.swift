import PortolanProtocol
import TestSupport
import Testing

/// Random elements, ranges and messages from a peer that keeps no rules. Trees may throw, never trap, never remember
/// more than their limits, and pass nothing that they have not checked to be part of something.
@Suite(.aside) struct HostileTreeTests {
    private static func sample(_ random: inout SeededGenerator) -> TreeSample {
        func small(_ random: inout SeededGenerator) -> UInt32 {
            random.chance(12) ? .random(in: .min ... .max, using: &random) : UInt32(random.below(6))
        }
        let size = UInt64(random.below(6))
        switch random.below(12) {
        case 0: return .folder(small(&random), in: small(&random))
        case 1: return .file(small(&random), in: small(&random), size: random.chance(3) ? nil : size)
        case 2:
            return .file(
                small(&random), content: [UInt8](repeating: 1, count: Int(size)), isLinkTarget: random.chance(2))
        case 3:
            let index = small(&random)
            return .entry(.init(index: index, name: index == 0 ? [] : [1], kind: .hardLink(to: small(&random))))
        case 4: return .content(entry: small(&random), [UInt8](repeating: 1, count: Int(size)))
        case 5, 6: return .hole(entry: small(&random), offset: UInt64(random.below(6)), length: 1 + size)
        case 7, 8:
            let failure: SourceFailure? = random.chance(3) ? .changed : nil
            return .end(small(&random), size: size, sent: min(size, UInt64(random.below(6))), failure: failure)
        case 9: return random.chance(4) ? .mark : .folder(1)
        default: return .file(small(&random), size: size)
        }
    }

    /// Returns an element that is due, so that the runs get beyond the root.
    private static func plausible(_ entries: UInt32, _ random: inout SeededGenerator) -> TreeSample {
        if entries == 0 { return .folder(0) }
        if random.chance(3) { return .end(1 + UInt32(random.below(Int(entries))), size: 4) }
        return random.chance(4)
            ? .folder(entries) : random.chance(3) ? .file(entries, content: [1]) : .file(entries, size: 4)
    }

    @Test(arguments: [false, true], 0..<3)
    func receiverRefusesUnknownElements(asks: Bool, group: Int) {
        var (taken, finished, refused) = (0, 0, 0)
        for number in 0..<150 {
            withSeed(UInt64(0xE11_0000 + group * 1000 + number)) { random in
                var tree = try incomingTree(asks: asks)
                var entries: UInt32 = 0
                for _ in 0..<80 {
                    do {
                        if random.chance(4) {
                            let entry = UInt32(random.below(6))
                            let isWhole = random.chance(2)
                            let offset = isWhole ? 0 : UInt64(random.below(6))
                            let header = PayloadHeader(transfer: 1, entry: entry, offset: offset)
                            let count = isWhole ? 4 : 1 + random.below(3)
                            guard try tree.take(header, count: count, lane: UInt32(random.below(3))) == .take else {
                                continue
                            }
                            #expect(entry < entries, "Nothing is taken of what was not announced")
                            if try tree.wrote(UInt64(count), of: entry) != nil { finished += 1 }
                            continue
                        }
                        let sample = random.chance(3) ? Self.plausible(entries, &random) : Self.sample(&random)
                        let decision: EntryDecision = asks ? EntryDecision.allCases[random.below(3)] : .all
                        let verdicts = try tree.take([sample], lane: UInt32(random.below(8) / 7), deciding: decision)
                        if case .entry(let entry) = sample, verdicts == [.take] {
                            #expect(entry.index == entries)
                            entries += 1
                        }
                        if case .finish? = verdicts.first { finished += 1 }
                        taken += verdicts.count
                    } catch is ProtocolViolation {
                        // A real session ends here; going on is only harder.
                        refused += 1
                    }
                    #expect(tree.rememberedCount < 400)
                }
                if random.chance(3) { tree.abandon() }
                let end = try Message.End(
                    transfer: 1, entries: entries, bytes: 0, lanes: Array(0..<UInt32(random.below(4))))
                do { try tree.end(end) } catch is ProtocolViolation { refused += 1 }
            }
        }
        #expect(taken > 1000 && finished > 10 && refused > 1000, "The runs must reach all of it to mean something")
    }

    @Test func senderSendsOnlyAnnouncedContent() {
        var (decided, refused) = (0, 0)
        for number in 0..<400 {
            withSeed(UInt64(0xE12_0000 + number)) { random in
                var tree = try outgoingTree(asks: true)
                try tree.addEntry(isFolder: true)
                for _ in 0..<random.below(8) {
                    if random.chance(3) { try tree.addEntry(isFolder: false) } else { try tree.addFile(size: 700_000) }
                }
                let entries = tree.nextIndex
                var due: UInt32 = 0
                for _ in 0..<30 {
                    do {
                        if random.chance(2) {
                            let holding = try Message.Holding(
                                transfer: 1, index: UInt32(random.below(9)), block: UInt64(random.below(4)),
                                digests: [UInt8](repeating: 0, count: 16 * random.below(3)), isLast: random.chance(2))
                            _ = try tree.receive(holding)
                        } else {
                            let decisions = (0..<(1 + random.below(3))).map { _ in
                                EntryDecision.allCases[random.below(3)]
                            }
                            let first = random.chance(4) ? UInt32(random.below(9)) : due
                            let wanted = try Message.Wanted(transfer: 1, first: first, decisions: decisions)
                            let files = try tree.receive(wanted)
                            due += UInt32(decisions.count)
                            decided += files.count
                            #expect(files.allSatisfy { $0.entry < entries })
                        }
                    } catch is ProtocolViolation {
                        // After a stop inside a message the order of the rest is undefined.
                        refused += 1
                    } catch is InvalidValue {}
                }
            }
        }
        #expect(decided > 100 && refused > 1000, "The runs must reach both to mean something")
    }
}
