import CPortolanLinux
import Glibc

/// Which bytes of a file are there: ranges in order that neither overlap nor touch.
struct CoveredRanges: Hashable, Sendable {
    /// How many may lie apart; a peer that scatters its bytes more than that is refused.
    static let limit = 4096

    private(set) var ranges: [Range<UInt64>] = []

    /// Bytes in all.
    private(set) var total: UInt64 = 0

    init() {}

    init(_ range: Range<UInt64>) { insert(range) }

    func contains(_ range: Range<UInt64>) -> Bool {
        guard !range.isEmpty else { return true }
        let place = firstEnding(after: range.lowerBound)
        return place < ranges.count && ranges[place].lowerBound <= range.lowerBound
            && ranges[place].upperBound >= range.upperBound
    }

    func overlaps(_ range: Range<UInt64>) -> Bool {
        guard !range.isEmpty else { return false }
        let place = firstEnding(after: range.lowerBound)
        return place < ranges.count && ranges[place].lowerBound < range.upperBound
    }

    /// Adds a range, whatever of it was there already.
    mutating func insert(_ range: Range<UInt64>) {
        guard !range.isEmpty else { return }
        // The first one that ends at or behind where this begins, and so may be joined to it.
        let first = range.lowerBound == 0 ? 0 : firstEnding(after: range.lowerBound - 1)
        var joined = range
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
            joined = min(joined.lowerBound, ranges[end].lowerBound)..<max(joined.upperBound, ranges[end].upperBound)
            total -= ranges[end].upperBound - ranges[end].lowerBound
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(joined))
        total += joined.upperBound - joined.lowerBound
    }

    mutating func insert(_ others: CoveredRanges) {
        for range in others.ranges { insert(range) }
    }

    /// What of these lies below `end`.
    func clamped(to end: UInt64) -> CoveredRanges {
        var clamped = CoveredRanges()
        for range in ranges where range.lowerBound < end {
            clamped.insert(range.lowerBound..<min(range.upperBound, end))
        }
        return clamped
    }

    /// The position of the first range that ends behind `offset`.
    private func firstEnding(after offset: UInt64) -> Int {
        // Bytes mostly come in their order.
        guard let last = ranges.last, last.upperBound > offset else { return ranges.count }
        var low = 0
        var high = ranges.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension CoveredRanges {
    /// The bytes of blocks of a file of `size` bytes.
    init(_ blocks: [Range<UInt64>], ofFileOf size: UInt64) {
        for block in blocks {
            insert(block.lowerBound * BlockRange.size..<min(block.upperBound * BlockRange.size, size))
        }
    }

    /// The blocks of which something is there.
    var touchedBlocks: [Range<UInt64>] {
        let block = BlockRange.size
        var touched = CoveredRanges()
        for range in ranges {
            touched.insert(range.lowerBound / block..<(range.upperBound + block - 1) / block)
        }
        return touched.ranges
    }

    /// The blocks of a file of `size` bytes that are there from end to end.
    func blocks(ofFileOf size: UInt64) -> [Range<UInt64>] {
        let block = BlockRange.size
        return ranges.compactMap { range in
            let first = (range.lowerBound + block - 1) / block
            let end = range.upperBound >= size ? (size + block - 1) / block : range.upperBound / block
            return first < end ? first..<end : nil
        }
    }
}

extension Descriptor {
    /// Whether the file has no data in a range.
    func isHole(_ range: Range<UInt64>) -> Bool {
        guard let start = Int64(exactly: range.lowerBound) else { return false }
        let data = portolan_find_data(number, start)
        return data < 0 ? errno == ENXIO : UInt64(data) >= range.upperBound
    }

    /// Where the file has data, and not holes.
    var data: CoveredRanges {
        var data = CoveredRanges()
        var next: Int64 = 0
        while data.ranges.count < CoveredRanges.limit {
            let start = portolan_find_data(number, next)
            guard start >= 0 else { break }
            let end = portolan_find_hole(number, start)
            guard end > start else { break }
            data.insert(UInt64(start)..<UInt64(end))
            next = end
        }
        return data
    }
}
