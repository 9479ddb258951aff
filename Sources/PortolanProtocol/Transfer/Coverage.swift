/// Which bytes of a file have come: ranges that do not overlap, in order, those that touch joined. Bounded: a file in
/// more pieces than `Limits.fileParts` is refused.
package struct Coverage: Hashable, Sendable {
    /// Ascending; none empty, and no two of them touch.
    package private(set) var ranges: [Range<UInt64>] = []
    /// How many bytes they have together.
    package private(set) var count: UInt64 = 0

    package init() {}

    /// Adds a range, which must not be empty.
    ///
    /// - Throws: `ProtocolViolation` if part of it has come before, or too many pieces are apart.
    package mutating func insert(_ range: Range<UInt64>) throws(ProtocolViolation) {
        precondition(!range.isEmpty, "Nothing came")
        let place = firstIndex(from: range.lowerBound)
        let joinsLeft = place > 0 && ranges[place - 1].upperBound == range.lowerBound
        let joinsRight = place < ranges.count && ranges[place].lowerBound == range.upperBound
        guard place == 0 || ranges[place - 1].upperBound <= range.lowerBound,
            place == ranges.count || range.upperBound <= ranges[place].lowerBound
        else { throw ProtocolViolation(.mismatch, "A part of a file came twice.") }
        switch (joinsLeft, joinsRight) {
        case (true, true):
            ranges[place - 1] = ranges[place - 1].lowerBound..<ranges[place].upperBound
            ranges.remove(at: place)
        case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound..<range.upperBound
        case (false, true): ranges[place] = range.lowerBound..<ranges[place].upperBound
        case (false, false):
            guard ranges.count < Limits.fileParts else {
                throw ProtocolViolation(.limit, "A file comes in more than \(Limits.fileParts) parts.")
            }
            ranges.insert(range, at: place)
        }
        count += UInt64(range.count)
    }

    /// The index of the first range that begins at `start` or behind it.
    private func firstIndex(from start: UInt64) -> Int {
        // Nearly always what comes lies behind all that came.
        guard let last = ranges.last, last.lowerBound >= start else { return ranges.count }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound < start { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether every byte below `size` lies in this or in `other`.
    package func covers(_ size: UInt64, with other: Coverage) -> Bool {
        var reached: UInt64 = 0
        var (mine, theirs) = (ranges[...], other.ranges[...])
        while reached < size {
            let next: Range<UInt64>?
            switch (mine.first, theirs.first) {
            case (let one?, let two?): next = one.lowerBound <= two.lowerBound ? mine.popFirst() : theirs.popFirst()
            default: next = mine.popFirst() ?? theirs.popFirst()
            }
            guard let next, next.lowerBound <= reached else { return false }
            reached = max(reached, next.upperBound)
        }
        return true
    }
}
