/// Places of an old version's chunks in a new version of a file, and the ranges that have changed. The old version is
/// the base.
package struct ChunkMatch: Sendable {
    package enum Segment: Hashable, Sendable {
        /// Bytes of the base, in this range.
        case copy(base: Range<UInt64>)
        case changed(ChangedRange)
    }

    /// The new content, in order.
    package private(set) var segments: [Segment] = []
    /// Bytes of the new content in chunks of the base.
    package private(set) var copiedLength: UInt64 = 0
    /// Bytes of the new content in changed ranges.
    package private(set) var changedLength: UInt64 = 0
    /// Steps of the comparison, for tests of its bound: proportional to the chunks of both lists, times the logarithm
    /// of the base's.
    private(set) var steps = 0

    /// Compares two lists that were made with the same table.
    ///
    /// If a chunk is in the base several times, the match of the previous chunk continues if possible; otherwise the
    /// next occurrence counts.
    package init(new: ChunkList, base: ChunkList) {
        var index = ChunkIndex(base)
        var starts: [UInt64] = [0]
        starts.reserveCapacity(base.chunks.count + 1)
        for chunk in base.chunks { starts.append(starts[starts.count - 1] + UInt64(chunk.length)) }

        var offset: UInt64 = 0
        var copy: Range<UInt64>?
        var changedStart: UInt64 = 0
        var previousEnd: UInt64 = 0
        var expected = 0
        for chunk in new.chunks {
            steps += 1
            let end = offset + UInt64(chunk.length)
            let goesOn = copy != nil && expected < base.chunks.count && base.chunks[expected] == chunk
            if let position = goesOn ? expected : index.position(of: chunk, from: expected) {
                let found = starts[position]..<starts[position + 1]
                if let running = copy, running.upperBound == found.lowerBound {
                    copy = running.lowerBound..<found.upperBound
                } else {
                    add(copy)
                    add(changedStart..<offset, between: previousEnd, and: found.lowerBound, of: base.size)
                    copy = found
                }
                copiedLength += UInt64(chunk.length)
                previousEnd = found.upperBound
                expected = position + 1
                changedStart = end
            } else {
                add(copy)
                copy = nil
                changedLength += UInt64(chunk.length)
            }
            offset = end
        }
        add(copy)
        add(changedStart..<offset, between: previousEnd, and: base.size, of: base.size)
        steps += index.steps
    }

    private mutating func add(_ copy: Range<UInt64>?) {
        if let copy { segments.append(.copy(base: copy)) }
    }

    private mutating func add(
        _ range: Range<UInt64>, between previousEnd: UInt64, and nextStart: UInt64, of baseSize: UInt64
    ) {
        guard !range.isEmpty else { return }
        let stretch = ChangedStretch(range: range, previousEnd: previousEnd, nextStart: nextStart, baseSize: baseSize)
        segments += stretch.ranges.map { .changed($0) }
    }
}
