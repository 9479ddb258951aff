import PortolanProtocol
import TestSupport
import Testing

/// Messages that a receiver must not send about entries, and unasked content that a sender must not send.
@Suite struct AskingTests {
    private func wanted(_ first: UInt32, _ decisions: [EntryDecision], transfer: UInt32 = 1) throws -> Message.Wanted {
        try Message.Wanted(transfer: transfer, first: first, decisions: decisions)
    }

    private func holding(
        _ index: UInt32, _ block: UInt64, _ count: Int, isLast: Bool = false, transfer: UInt32 = 1
    ) throws -> Message.Holding {
        try Message.Holding(
            transfer: transfer, index: index, block: block, digests: [UInt8](repeating: 0, count: 16 * count),
            isLast: isLast)
    }

    /// A sender with a folder, a file that was sent whole, one of three blocks and one of unknown size.
    private func sender() throws -> OutgoingTree {
        var tree = try outgoingTree(asks: true)
        try tree.addEntry(isFolder: true)
        try tree.addWhole(size: 3)
        try tree.addFile(size: 600_000)
        try tree.addFile(size: nil)
        return tree
    }

    @Test func decisionsAreInOrderAndAboutAnnouncedFiles() throws {
        var tree = try sender()
        #expect(try tree.receive(wanted(0, [.nothing, .nothing])).isEmpty)
        let decided = try tree.receive(wanted(2, [.compare, .nothing]))
        #expect(decided.map(\.entry) == [2, 3] && decided.map(\.decision) == [.compare, .nothing])
    }

    @Test func unrelatedDecisionsAreRefused() throws {
        func refused(_ first: UInt32, _ decisions: [EntryDecision], transfer: UInt32 = 1) throws
            -> ProtocolViolation.Kind?
        {
            var tree = try sender()
            return violation { _ = try tree.receive(wanted(first, decisions, transfer: transfer)) }
        }
        #expect(try refused(1, [.nothing]) == .unexpected)
        #expect(try refused(0, Array(repeating: .nothing, count: 5)) == .unexpected)
        #expect(try refused(0, [.all]) == .unexpected)
        #expect(try refused(0, [.nothing, .all]) == .unexpected)
        #expect(try refused(0, [.nothing, .nothing, .all, .compare]) == .unexpected)
        #expect(try refused(0, [.nothing], transfer: 2) == .unexpected)
        var unasked = try outgoingTree()
        try unasked.addEntry(isFolder: true)
        #expect(violation { _ = try unasked.receive(wanted(0, [.nothing])) } == .unexpected)
        #expect(violation { _ = try unasked.receive(holding(0, 0, 1)) } == .unexpected)
    }

    @Test func unrelatedClaimsAreRefused() throws {
        var tree = try sender()
        #expect(violation { _ = try tree.receive(holding(2, 0, 1)) } == .unexpected)
        _ = try tree.receive(wanted(0, [.nothing, .nothing, .compare, .all]))
        #expect(violation { _ = try tree.receive(holding(2, 0, 4)) } == .unexpected)
        #expect(violation { _ = try tree.receive(holding(2, 3, 1)) } == .unexpected)
        #expect(try tree.receive(holding(2, 1, 1)))
        #expect(violation { _ = try tree.receive(holding(2, 1, 1)) } == .unexpected)
        #expect(violation { _ = try tree.receive(holding(2, 0, 1)) } == .unexpected)
        #expect(violation { _ = try tree.receive(holding(2, 2, 1, transfer: 3)) } == .unexpected)
        #expect(try tree.receive(holding(2, 0, 0, isLast: true)))
        #expect(violation { _ = try tree.receive(holding(2, 2, 1)) } == .unexpected)
        #expect(violation { _ = try tree.receive(holding(3, 0, 1)) } == .unexpected, "all of a stream is wanted")
        // Claims for files that are over, or never were asked for, are ignored.
        #expect(try !tree.receive(holding(0, 0, 1)))
        #expect(try !tree.receive(holding(1, 0, 1)))
    }

    @Test func claimsInTooManyParts() throws {
        var tree = try outgoingTree(asks: true)
        try tree.addEntry(isFolder: true)
        try tree.addFile(size: Limits.size)
        _ = try tree.receive(wanted(0, [.nothing, .compare]))
        // Two messages about blocks that touch are about one part.
        #expect(try tree.receive(holding(1, 0, 1)))
        #expect(try tree.receive(holding(1, 1, 1)))
        for part in 1..<UInt64(Limits.fileParts) { #expect(try tree.receive(holding(1, 3 * part, 1))) }
        let last = 3 * UInt64(Limits.fileParts - 1)
        #expect(try tree.receive(holding(1, last + 1, 1)))
        #expect(violation { _ = try tree.receive(holding(1, last + 3, 1)) } == .limit)
        #expect(try tree.receive(holding(1, 0, 0, isLast: true)))
    }

    @Test func unwantedFileIsNotSent() throws {
        var tree = try incomingTree(asks: true)
        try tree.take([.folder(0), .file(1, size: 5)], deciding: .nothing)
        try tree.take([.file(2, size: 5)], deciding: .all)
        try tree.take([.file(3, size: 5)], deciding: .compare)
        #expect(tree.wanted() == (try wanted(0, [.nothing, .nothing, .all, .compare])))
        #expect(tree.wanted() == nil)
        #expect(violation { try tree.take(1, 0, 5) } == .unexpected)
        #expect(violation { try tree.take([.content(entry: 1, [1, 2, 3, 4, 5])]) } == .unexpected)
        #expect(violation { try tree.take([.content(entry: 3, [1, 2, 3, 4, 5])]) } == .unexpected)
        #expect(violation { try tree.take([.content(entry: 2, [1, 2, 3, 4])]) } == .unexpected)
        #expect(try tree.take([.content(entry: 2, [1, 2, 3, 4, 5])]) == [.take])
        #expect(violation { try tree.take([.content(entry: 2, [1, 2, 3, 4, 5])]) } == .unexpected)
        try tree.take([.file(4, size: 5)], deciding: .all)
        #expect(violation { try tree.take([.end(4, size: 5, sent: 0)]) } == .unexpected)
    }

    @Test func unsentContentMustBeClaimed() throws {
        func ended(_ blocks: Range<UInt64>?) throws -> [IncomingTree.Verdict] {
            var tree = try incomingTree(folder: false, asks: true)
            try tree.take([.file(0, size: 600_000)], deciding: .compare)
            if let blocks {
                let digests = [UInt8](repeating: 0, count: 16 * blocks.count)
                #expect(tree.holding(0, block: blocks.lowerBound, digests: digests, isLast: true) != nil)
            }
            let tail = try tree.take(PayloadHeader(transfer: 1, entry: 0, offset: 524_288), count: 75_712, lane: 0)
            #expect(tail == .take)
            #expect(try tree.wrote(75_712, of: 0) == nil)
            return try tree.take([.end(0, size: 600_000, sent: 75_712)])
        }
        #expect(try ended(0..<2) == [.finish(IncomingTree.FinishedFile(entry: 0, size: 600_000, kept: 524_288))])
        #expect(try ended(0..<3) == [.finish(IncomingTree.FinishedFile(entry: 0, size: 600_000, kept: 524_288))])
        #expect(violation { _ = try ended(1..<3) } == .unexpected)
        #expect(violation { _ = try ended(nil) } == .unexpected)
    }

    @Test func finishedFileIsNotClaimed() throws {
        var tree = try incomingTree(folder: false, asks: true)
        try tree.take([.file(0, size: 10)], deciding: .compare)
        #expect(try tree.take([.end(0, size: 0, sent: 0, failure: .unreadable)]).count == 1)
        #expect(tree.holding(0, block: 0, digests: [UInt8](repeating: 0, count: 16), isLast: true) == nil)
    }

    @Test func pendingAttributesLimitTheAnnouncedFiles() throws {
        let most = 64
        let name: [UInt8] = [0x61, 0x62]
        // With 32 more for each, one byte above the 64th part of the common limit.
        let value = [UInt8](repeating: 7, count: (4 << 20) / most - name.count - 32 + 1)
        var sender = try outgoingTree(asks: true)
        var receiver = try incomingTree(asks: true)
        try sender.addEntry(isFolder: true)
        try receiver.take([.folder(0)])
        for index in 1...UInt32(most) {
            #expect(sender.mayAddFile)
            try sender.addFile(size: 1, attributeBytes: name.count + value.count + 32)
            let attributes = [TreeSample.Entry.Attribute(name: name, value: value)]
            let file = TreeSample.entry(
                TreeSample.Entry(index: index, kind: .file(size: 1), attributes: attributes))
            #expect(try receiver.take([file]) == [.take])
        }
        #expect(!sender.mayAddFile)
        let next = TreeSample.file(UInt32(most) + 1, size: 1)
        #expect(try receiver.take([next]) == [.wait])
        // A completed file frees its place.
        _ = try sender.receive(wanted(0, [.nothing, .all]))
        sender.sentWhole(1)
        #expect(sender.mayAddFile)
        try receiver.take([.content(entry: 1, [1])], lane: 1)
        #expect(try receiver.take([next]) == [.take])
    }

    @Test func oneFileMoreThanTheLimitWaits() throws {
        var tree = try incomingTree(asks: true)
        try tree.take([.folder(0)])
        for index in 1...8192 { try tree.take([.file(UInt32(index), size: 1)]) }
        #expect(try tree.take([.file(8193, size: 1)]) == [.wait])
        try tree.take([.content(entry: 4000, [1])], lane: 1)
        #expect(try tree.take([.file(8193, size: 1)]) == [.take])
        // Sixty-four files may be begun at a time.
        for index in 1...64 { #expect(try tree.take([.end(UInt32(index), size: 1)], lane: 2) == [.take]) }
        #expect(try tree.take([.end(65, size: 1)], lane: 2) == [.wait])
        try tree.take(9, 0, 1, lane: 1)
        #expect(try tree.take([.end(65, size: 1)], lane: 2) == [.take])
    }

    @Test func filesSentInOrderAreNotCompared() throws {
        var outgoing = try outgoingTree(asks: true, inOrder: true)
        try outgoing.addEntry(isFolder: true)
        try outgoing.addFile(size: 8)
        _ = try outgoing.receive(wanted(0, [.nothing]))
        #expect(violation { _ = try outgoing.receive(wanted(1, [.compare])) } == .unexpected)
        #expect(try !incomingTree(asks: true, inOrder: true).compares)
        #expect(try incomingTree(asks: true).compares && !incomingTree().compares)
    }

    @Test func noEntryIsAnnouncedInsideAFileSentInOrder() throws {
        var outgoing = try outgoingTree(asks: true, inOrder: true)
        try outgoing.addEntry(isFolder: true)
        try outgoing.addFile(size: 8)
        try outgoing.addFile(size: 8)
        #expect(outgoing.mayAddFile)
        _ = try outgoing.receive(wanted(0, [.nothing, .all]))
        outgoing.begin(1)
        outgoing.sent(4, of: 1)
        #expect(!outgoing.mayAddFile && !outgoing.mayBegin)
        // After this decision the sender still may not add a file: the one that it began has not ended.
        _ = try outgoing.receive(wanted(2, [.nothing]))
        #expect(!outgoing.mayAddFile)
        outgoing.sent(4, of: 1)
        _ = outgoing.endFile(1, size: 8)
        #expect(outgoing.mayAddFile && outgoing.mayBegin)
    }

    @Test func transferUsesNoMoreLanesThanAllowed() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0), .file(1, size: 8)])
        for lane in 1...3 as ClosedRange<UInt32> { try tree.take(1, UInt64(lane), 1, lane: lane) }
        #expect(violation { try tree.take(1, 4, 1, lane: 4) } == .unexpected)
        var ordered = try incomingTree(inOrder: true)
        try ordered.take([.folder(0), .file(1, size: 8)])
        #expect(violation { try ordered.take(1, 0, 1, lane: 1) } == .unexpected)
    }

    // MARK: On the session

    @Test func messagesAboutOtherTransfersAreIgnoredOrRefused() throws {
        var machine = OfferingMachine(offer: try sampleOffer(items: 1))
        _ = machine.start()
        let choice = ItemChoice(item: 0, .take(representation: 1), terms: LaneTerms(asks: true, lanes: 2))
        _ = try machine.receive(.answer(Message.Answer(offer: 1, choices: [choice])))
        #expect(violation { _ = try machine.receive(.wanted(wanted(0, [.nothing]))) } == .unexpected)
        machine.began(1)
        #expect(try machine.receive(.wanted(wanted(0, [.nothing]))).count == 1)
        #expect(try machine.receive(.holding(holding(0, 0, 1))).count == 1)
        #expect(violation { _ = try machine.receive(.wanted(wanted(0, [.all], transfer: 2))) } == .unexpected)
        #expect(violation { _ = try machine.receive(.holding(holding(0, 0, 1, transfer: 0))) } == .unexpected)
        _ = machine.ended(1, failure: .cancelled)
        #expect(try machine.receive(.wanted(wanted(0, [.nothing]))).isEmpty)
    }

    @Test func itemsWithoutASourceAreNotAskedAbout() throws {
        for (source, expected) in [([], ProtocolViolation.Kind.unexpected), ([UInt8](repeating: 7, count: 16), nil)] {
            let stream = try OfferedRepresentation(
                type: OfferedType(identifier: "public.data"), channel: .file, source: source)
            let item = try OfferedItem(title: "stream", representations: [stream])
            var machine = OfferingMachine(offer: try Offer(id: 1, items: [item]))
            _ = machine.start()
            let choice = ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(asks: true))
            let answer = Message.answer(try Message.Answer(offer: 1, choices: [choice]))
            #expect(violation { _ = try machine.receive(answer) } == expected)
        }
    }

    @Test func onlyAReceiverDecides() throws {
        #expect(Message.wanted(try wanted(0, [.all])).route == .offering)
        #expect(Message.holding(try holding(0, 0, 1)).route == .offering)
    }

    @Test func transferAsksIfTheAnswerRequestsIt() throws {
        for (answered, begun) in [(true, false), (false, true)] {
            var machine = ReceivingMachine()
            _ = try machine.receive(.offer(sampleOffer(items: 1)))
            _ = machine.answer([.take(representation: 1)], terms: [0: LaneTerms(asks: answered)])
            let begin = try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: 1, channel: .file, name: [0x6E], size: nil,
                asks: begun)
            #expect(violation { _ = try machine.receive(.begin(begin)) } == .unexpected)
        }
    }

    @Test func fileContentOnTheSessionIsRefused() throws {
        var machine = ReceivingMachine()
        _ = try incomingTree(&machine)
        let header = PayloadHeader(transfer: 1, entry: 0, offset: 0)
        #expect(violation { _ = try machine.payload(header, count: 1) } == .unexpected)
    }

    @Test func anItemArrivesWhenItsTreeIsComplete() throws {
        var machine = ReceivingMachine()
        var tree = try incomingTree(&machine)
        let end = try Message.End(transfer: 1, entries: 1, bytes: 0, lanes: [0])
        guard case .endTree(let said)? = try machine.receive(.end(end)).first else {
            throw VectorError("It does not end")
        }
        try tree.end(said)
        #expect(violation { _ = try machine.receive(.end(end)) } == .unexpected)
        #expect(violation { try machine.endOfInput() } == .unexpected)
        try tree.take([.folder(0), .mark])
        guard case .complete(0, end)? = machine.treeCompleted().first else { throw VectorError("It is not complete") }
        #expect(machine.stored(0, try StoredItem(bytes: 0)).count == 2)
    }

    @Test func totalIsForTheCurrentFolder() throws {
        var machine = ReceivingMachine()
        let total = try Message.Total(transfer: 1, bytes: 5, isFinal: false)
        #expect(violation { _ = try machine.receive(.total(total)) } == .unexpected)
        _ = try incomingTree(&machine)
        let other = try Message.Total(transfer: 2, bytes: 5, isFinal: false)
        #expect(violation { _ = try machine.receive(.total(other)) } == .unexpected)
        for _ in 0..<2 {
            guard case .total(item: 0, total)? = try machine.receive(.total(total)).first else {
                throw VectorError("It is not passed on")
            }
        }
        _ = machine.failed(0, StoringFailure(.noSpace))
        #expect(try machine.receive(.total(total)).isEmpty)
        _ = try machine.receive(.end(Message.End(transfer: 1, entries: 1, bytes: 0, lanes: [0])))
        #expect(violation { _ = try machine.receive(.total(total)) } == .unexpected)
        #expect(throws: InvalidValue.self) { try Message.Total(transfer: 1, bytes: 1 << 63, isFinal: true) }
    }

    @Test func itemWithASizeHasNoTotal() throws {
        for channel in [Channel.data, .file] {
            var machine = ReceivingMachine()
            _ = try machine.receive(.offer(sampleOffer(items: 1)))
            let offer = try sampleOffer(items: 1)
            let place = offer.items[0].representations.firstIndex { $0.channel == channel }
            let representation = try #require(place)
            _ = machine.answer([.take(representation: representation)])
            let begin = try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: UInt32(representation), channel: channel, name: [0x6E],
                size: 3)
            _ = try machine.receive(.begin(begin))
            let total = try Message.Total(transfer: 1, bytes: 5, isFinal: false)
            #expect(violation { _ = try machine.receive(.total(total)) } == .unexpected)
        }
    }

    @Test func abandonedItemIsNotComplete() throws {
        var machine = ReceivingMachine()
        var tree = try incomingTree(&machine)
        _ = machine.failed(0, StoringFailure(.noSpace))
        tree.abandon()
        try tree.take([.folder(0), .mark])
        _ = try machine.receive(.end(Message.End(transfer: 1, entries: 1, bytes: 0, failure: .cancelled, lanes: [0])))
        try tree.finish(entries: 1, bytes: 0, failure: .cancelled)
        #expect(tree.isComplete)
        #expect(machine.treeCompleted().isEmpty)
        try machine.endOfInput()
    }
}
