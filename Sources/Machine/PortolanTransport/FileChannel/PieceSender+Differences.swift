import PortolanCrypto
import PortolanDelta
import PortolanFiles
import PortolanProtocol

/// Files that are sent by their difference.
extension PieceSender {
    /// Reads a file whose receiver reads its earlier version.
    ///
    /// - Throws: `FileError` of the source.
    func begin(
        _ file: OutgoingWork.File, _ difference: FileDifference, _ beginning: Message.Base.Beginning
    ) throws {
        try difference.step { state in
            (state.key, state.baseSize) = (beginning.key, beginning.size)
            guard file.source.goesByDifference, beginning.size <= 4 * file.source.size + FileDifference.slack else {
                return state.leaveWhole()
            }
            try scan(file, &state)
        }
    }

    /// Continues a file after an answer of the receiver, up to the next question or the end.
    ///
    /// - Throws: `FileError` of the source; `ProtocolViolation` for an answer that is not allowed.
    func advance(_ file: OutgoingWork.File, _ difference: FileDifference, _ answer: BaseAnswer) throws {
        do {
            try difference.step { state in
                do {
                    try advance(file, &state, answer)
                } catch DeltaError.truncated {
                    // The receiver cannot read its earlier version any more.
                    try sendRest(of: file, &state)
                }
            }
        } catch let error as DeltaError {
            throw ProtocolViolation(.malformed, "\(error)")
        }
    }

    private func advance(
        _ file: OutgoingWork.File, _ state: inout FileDifference.State, _ answer: BaseAnswer
    ) throws {
        switch state.stage {
        case .groups:
            guard !answer.data.isEmpty else { return state.leaveWhole() }
            guard answer.data.count.isMultiple(of: ChunkDigest.length) else { throw DeltaError.trailing(.chunkGroups) }
            let groups = try ChunkGroup.decode(answer.data)
            let match = GroupMatch(base: groups, new: state.chunks, mostRuns: Limits.groupRuns)
            if match.missing.isEmpty {
                state.match(try match.list(with: ChunkList(), size: state.baseSize))
                return try sendSegments(of: file, &state)
            }
            let length = 10 + UInt64(match.mostMissingChunks * ChunkList.encodedChunkLength)
            let runs = match.missing.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
            state.stage = .chunks(match)
            try ask(.groups(runs), about: file, answer: length)
        case .chunks(let match):
            let found = try ChunkList(decoding: answer.data, limit: match.mostMissingChunks)
            state.match(try match.list(with: found, size: state.baseSize))
            try sendSegments(of: file, &state)
        case .sums(let end):
            try send(to: end, of: file, &state, answer.data[...])
            try sendSegments(of: file, &state)
        case .over: preconditionFailure("Nothing is asked about a file that is over")
        }
    }

    private func ask(_ question: Message.Compare.Question, about file: OutgoingWork.File, answer: UInt64) throws {
        ask(try work.ask(question, about: file.index, answer: answer))
    }

    /// Reads all of the file.
    private func scan(_ file: OutgoingWork.File, _ state: inout FileDifference.State) throws {
        var scanner = ChunkScanner(key: state.key)
        var digest = FileDigester(key: state.key)
        let memory = AlignedMemory(count: Int(RangeCursor.block))
        var position: UInt64 = 0
        while position < file.source.size {
            try work.checkStopped()
            try file.source.confirmShown()
            let count = Int(min(RangeCursor.block, file.source.size - position))
            let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<count])
            try tally.own.during {
                try file.source.fill(bytes, from: position)
                file.source.count(UnsafeRawBufferPointer(bytes), at: position)
                digest.update(UnsafeRawBufferPointer(bytes))
                scanner.update(UnsafeRawBufferPointer(bytes))
            }
            lane.goesOn()
            position += UInt64(count)
        }
        state.digest = digest.finalize()
        state.chunks = scanner.finish()
    }

    /// Sends segments up to the first one whose sums must be requested.
    private func sendSegments(of file: OutgoingWork.File, _ state: inout FileDifference.State) throws {
        guard !state.isWhole else { return }
        while state.next < state.segments.count {
            let (end, requests) = state.nextBatch()
            guard requests.isEmpty else {
                state.stage = .sums(end: end)
                let length = requests.reduce(0) { $0 + $1.signatureLength }
                let sums = requests.map {
                    Message.Compare.Sums(base: $0.base, block: $0.blockSize, strong: $0.strongLength)
                }
                state.asked = requests
                return try ask(.sums(sums), about: file, answer: length)
            }
            try send(to: end, of: file, &state, [])
        }
        state.stage = .over
    }

    /// - Parameter answer: the sums of all that was asked for these segments.
    private func send(
        to end: Int, of file: OutgoingWork.File, _ state: inout FileDifference.State, _ answer: ArraySlice<UInt8>
    ) throws {
        var rest = answer
        var asked = state.asked[...]
        state.asked = []
        let length = asked.reduce(0) { $0 + $1.signatureLength }
        guard rest.count >= length else { throw DeltaError.truncated(.signature) }
        guard rest.count == length else { throw DeltaError.trailing(.signature) }
        let sums = BlockSums(key: state.key)
        var copies = CopiedParts(entry: file.index)
        while state.next < end {
            try work.checkStopped()
            switch state.segments[state.next] {
            case .copy(let base):
                copies.add(base, at: state.position)
                state.position += UInt64(base.count)
                state.lastSignature = nil
            case .changed(let changed):
                var signatures: [BlockSignature] = []
                for request in changed.requests where asked.first == request {
                    asked = asked.dropFirst()
                    let bytes = Array(rest.prefix(Int(request.signatureLength)))
                    rest = rest.dropFirst(bytes.count)
                    signatures.append(try BlockSignature(decoding: bytes, for: request))
                }
                // A long changed stretch may continue in the next segment.
                let last = state.lastSignature
                state.lastSignature = signatures.last
                if let last, last.request.base.upperBound == signatures.first?.request.base.lowerBound {
                    signatures.append(last)
                }
                try send(changed.range, of: file, BlockSearch(signatures, sums), &copies, &state)
                state.position = changed.range.upperBound
            }
            state.next += 1
            if copies.parts.count >= CopiedParts.most { try send(&copies, &state) }
        }
        try send(&copies, &state)
    }

    private func send(
        _ range: Range<UInt64>, of file: OutgoingWork.File, _ search: BlockSearch, _ copies: inout CopiedParts,
        _ state: inout FileDifference.State
    ) throws {
        try file.source.confirmShown()
        let memory = AlignedMemory(count: range.count)
        let content = UnsafeRawBufferPointer(memory.bytes)
        var operations: [DeltaOperation] = []
        try tally.own.during {
            try file.source.fill(memory.bytes, from: range.lowerBound)
            var merger = OperationMerger()
            search.search(content, at: range.lowerBound) { operation in
                if let ready = merger.add(operation) { operations.append(ready) }
            }
            if let last = merger.finish() { operations.append(last) }
        }
        var position = range.lowerBound
        for operation in operations {
            switch operation {
            case .copy(let base): copies.add(base, at: position)
            case .literal(let literal): try send(literal, of: file.index, from: content, at: range.lowerBound)
            }
            position += operation.length
            if copies.parts.count >= CopiedParts.most { try send(&copies, &state) }
        }
    }

    /// Sends a part of content that is in memory.
    ///
    /// - Parameter start: offset of the content in the file.
    private func send(
        _ range: Range<UInt64>, of entry: UInt32, from content: UnsafeRawBufferPointer, at start: UInt64
    ) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            try work.checkStopped()
            let most = Int(min(RangeCursor.block, range.upperBound - position))
            let place = Int(position - start)
            position += UInt64(
                try sendContent(of: entry, at: position, atMost: most) { room in
                    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: content[place..<place + most]))
                    return most
                })
        }
    }

    private func send(_ copies: inout CopiedParts, _ state: inout FileDifference.State) throws {
        for copy in copies.parts {
            try work.checkStopped()
            try send(.copy(copy))
            work.count { $0.copied(copy.length, of: copy.entry) }
            tally.matched(copy.length)
            state.hasCopies = true
        }
        copies.parts = []
    }

    /// Sends the rest of the file without comparison.
    private func sendRest(of file: OutgoingWork.File, _ state: inout FileDifference.State) throws {
        // All lanes take part if the rest is the whole file.
        guard state.position > 0 else { return state.leaveWhole() }
        while state.position < file.source.size {
            try work.checkStopped()
            try file.source.confirmShown()
            let most = Int(min(RangeCursor.block, file.source.size - state.position))
            let position = state.position
            // The position was counted when the bytes were read for the first time.
            state.position += UInt64(
                try sendContent(of: file.index, at: position, atMost: most) {
                    try file.source.read(into: $0, at: position)
                })
        }
        state.stage = .over
    }
}

/// Consecutive parts of a file that are copied from the earlier version.
struct CopiedParts {
    /// Bytes of the longest, which the receiver copies in one call.
    static let longest: UInt64 = 64 << 20
    /// Most parts that are held back. Each leaves a gap at the receiver meanwhile, while parts of the preceding step
    /// may be on their way on another lane.
    static let most = 256

    let entry: UInt32
    var parts: [CopyElement] = []

    mutating func add(_ base: Range<UInt64>, at offset: UInt64) {
        var done: UInt64 = 0
        if let last = parts.last, last.base + last.length == base.lowerBound, last.range.upperBound == offset {
            done = min(UInt64(base.count), Self.longest - last.length)
            parts[parts.count - 1] = CopyElement(
                entry: entry, offset: last.offset, base: last.base, length: last.length + done)
        }
        while done < UInt64(base.count) {
            let length = min(UInt64(base.count) - done, Self.longest)
            parts.append(
                CopyElement(entry: entry, offset: offset + done, base: base.lowerBound + done, length: length))
            done += length
        }
    }
}

extension SourceFile {
    /// True if the file has no holes, and is small enough to keep its chunks in memory.
    fileprivate var goesByDifference: Bool {
        size <= Limits.differenceSize && (!mayHaveHoles || nextData(from: 0) == 0..<size)
    }
}
