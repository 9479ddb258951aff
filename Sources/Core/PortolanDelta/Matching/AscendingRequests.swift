extension ChunkMatch {
    /// The segments with requests as a receiver answers them: in the order of the base, on boundaries of blocks, and no
    /// byte in two requests.
    ///
    /// Sums of overlapping blocks would let a sender find bytes of the base one after the other. If chunks have changed
    /// places, the longest ascending sequence of requests remains. Requests of one long stretch adjoin each other.
    ///
    /// - Parameter baseSize: the size of the base.
    package func ascending(in baseSize: UInt64) -> [Segment] {
        var chain = Self.ascendingChain(segments.flatMap { $0.requests.map(\.base.lowerBound) })[...]
        var number = 0
        var asked: UInt64 = 0
        return segments.map { segment in
            guard case .changed(let changed) = segment else { return segment }
            var requests: [SignatureRequest] = []
            for request in changed.requests {
                defer { number += 1 }
                guard chain.first == number else { continue }
                chain.removeFirst()
                let block = SignatureRequest.askedBlock
                let start = max(request.base.lowerBound / block * block, asked)
                let end = min((request.base.upperBound + block - 1) / block * block, baseSize)
                guard start < end else { continue }
                asked = end
                let rounded = SignatureRequest(base: start..<end, newLength: UInt64(changed.range.count))
                if rounded.signatureLength > 0 { requests.append(rounded) }
            }
            return .changed(ChangedRange(changed.range, requests: requests))
        }
    }

    /// Positions of a longest ascending subsequence.
    private static func ascendingChain(_ numbers: [UInt64]) -> [Int] {
        // For each length, the position of the smallest number that ends a chain of that length.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (place, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var chain: [Int] = []
        var next = ends.last
        while let place = next {
            chain.append(place)
            next = previous[place]
        }
        return chain.reversed()
    }
}

extension ChunkMatch.Segment {
    fileprivate var requests: [SignatureRequest] {
        if case .changed(let changed) = self { changed.requests } else { [] }
    }
}
