/// Bytes of the new content that are in no chunk of the base, and the ranges of the base where similar bytes are
/// likely.
package struct ChangedRange: Hashable, Sendable {
    /// The most bytes of one range. Longer stretches are several ranges, so that neither side holds much at a time.
    package static let maximumLength: UInt64 = 4 << 20

    /// Range of the new content.
    package let range: Range<UInt64>
    /// Signatures to ask for, at most two: none if they would cost more than half of the bytes they can save.
    package let requests: [SignatureRequest]

    init(_ range: Range<UInt64>, bases: [Range<UInt64>]) {
        self.range = range
        let length = UInt64(range.count)
        let requests = bases.map { SignatureRequest(base: $0, newLength: length) }
        let pays = requests.reduce(0) { $0 + $1.signatureLength } * 2 <= length
        self.requests = pays ? requests.filter { $0.signatureLength > 0 } : []
    }

    init(_ range: Range<UInt64>, requests: [SignatureRequest]) {
        self.range = range
        self.requests = requests
    }
}

/// A stretch of new content between two copies, which stands where a gap of the base was.
struct ChangedStretch {
    /// Range of the new content.
    let range: Range<UInt64>
    /// End of the copy before the stretch, in the base.
    let previousEnd: UInt64
    /// Start of the copy behind the stretch, in the base. Before `previousEnd` if chunks have changed places.
    let nextStart: UInt64
    let baseSize: UInt64

    /// Number of bytes by which the searched part of the base exceeds the length of the stretch, on either side of the
    /// gap.
    private static let margin: UInt64 = 64 << 10
    /// Number of bytes by which the searched part of the base exceeds the share of the gap for one part of a long
    /// stretch, on either side.
    private static let drift: UInt64 = 512 << 10
    /// The largest ratio of gap and stretch, and of stretch and gap, at which parts of a long stretch are looked for in
    /// parts of the gap.
    private static let largestRatio: UInt64 = 3

    private var length: UInt64 { UInt64(range.count) }
    /// The bytes of the base between both copies; nil if chunks have changed places.
    private var gap: Range<UInt64>? { previousEnd <= nextStart ? previousEnd..<nextStart : nil }

    var ranges: [ChangedRange] {
        let parts = (length + ChangedRange.maximumLength - 1) / ChangedRange.maximumLength
        guard parts > 1 else { return [ChangedRange(range, bases: windows(length))] }
        return (0..<parts).map { part in
            let start = range.lowerBound + part * ChangedRange.maximumLength
            let end = min(start + ChangedRange.maximumLength, range.upperBound)
            return ChangedRange(start..<end, bases: bases(ofPart: part, of: parts, length: end - start))
        }
    }

    private func bases(ofPart part: UInt64, of parts: UInt64, length: UInt64) -> [Range<UInt64>] {
        if let gap, isSimilar(UInt64(gap.count)) {
            let share = UInt64(gap.count) / parts
            let start = gap.lowerBound + part * share
            let end = part == parts - 1 ? gap.upperBound : start + share
            return [start - min(Self.drift, start - gap.lowerBound)..<end + min(Self.drift, gap.upperBound - end)]
        }
        // After a deletion or insertion, any rest of the gap is at the ends.
        if part == 0 { return windows(length).prefix(1).map { $0 } }
        if part == parts - 1 { return windows(length).suffix(1).map { $0 } }
        return []
    }

    private func isSimilar(_ gapLength: UInt64) -> Bool {
        gapLength <= length * Self.largestRatio && length <= gapLength * Self.largestRatio
    }

    /// Returns the bytes of the base that followed the previous copy, and those that preceded the next one.
    private func windows(_ length: UInt64) -> [Range<UInt64>] {
        let reach = length + Self.margin
        var leading = previousEnd..<previousEnd + min(reach, baseSize - previousEnd)
        var trailing = nextStart - min(reach, nextStart)..<nextStart
        if let gap {
            leading = leading.clamped(to: gap)
            trailing = trailing.clamped(to: gap)
        }
        if leading.overlaps(trailing) {
            return [min(leading.lowerBound, trailing.lowerBound)..<max(leading.upperBound, trailing.upperBound)]
        }
        return [leading, trailing].filter { !$0.isEmpty }
    }
}
