import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

/// Messages that a receiver must not send about an earlier version, and questions and content that a sender must not
/// send for it.
@Suite struct DifferenceTests {
    private func wanted(_ decisions: [EntryDecision]) throws -> Message.Wanted {
        try Message.Wanted(transfer: 1, first: 0, decisions: decisions)
    }

    private func base(
        _ index: UInt32 = 0, size: UInt64? = nil, data: Int = 16, isLast: Bool = true
    ) throws -> Message.Base {
        try Message.Base(
            transfer: 1, index: index,
            beginning: size.map { Message.Base.Beginning(key: [UInt8](repeating: 1, count: 32), size: $0) },
            data: [UInt8](repeating: 0, count: data), isLast: isLast)
    }

    private func sender(takesDifferences: Bool = true) throws -> OutgoingTree {
        var machine = OfferingMachine(offer: try fileOffer())
        _ = machine.start()
        let answer = try Message.Answer(
            offer: 1,
            choices: [ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(asks: true, lanes: 4))])
        for case .produce(var transfer) in try machine.receive(.answer(answer)) {
            var tree = try transfer.beginTree(name: [0x6E], takesDifferences: takesDifferences).tree
            try tree.addFile(size: 1_000_000)
            return tree
        }
        throw VectorError("Nothing is produced")
    }

    private func fileOffer() throws -> Offer {
        try Offer(
            id: 1,
            items: [
                OfferedItem(
                    title: "item",
                    representations: [
                        OfferedRepresentation(
                            type: OfferedType(identifier: "public.data"), channel: .file, isFolder: false,
                            source: [UInt8](repeating: 7, count: 16))
                    ])
            ])
    }

    /// - Returns: the tree of a transfer whose only file comes by its difference.
    private func receiver(takesDifferences: Bool = true) throws -> IncomingTree {
        var machine = ReceivingMachine()
        _ = try machine.receive(.offer(fileOffer()))
        _ = machine.answer([.take(representation: 0)], terms: [0: LaneTerms(asks: true, lanes: 4)])
        let begin = try Message.Begin(
            transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: [], size: nil, asks: true,
            takesDifferences: takesDifferences)
        for case .beginTree(_, _, var tree) in try machine.receive(.begin(begin)) {
            #expect(tree.takesDifferences == takesDifferences)
            guard takesDifferences else { return tree }
            _ = try tree.take(.entry(entry), lane: 0)
            tree.decide(0, .difference)
            return tree
        }
        throw VectorError("Nothing begins")
    }

    private var entry: TreeEntryElement {
        TreeEntryElement(
            index: 0, parent: 0, name: UnsafeRawBufferPointer(start: nil, count: 0),
            kind: .file(TreeEntryElement.File(size: 1000)), permissions: 0o644,
            modified: Self.time)
    }

    private static let time: Timestamp = {
        guard let time = try? Timestamp(seconds: 1, nanoseconds: 0) else { fatalError("It is a time") }
        return time
    }()

    @Test func unannouncedDifferencesAreNotRequested() throws {
        var tree = try sender(takesDifferences: false)
        #expect(violation { _ = try tree.receive(wanted([.difference])) } == .unexpected)
        var other = try receiver(takesDifferences: false)
        let groups = try Message.Compare(transfer: 1, index: 0, .groups([0..<1]))
        #expect(violation { _ = try other.take(groups) } == .unexpected)
    }

    @Test func receiversMessagesAboutABaseAreChecked() throws {
        var tree = try sender()
        #expect(violation { _ = try tree.receive(base(size: 20_000)) } == .unexpected, "nothing is decided")
        _ = try tree.receive(wanted([.difference]))
        #expect(violation { _ = try tree.receive(base()) } == .unexpected, "a first word without key and size")
        #expect(violation { _ = try tree.receive(base(size: 20_000, data: 48)) } == .limit, "three groups of 20 kB")
        #expect(throws: InvalidValue.self, "little at a time") { try base(data: 131_071, isLast: false) }
        #expect(try tree.receive(base(size: 140_000_000, data: 131_072, isLast: false)))
        #expect(violation { _ = try tree.receive(base(size: 20_000)) } == .unexpected, "two earlier versions")
        #expect(try tree.receive(base()))
        #expect(violation { _ = try tree.receive(base()) } == .unexpected, "nobody asked")
        _ = try tree.compare(0, .groups([0..<1]), answer: 20)
        #expect(violation { _ = try tree.receive(base(data: 21)) } == .limit)
        #expect(try tree.receive(base(data: 20)))
    }

    @Test func sendersQuestionsAboutABaseAreChecked() throws {
        func compare(_ question: Message.Compare.Question) throws -> Message.Compare {
            try Message.Compare(transfer: 1, index: 0, question)
        }
        func sums(_ range: Range<UInt64>, block: Int = 1024) throws -> Message.Compare {
            try compare(.sums([Message.Compare.Sums(base: range, block: block, strong: 4)]))
        }
        var tree = try receiver()
        #expect(violation { _ = try tree.take(compare(.groups([0..<1]))) } == .unexpected, "nothing was said yet")
        let beginning = Message.Base.Beginning(key: [UInt8](repeating: 1, count: 32), size: 20_000)
        #expect(tree.base(0, beginning, data: [UInt8](repeating: 0, count: 16), isLast: true) != nil)
        #expect(violation { _ = try tree.take(compare(.groups([1..<2]))) } == .unexpected)
        #expect(violation { _ = try tree.take(sums(0..<20_001)) } == .unexpected)
        #expect(violation { _ = try tree.take(sums(0..<16)) } == .unexpected, "a part of a block")
        #expect(try tree.take(compare(.groups([0..<1]))))
        #expect(violation { _ = try tree.take(sums(0..<1024)) } == .unexpected, "one question at a time")
        #expect(tree.base(0, nil, data: [], isLast: true) != nil)
        #expect(violation { _ = try tree.take(compare(.groups([0..<1]))) } == .unexpected, "groups twice")
        #expect(try tree.take(sums(2048..<6144)))
        #expect(tree.base(0, nil, data: [], isLast: true) != nil)
        #expect(violation { _ = try tree.take(sums(1024..<2048)) } == .unexpected, "backwards")
        #expect(violation { _ = try tree.take(sums(4096..<8192)) } == .unexpected, "some of it twice")
        #expect(try tree.take(sums(8192..<20_000, block: 4096)))
    }

    @Test func revealingSumsAreNotRequested() throws {
        func compare(_ ranges: [Range<UInt64>], block: Int = 1024) throws -> Message.Compare {
            try Message.Compare(
                transfer: 1, index: 0,
                .sums(ranges.map { Message.Compare.Sums(base: $0, block: block, strong: 8) }))
        }
        _ = try compare([0..<1024, 1024..<2048, 4096..<5000])
        #expect(throws: InvalidValue.self, "small blocks") { try compare([0..<1024], block: 256) }
        #expect(throws: InvalidValue.self, "blocks that are shifted") { try compare([1..<1025]) }
        #expect(throws: InvalidValue.self, "blocks of other boundaries") { try compare([1024..<5120], block: 2048) }
        #expect(throws: InvalidValue.self, "twice") { try compare([0..<2048, 1024..<2048]) }
        #expect(throws: InvalidValue.self, "backwards") { try compare([1024..<2048, 0..<1024]) }
    }

    @Test func noAnswerHasMoreThanFourMebibytesOfSums() throws {
        func compare(_ count: UInt64) throws -> Message.Compare {
            let length = Message.Compare.longestRange
            return try Message.Compare(
                transfer: 1, index: 0,
                .sums(
                    (0..<count).map {
                        Message.Compare.Sums(base: $0 * length..<($0 + 1) * length, block: 1024, strong: 8)
                    }))
        }
        _ = try compare(21)
        let error = #expect(throws: InvalidValue.self) { try compare(22) }
        #expect(error?.isLimit == true)
    }

    @Test func copiesAreInsideTheReceiversVersion() throws {
        func copy(_ offset: UInt64, _ base: UInt64, _ length: UInt64) -> TreeElement {
            .copy(CopyElement(entry: 0, offset: offset, base: base, length: length))
        }
        var tree = try receiver()
        #expect(violation { _ = try tree.take(copy(0, 0, 1), lane: 0) } == .unexpected, "nothing was said yet")
        let beginning = Message.Base.Beginning(key: [UInt8](repeating: 1, count: 32), size: 500)
        _ = tree.base(0, beginning, data: [UInt8](repeating: 0, count: 16), isLast: true)
        #expect(violation { _ = try tree.take(copy(0, 1, 500), lane: 0) } == .unexpected)
        #expect(
            violation { _ = try tree.take(copy(501, 0, 500), lane: 0) } == .unexpected, "behind the end of the file")
        #expect(try tree.take(copy(0, 0, 500), lane: 0) == .take)
        #expect(try tree.wrote(500, of: 0) == nil)
        #expect(violation { _ = try tree.take(copy(499, 0, 1), lane: 0) } == .unexpected, "twice")
        #expect(try tree.take(copy(500, 0, 500), lane: 0) == .take)
        #expect(try tree.wrote(500, of: 0) == nil)
        var plain = tree
        let end = FileEndElement(entry: 0, size: 1000, sent: 1000)
        #expect(violation { _ = try plain.take(.fileEnd(end), lane: 0) } == .unexpected, "without a digest")
        let digest = [UInt8](repeating: 3, count: 16)
        let built = FileEndElement(entry: 0, size: 1000, sent: 1000, digest: digest)
        let finished = IncomingTree.FinishedFile(
            entry: 0, size: 1000, digest: FileDigest(key: beginning.key, bytes: digest))
        #expect(try tree.take(.fileEnd(built), lane: 0) == .finish(finished))
    }
}
