import PortolanProtocol
import TestSupport
import Testing

/// Violations of a sender on its lanes.
@Suite(.aside) struct IncomingTreeTests {
    @Test func smallFolderComesOnOneLane() throws {
        var tree = try incomingTree()
        let verdicts = try tree.take([
            .folder(0), .file(1, content: [1, 2]), .folder(2), .file(3, in: 2, content: []),
            .file(4, content: [3], isLinkTarget: true), .entry(.init(index: 5, kind: .hardLink(to: 4))),
            .entry(.init(index: 6, kind: .symbolicLink(target: [0x61]))),
        ])
        #expect(verdicts == Array(repeating: .take, count: 7))
        try tree.take([.mark])
        #expect(!tree.isComplete)
        try tree.finish(entries: 7, bytes: 3)
        #expect(tree.isComplete)
        #expect(violation { try tree.take([.mark]) } == .unexpected)
    }

    @Test func largeFileComesInAnyOrderOnSeveralLanes() throws {
        var tree = try incomingTree(folder: false)
        try tree.take([.file(0, size: 100)])
        try tree.finish(entries: 1, bytes: 80, lanes: 3)
        #expect(try tree.take(0, 60, 40, lane: 2) == nil)
        try tree.take([.mark], lane: 2)
        #expect(try tree.take([.end(0, size: 100)], lane: 1) == [.take])
        #expect(try tree.take([.hole(entry: 0, offset: 20, length: 20)], lane: 1) == [.take])
        #expect(try tree.wrote(20, of: 0) == nil)
        try tree.take([.mark], lane: 1)
        try tree.take(0, 0, 20)
        #expect(try tree.take(0, 40, 20) == IncomingTree.FinishedFile(entry: 0, size: 100, failure: nil))
        #expect(!tree.isComplete)
        try tree.take([.mark])
        #expect(tree.isComplete)
    }

    @Test func unstorableFileIsReceivedAndDropped() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)])
        try tree.take([.file(1, size: 100), .file(2, size: 8)], deciding: .nothing)
        let header = PayloadHeader(transfer: 1, entry: 1, offset: 60)
        #expect(try tree.take(header, count: 40, lane: 1) == .drop)
        #expect(try tree.take([.hole(entry: 1, offset: 0, length: 20)], lane: 1) == [.drop])
        #expect(try tree.take([.end(1, size: 100)]) == [.drop])
        func takeAgain(_ tree: IncomingTree) throws {
            var tree = tree
            _ = try tree.take(header, count: 40, lane: 1)
        }
        #expect(violation { try takeAgain(tree) } == .unexpected)
        #expect(try tree.take(PayloadHeader(transfer: 1, entry: 1, offset: 20), count: 40, lane: 0) == .drop)
        // Over, and no longer waited for.
        #expect(violation { try takeAgain(tree) } == .unexpected)
        #expect(try tree.take([.end(2, size: 0, failure: .changed)]) == [.drop])
        try tree.take([.file(3, size: 1)])
        #expect(try tree.take(3, 0, 1) == nil)
        #expect(try tree.take([.end(3, size: 1)]) == [.finish(IncomingTree.FinishedFile(entry: 3, size: 1))])
        try tree.take([.mark])
        try tree.take([.mark], lane: 1)
        try tree.finish(entries: 4, bytes: 81, lanes: 2)
        #expect(tree.isComplete)
    }

    @Test func fileIsFinishedOnlyWhenAllContentIsStored() throws {
        var tree = try incomingTree(folder: false)
        try tree.take([.file(0, size: 8)])
        let header = PayloadHeader(transfer: 1, entry: 0, offset: 0)
        #expect(try tree.take(header, count: 8, lane: 1) == .take)
        // The other lane is still writing when the end comes.
        #expect(try tree.take([.end(0, size: 8)]) == [.take])
        #expect(try tree.wrote(8, of: 0) == IncomingTree.FinishedFile(entry: 0, size: 8, failure: nil))
    }

    @Test func rangeBeforeItsEntryWaits() throws {
        var tree = try incomingTree()
        let header = PayloadHeader(transfer: 1, entry: 1, offset: 0)
        #expect(try tree.take(header, count: 1, lane: 1) == .wait)
        try tree.take([.folder(0)])
        #expect(try tree.take(header, count: 1, lane: 1) == .wait)
        let record = try TreeSample.record([.file(1, size: 1)])
        try record.withUnsafeBytes { bytes in
            var reader = try TreeReader(bytes)
            guard let element = try reader.next() else { throw VectorError("Nothing came") }
            #expect(try tree.take(element, lane: 0) == .take)
        }
        // The file is being made.
        #expect(try tree.take(header, count: 1, lane: 1) == .wait)
        tree.decide(1, .all)
        #expect(try tree.take(header, count: 1, lane: 1) == .take)
    }

    @Test func impossibleElementIsNotAwaited() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)])
        #expect(violation { try tree.take(1, 0, 1) } == .unexpected)
        var other = try incomingTree()
        try other.take([.folder(0), .mark])
        #expect(violation { try other.take(1, 0, 1, lane: 1) } == .unexpected)
        var last = try incomingTree()
        let header = PayloadHeader(transfer: 1, entry: 0, offset: 0)
        #expect(try last.take(header, count: 1, lane: 7) == .wait)
        try last.end(Message.End(transfer: 1, entries: 1, bytes: 1, lanes: [7]))
        #expect(violation { _ = try last.take(header, count: 1, lane: 7) } == .unexpected)
    }

    @Test func moreLanesThanWereAllowed() throws {
        var tree = try incomingTree()
        for lane in [9, 3, 300, 4] as [UInt32] { try tree.take([.mark], lane: lane) }
        #expect(violation { try tree.take([.mark], lane: 5) } == .unexpected)
        try tree.end(Message.End(transfer: 1, entries: 0, bytes: 0, failure: .changed, lanes: [3, 4, 9, 300]))
        #expect(tree.isComplete)
    }

    // MARK: Entries

    @Test(
        arguments: [
            ([.file(0, content: [])], .unexpected),
            ([.entry(.init(index: 0, name: [], kind: .symbolicLink(target: [1])))], .unexpected),
            ([.entry(.init(index: 0, name: [], kind: .hardLink(to: 0)))], .unexpected),
            ([.folder(1)], .unexpected), ([.folder(0), .folder(0)], .unexpected),
            ([.folder(0), .folder(2)], .unexpected),
            ([.folder(0, in: 1)], .unexpected), ([.folder(0), .folder(1, in: 1)], .unexpected),
            ([.folder(0), .file(1, content: []), .file(2, in: 1, content: [])], .unexpected),
            ([.folder(0), .folder(1), .folder(2), .file(3, in: 1, content: [])], .unexpected),
            ([.folder(0), .entry(.init(index: 1, kind: .hardLink(to: 1)))], .unexpected),
            ([.folder(0), .file(1, content: []), .entry(.init(index: 2, kind: .hardLink(to: 1)))], .unexpected),
            ([.folder(0), .entry(.init(index: 1, kind: .hardLink(to: 0)))], .unexpected),
            ((0..<129).map { .folder($0, in: $0 == 0 ? 0 : $0 - 1) }, .limit),
            ([.folder(0), .content(entry: 0, [])], .unexpected),
            ([.folder(0), .file(1, size: 1), .content(entry: 1, [1])], .unexpected),
            ([.folder(0), .end(0, size: 0)], .unexpected), ([.folder(0), .end(1, size: 0)], .unexpected),
            ([.folder(0), .file(1, content: [1]), .end(1, size: 1)], .unexpected),
            ([.folder(0), .hole(entry: 0, offset: 0, length: 1)], .unexpected),
            ([.folder(0), .mark, .folder(1)], .unexpected), ([.mark, .mark], .unexpected),
        ] as [([TreeSample], ProtocolViolation.Kind)])
    func treesThatAreNone(samples: [TreeSample], kind: ProtocolViolation.Kind) throws {
        var tree = try incomingTree()
        #expect(violation { try tree.take(samples) } == kind)
    }

    @Test func aFolderInPlaceOfAFile() throws {
        var tree = try incomingTree(folder: false)
        #expect(violation { try tree.take([.folder(0)]) } == .unexpected)
        var other = try incomingTree(folder: false)
        #expect(violation { try other.take([.file(0, content: []), .file(1, content: [])]) } == .unexpected)
    }

    @Test func entriesAreAcceptedOnOneLaneOnly() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)], lane: 1)
        #expect(violation { try tree.take([.folder(1)]) } == .unexpected)
    }

    // MARK: Ranges

    private func fileTree(size: UInt64?, inOrder: Bool = false) throws -> IncomingTree {
        var tree = try incomingTree(folder: false, inOrder: inOrder)
        try tree.take([.file(0, size: size)])
        return tree
    }

    @Test func moreThanWasDeclared() throws {
        var tree = try fileTree(size: 10)
        #expect(violation { try tree.take(0, 5, 6) } == .unexpected)
        #expect(violation { try tree.take(0, 10, 1) } == .unexpected)
        #expect(violation { try tree.take([.hole(entry: 0, offset: 0, length: 11)]) } == .unexpected)
        #expect(violation { try tree.take(0, .max, 1) } == .limit)
        #expect(violation { try tree.take(0, 0, 1_048_577) } == .limit)
    }

    @Test func overlappingRangesAreRefused() throws {
        var tree = try fileTree(size: 10)
        try tree.take(0, 4, 4)
        for (offset, count) in [(0, 5), (4, 4), (7, 1), (5, 2), (0, 10)] {
            #expect(violation { try tree.take(0, UInt64(offset), count, lane: 1) } == .unexpected)
        }
        #expect(violation { try tree.take([.hole(entry: 0, offset: 7, length: 2)]) } == .unexpected)
    }

    @Test func aFileInTooManyParts() throws {
        var tree = try fileTree(size: 1 << 20)
        for part in 0..<4096 { try tree.take(0, UInt64(2 * part), 1) }
        #expect(violation { try tree.take(0, 9000, 1) } == .limit)
    }

    @Test(
        arguments: [
            (.end(0, size: 9, sent: 4), .unexpected), (.end(0, size: 11), .unexpected),
            (.end(0, size: 10, sent: 9), .unexpected),
            (.end(0, size: 0, sent: 3, failure: .changed), .unexpected),
        ] as [(TreeSample, ProtocolViolation.Kind)])
    func endsThatContradictWhatCame(end: TreeSample, kind: ProtocolViolation.Kind) throws {
        var tree = try fileTree(size: 10)
        try tree.take(0, 0, 4)
        #expect(violation { try tree.take([end]) } == kind)
    }

    @Test func contentBeyondTheFileEndIsRefused() throws {
        var tree = try fileTree(size: 10)
        try tree.take([.end(0, size: 0, sent: 4, failure: .unreadable)])
        #expect(violation { try tree.take(0, 0, 5) } == .unexpected)
    }

    @Test func aFileEndsOnce() throws {
        var tree = try fileTree(size: 10)
        try tree.take([.end(0, size: 10)])
        #expect(violation { try tree.take([.end(0, size: 10)]) } == .unexpected)
        try tree.take(0, 0, 10)
        #expect(violation { try tree.take([.end(0, size: 10)]) } == .unexpected)
        #expect(violation { try tree.take(0, 0, 1) } == .unexpected)
    }

    @Test func failedFileIsOverWhenAllSentContentHasCome() throws {
        var tree = try fileTree(size: 10)
        #expect(try tree.take([.end(0, size: 0, sent: 4, failure: .changed)], lane: 1) == [.take])
        let failed = IncomingTree.FinishedFile(entry: 0, size: 0, failure: .changed)
        #expect(try tree.take(0, 3, 4) == failed)
    }

    @Test func streamComesInOrderOnTheFirstLane() throws {
        var tree = try fileTree(size: nil)
        try tree.take(0, 0, 4)
        #expect(violation { try tree.take(0, 5, 1) } == .unexpected)
        #expect(violation { try tree.take(0, 4, 1, lane: 1) } == .unexpected)
        #expect(violation { try tree.take([.hole(entry: 0, offset: 4, length: 4)]) } == .unexpected)
        try tree.take(0, 4, 4)
        #expect(violation { try tree.take([.end(0, size: 9, sent: 8)]) } == .unexpected)
        let finished = IncomingTree.FinishedFile(entry: 0, size: 8, failure: nil)
        #expect(try tree.take([.end(0, size: 8)]) == [.finish(finished)])
    }

    @Test func orderIsEnforcedIfRequested() throws {
        var tree = try incomingTree(inOrder: true)
        try tree.take([.folder(0), .file(1, size: 4)])
        #expect(violation { try tree.take([.folder(2)]) } == .unexpected)
        #expect(violation { try tree.take(1, 2, 2) } == .unexpected)
        #expect(violation { try tree.take(1, 0, 2, lane: 1) } == .unexpected)
        try tree.take(1, 0, 4)
        try tree.take([.end(1, size: 4), .folder(2)])
    }

    // MARK: Bounds

    @Test func oneFileMoreThanTheLimitWaitsForAnother() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)])
        for index in 1...64 { #expect(try tree.take([.file(UInt32(index), size: 1)]) == [.take]) }
        #expect(try tree.take([.file(65, size: 1)]) == [.wait])
        // An entry that carries its content needs no place.
        #expect(try tree.take([.file(65, content: [1])]) == [.take])
        try tree.take([.end(7, size: 1)], lane: 3)
        #expect(try tree.take([.file(66, size: 1)]) == [.wait])
        try tree.take(7, 0, 1, lane: 2)
        #expect(try tree.take([.file(66, size: 1)]) == [.take])
    }

    @Test func moreLinkTargetsThanAreRemembered() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)])
        for index in 1...65_536 { try tree.take([.file(UInt32(index), content: [], isLinkTarget: true)]) }
        try tree.take([.entry(.init(index: 65_537, kind: .hardLink(to: 65_536)))])
        #expect(violation { try tree.take([.file(65_538, content: [], isLinkTarget: true)]) } == .limit)
    }

    @Test func memoryDoesNotGrowWithAMillionEntries() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0)])
        var index: UInt32 = 1
        let record = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { record.deallocate() }
        while index < 1_000_000 {
            var writer = TreeWriter(record, transfer: 1)
            let isFolder = index.isMultiple(of: 1000)
            let sample = TreeSample.Entry(
                index: index, kind: isFolder ? .folder : .file(size: 0, content: []), permissions: 0o644)
            _ = try sample.withElement { writer.append(.entry($0)) }
            var reader = try TreeReader(UnsafeRawBufferPointer(rebasing: record[..<writer.count]))
            while let element = try reader.next() { _ = try tree.take(element, lane: 0) }
            index += 1
        }
        try tree.take([.mark])
        try tree.finish(entries: 1_000_000, bytes: 0)
        #expect(tree.isComplete)
        // Folders that have ended, and files that were received whole, are not remembered.
        #expect(tree.rememberedCount < 4)
    }

    // MARK: The end

    @Test(arguments: [(0, 0, 1), (2, 0, 1), (1, 1, 1), (1, 0, 2)] as [(UInt32, UInt64, UInt32)])
    func wrongTotalsAreRefused(entries: UInt32, bytes: UInt64, lanes: UInt32) throws {
        var tree = try incomingTree()
        try tree.take([.folder(0), .mark])
        if lanes == 1 {
            #expect(violation { try tree.finish(entries: entries, bytes: bytes) } == .unexpected)
        } else {
            try tree.finish(entries: entries, bytes: bytes, lanes: lanes)
            #expect(!tree.isComplete)
            #expect(violation { try tree.take([.mark], lane: 2) } == .unexpected)
        }
    }

    @Test func uncountedLaneIsRefused() throws {
        var tree = try fileTree(size: 10)
        try tree.take(0, 0, 1, lane: 1)
        #expect(violation { try tree.finish(entries: 1, bytes: 1) } == .unexpected)
    }

    @Test func anEndInsideAFile() throws {
        var tree = try fileTree(size: 10)
        try tree.take([.mark])
        #expect(violation { try tree.finish(entries: 1, bytes: 0) } == .unexpected)
        var empty = try incomingTree()
        try empty.take([.mark])
        #expect(violation { try empty.finish(entries: 0, bytes: 0) } == .unexpected)
    }

    @Test func failedTransferMayEndAnywhere() throws {
        var tree = try fileTree(size: 10)
        try tree.take(0, 0, 3)
        try tree.take([.mark])
        try tree.finish(entries: 1, bytes: 3, failure: .cancelled)
        #expect(tree.isComplete)
        var early = try incomingTree()
        try early.finish(entries: 0, bytes: 0, lanes: 0, failure: .cancelled)
        #expect(early.isComplete)
    }

    @Test func abandonedContentIsDroppedButStillChecked() throws {
        var tree = try incomingTree()
        try tree.take([.folder(0), .file(1, size: 10)])
        tree.abandon()
        #expect(try tree.take([.file(2, content: [1]), .end(1, size: 10)]) == [.drop, .drop])
        try tree.take(9, 0, 5, lane: 1)
        try tree.take([.mark])
        try tree.take([.mark], lane: 1)
        #expect(violation { try tree.finish(entries: 3, bytes: 5, lanes: 2) } == .unexpected)
    }
}
