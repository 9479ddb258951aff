import PortolanCompression
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanValues

/// Sends pieces of large files on one lane: reads, packs where that pays, seals, sends, one record after another and
/// all on one thread.
final class PieceSender {
    let lane: SendingLane
    let transfer: UInt32
    let work: OutgoingWork
    let tally: SendingTally
    let runtime: Runtime
    /// Called for a file that could not be read to its end; throws if the item is useless without it.
    let leaveOut: @Sendable (SourceEntry, FileError) throws -> Void
    /// Called for a file that has grown, of which only the earlier part was sent.
    let truncate: @Sendable (SourceEntry) -> Void
    /// Asks the receiver about an earlier version of a file.
    let ask: @Sendable (Message.Compare) -> Void
    private let pacing: Pacer?
    private var packer: BlockPacker
    private let block = AlignedMemory(count: Int(RangeCursor.block))

    init(
        on lane: SendingLane, transfer: UInt32, work: OutgoingWork, tally: SendingTally, manner: SendingManner,
        runtime: Runtime, ask: @escaping @Sendable (Message.Compare) -> Void,
        leaveOut: @escaping @Sendable (SourceEntry, FileError) throws -> Void,
        truncate: @escaping @Sendable (SourceEntry) -> Void
    ) {
        self.lane = lane
        self.transfer = transfer
        self.work = work
        self.tally = tally
        self.runtime = runtime
        self.ask = ask
        self.leaveOut = leaveOut
        self.truncate = truncate
        pacing = manner.pacing
        packer = BlockPacker(manner.compression)
    }

    /// Sends pieces until there are no more, then ends this lane.
    func run(lane number: Int) throws {
        while let piece = work.nextPiece(lane: number) { try send(piece) }
        try send(.mark)
    }

    /// - Throws: the error that ended the lane or the whole item. An unreadable file of a folder is only left out.
    func send(_ piece: OutgoingWork.Piece) throws {
        var failure: FileError?
        do {
            switch piece {
            case .data(let file, let range): try send(file, range)
            case .hole(let file, let range): try skip(file, range)
            case .compare(let file, let range, let digest):
                if try !isRight(file, range, digest) { try sendExtents(of: file, in: range) }
            case .reading(let file, let difference, let beginning): try begin(file, difference, beginning)
            case .difference(let file, let difference, let answer): try advance(file, difference, answer)
            }
        } catch let error as FileError {
            failure = error
        }
        if let ended = work.finished(piece, failure: failure) {
            try end(ended.file, failure: ended.failure, digest: ended.digest)
        }
    }

    /// Sends a block that differs from the receiver's, without its holes.
    private func sendExtents(of file: OutgoingWork.File, in range: Range<UInt64>) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let extent = file.source.extent(at: position)
            let end = min(extent.end, range.upperBound)
            switch extent {
            case .hole: try skip(file, position..<end)
            case .data: try send(file, position..<end)
            }
            position = end
        }
    }

    private func skip(_ file: OutgoingWork.File, _ range: Range<UInt64>) throws {
        let count = UInt64(range.count)
        try send(.hole(entry: file.index, offset: range.lowerBound, length: count))
        work.count { $0.skipped(count, of: file.index) }
    }

    private func send(_ file: OutgoingWork.File, _ range: Range<UInt64>) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            try file.source.confirmShown()
            let count = try sendContent(of: file.index, at: position, atMost: Int(range.upperBound - position)) {
                let count = try file.source.read(into: $0, at: position)
                if !file.isCounted {
                    file.source.count(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: position)
                }
                return count
            }
            position += UInt64(count)
        }
    }

    /// Sends one record of a file's content.
    ///
    /// - Parameter read: fills the given buffer with content, and returns the number of bytes.
    /// - Returns: the number of bytes of content; 0 if there was none, so that no record was sent.
    func sendContent(
        of entry: UInt32, at position: UInt64, atMost most: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int {
        let header = PayloadHeader(transfer: transfer, entry: entry, offset: position)
        let blockedBefore = lane.timeBlocked
        var count = 0
        let wire = try lane.send { room in
            let data = UnsafeMutableRawBufferPointer(rebasing: room[PayloadHeader.length..<PayloadHeader.length + most])
            count = try tally.own.during { try read(data) }
            guard count > 0 else { return (.payload, 0) }
            guard let packed = packer.pack(UnsafeRawBufferPointer(rebasing: data[..<count]), into: block.bytes) else {
                header.write(to: room)
                return (.payload, PayloadHeader.length + count)
            }
            PackedHeader(header, originalLength: count).write(to: room)
            let frame = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block.bytes)[..<packed])
            UnsafeMutableRawBufferPointer(rebasing: room[PackedHeader.length...]).copyMemory(from: frame)
            return (.packed, PackedHeader.length + packed)
        }
        guard count > 0 else { return 0 }
        // Counted before anything can fail, since the content is on its way.
        work.count { [count] in $0.sent(count, of: entry) }
        tally.sent(count)
        let waited = (lane.timeBlocked - blockedBefore).inSeconds
        packer.sent(count, wire: wire, queued: lane.queued, waited: try waited + pace(wire))
        return count
    }

    /// Waits until `count` bytes may be sent.
    ///
    /// - Returns: the time it waited, in seconds.
    func pace(_ count: Int) throws -> Double {
        guard let pacing else { return 0 }
        let start = secondsOfMonotonicClock()
        try tally.own.during {
            try pacing.blockLane(for: count) {
                try work.checkStopped()
                lane.goesOn()
            }
        }
        return secondsOfMonotonicClock() - start
    }

    /// Compares a block with the receiver's digest; true if they agree.
    func isRight(
        _ file: OutgoingWork.File, _ range: Range<UInt64>, _ digest: ArraySlice<UInt8>
    ) throws -> Bool {
        let memory = UnsafeMutableRawBufferPointer(rebasing: block.bytes[..<range.count])
        try tally.own.during { try file.source.fill(memory, from: range.lowerBound) }
        guard BlockDigest.of(UnsafeRawBufferPointer(memory)).elementsEqual(digest) else { return false }
        file.source.count(UnsafeRawBufferPointer(memory), at: range.lowerBound)
        work.count { $0.matched(UInt64(range.count), of: file.index) }
        tally.matched(UInt64(range.count))
        return true
    }

    private func end(_ file: OutgoingWork.File, failure: FileError?, digest: [UInt8]?) throws {
        var failure = failure
        if failure == nil {
            do {
                if try file.source.confirmUnchanged() { truncate(file.entry) }
            } catch {
                failure = error
            }
        }
        try end(file.entry, size: file.source.size, failure: failure, digest: digest)
    }

    /// Sends the end of a file that was begun.
    ///
    /// - Parameter digest: digest of the whole file, if copies were sent.
    func end(_ entry: SourceEntry, size: UInt64, failure: FileError?, digest: [UInt8]? = nil) throws {
        if let failure { try leaveOut(entry, failure) }
        try send(.fileEnd(work.endFile(entry.entry.index, size: size, failure: failure, digest: digest)))
    }

    func send(_ element: TreeElement) throws {
        try lane.send(.tree) { room in
            var writer = TreeWriter(room, transfer: transfer)
            guard writer.append(element) else { preconditionFailure("An element larger than a record") }
            return writer.count
        }
    }
}

extension SourceFailure {
    init(_ error: FileError) {
        self = error.kind == .sourceChanged ? .changed : .unreadable
    }
}
