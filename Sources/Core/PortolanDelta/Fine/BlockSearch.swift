/// Finds the blocks of signatures in new content, at any position.
package struct BlockSearch {
    private let sums: BlockSums
    private let signatures: [SearchedSignature]

    /// - Parameter signatures: of a changed range, none to two.
    package init(_ signatures: [BlockSignature], _ sums: BlockSums) {
        self.sums = sums
        self.signatures = signatures.map { SearchedSignature($0, sums) }
    }

    /// Counts of steps, for tests of the work's bound.
    struct Work: Hashable, Sendable {
        /// Positions at which the weak sum was computed.
        var positions = 0
        /// Strong sums that were computed.
        var strongSums = 0
        /// Strong sums that no block had.
        var failures = 0
    }

    /// Divides the content of a changed range into copies and literals.
    ///
    /// - Parameter content: the bytes of the new content from `offset` on.
    /// - Parameter found: called with operations in order, which make up the content. Neighbours may be parts of one
    ///   operation.
    package func search(_ content: UnsafeRawBufferPointer, at offset: UInt64, found: (DeltaOperation) -> Void) {
        var work = Work()
        search(content, at: offset, &work, found: found)
    }

    func search(
        _ content: UnsafeRawBufferPointer, at offset: UInt64, _ work: inout Work, found: (DeltaOperation) -> Void
    ) {
        var states = signatures.map { SearchState(contentLength: content.count, $0) }
        search(0, content, at: offset, &states, &work, found)
    }

    /// Literals that one signature leaves are searched for blocks of the next one.
    private func search(
        _ number: Int, _ content: UnsafeRawBufferPointer, at offset: UInt64, _ states: inout [SearchState],
        _ work: inout Work, _ found: (DeltaOperation) -> Void
    ) {
        guard !content.isEmpty else { return }
        guard number < signatures.count else {
            found(.literal(offset..<offset + UInt64(content.count)))
            return
        }
        var pass = SearchPass(content, signatures[number], sums)
        var literalStart = 0
        while let match = pass.next(&states[number], &work) {
            let literal = content[part: literalStart..<match.position]
            search(number + 1, literal, at: offset + UInt64(literalStart), &states, &work, found)
            found(.copy(base: match.base))
            literalStart = match.position + match.base.count
        }
        let literal = content[part: literalStart..<content.count]
        search(number + 1, literal, at: offset + UInt64(literalStart), &states, &work, found)
    }
}

/// A signature, prepared for searches.
private struct SearchedSignature {
    let request: SignatureRequest
    let index: BlockIndex
    let tail: BlockSum?
    let leavingFactor: UInt64

    init(_ signature: BlockSignature, _ sums: BlockSums) {
        request = signature.request
        index = BlockIndex(signature.blocks)
        tail = signature.tail
        leavingFactor = sums.leavingFactor(blockSize: request.blockSize)
    }
}

/// Progress of a search with one signature.
private struct SearchState {
    /// The block behind the last match; 0 in the beginning, where a changed range often agrees with the base.
    var expected = 0
    /// Wrong candidates whose strong sums may still be computed. Honest signatures have hardly any: if none remains,
    /// the rest is literal. The strong sums of all of them cover at most four times the content and 64 blocks.
    var remainingFailures: Int

    init(contentLength: Int, _ signature: SearchedSignature) {
        remainingFailures = 64 + 4 * (contentLength / signature.request.blockSize)
    }
}

/// Pass over content with one signature.
private struct SearchPass {
    private let content: UnsafeRawBufferPointer
    private let signature: SearchedSignature
    private let sums: BlockSums
    /// Behind the last match.
    private var position = 0

    struct Match {
        let position: Int
        let base: Range<UInt64>
    }

    init(_ content: UnsafeRawBufferPointer, _ signature: SearchedSignature, _ sums: BlockSums) {
        self.content = content
        self.signature = signature
        self.sums = sums
    }

    mutating func next(_ state: inout SearchState, _ work: inout BlockSearch.Work) -> Match? {
        let size = signature.request.blockSize
        guard !signature.index.blocks.isEmpty, content.count - position >= size else { return tail(&work) }
        var at = position
        var sum = sums.rolling(content[part: at..<at + size])
        work.positions += 1
        repeat {
            if let block = block(at, UInt32(truncatingIfNeeded: sum >> 32), &state, &work) {
                position = at + size
                state.expected = block + 1
                let start = signature.request.base.lowerBound + UInt64(block * size)
                return Match(position: at, base: start..<start + UInt64(size))
            }
        } while state.remainingFailures > 0 && roll(&sum, &at, &work)
        return tail(&work)
    }

    /// Moves the window to the next position at which there may be a block.
    private func roll(_ sum: inout UInt64, _ at: inout Int, _ work: inout BlockSearch.Work) -> Bool {
        let size = signature.request.blockSize
        let steps = content.count - size - at
        guard steps > 0, let base = content.baseAddress else { return false }
        let (multiplier, leavingFactor) = (sums.multiplier, signature.leavingFactor)
        let shift = UInt64(signature.index.filterShift) + 32
        let leaving = base.advanced(by: at).assumingMemoryBound(to: UInt8.self)
        let entering = leaving.advanced(by: size)
        let (taken, isFound) = signature.index.filter.withUnsafeBufferPointer { filter in
            let filter = filter.baseAddress.unsafelyUnwrapped
            var (rolled, step) = (sum, 0)
            defer { sum = rolled }
            while step < steps {
                let change = UInt64(entering[step]) &- UInt64(leaving[step]) &* leavingFactor
                rolled = (rolled &+ change) &* multiplier
                step &+= 1
                let bit = rolled &>> shift
                if filter[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63) & 1 != 0 { return (step, true) }
            }
            return (step, false)
        }
        at += taken
        work.positions += taken
        return isFound
    }

    /// Returns the block that the window is equal to: the expected one if possible.
    private func block(_ at: Int, _ weak: UInt32, _ state: inout SearchState, _ work: inout BlockSearch.Work) -> Int? {
        let (request, index) = (signature.request, signature.index)
        let next = state.expected < index.blocks.count ? index.blocks[state.expected] : nil
        guard next?.weak == weak || index.has(weak) else { return nil }
        work.strongSums += 1
        let window = content[part: at..<at + request.blockSize]
        let sum = BlockSum(weak: weak, strong: sums.strong(window, length: request.strongLength))
        if next == sum { return state.expected }
        if let first = index.first(sum) { return first }
        work.failures += 1
        state.remainingFailures -= 1
        return nil
    }

    /// Returns the bytes behind the last full block of the base, which are at the end of the content or nowhere.
    private mutating func tail(_ work: inout BlockSearch.Work) -> Match? {
        let (base, length) = (signature.request.base, signature.request.tailLength)
        guard let tail = signature.tail, content.count - position >= length else { return nil }
        let start = content.count - length
        let block = content[part: start..<content.count]
        work.positions += 1
        guard sums.weak(block) == tail.weak else { return nil }
        work.strongSums += 1
        guard sums.strong(block, length: signature.request.strongLength) == tail.strong else { return nil }
        position = content.count
        return Match(position: start, base: base.upperBound - UInt64(length)..<base.upperBound)
    }
}
