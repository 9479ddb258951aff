/// Finds chunks of a base by digest and length.
///
/// The hash table is Swift's, whose hash is seeded at random: a peer's digests cannot be made to collide in it.
struct ChunkIndex {
    /// Positions of equal chunks, side by side and ascending.
    private var positions: [Int32]
    /// The part of `positions` for each different chunk.
    private var groups: [Chunk: Range<Int32>]
    /// Steps of searches so far, for tests of the work's bound.
    private(set) var steps = 0

    init(_ list: ChunkList) {
        var numbers: [Chunk: Int32] = [:]
        numbers.reserveCapacity(list.chunks.count)
        var counts: [Int32] = []
        let numberOf = list.chunks.map { chunk in
            let number = numbers[chunk] ?? Int32(counts.count)
            if number == counts.count {
                numbers[chunk] = number
                counts.append(0)
            }
            counts[Int(number)] += 1
            return number
        }
        var ends: [Int32] = []
        ends.reserveCapacity(counts.count)
        var sum: Int32 = 0
        for count in counts {
            ends.append(sum)
            sum += count
        }
        positions = Array(repeating: 0, count: list.chunks.count)
        for (position, number) in numberOf.enumerated() {
            positions[Int(ends[Int(number)])] = Int32(position)
            ends[Int(number)] += 1
        }
        groups = numbers.mapValues { number in ends[Int(number)] - counts[Int(number)]..<ends[Int(number)] }
    }

    /// Returns the position of a chunk in the base: the first one from `expected` on, else the first of all.
    mutating func position(of chunk: Chunk, from expected: Int) -> Int? {
        steps += 1
        guard let group = groups[chunk] else { return nil }
        var (low, high) = (group.lowerBound, group.upperBound)
        while low < high {
            steps += 1
            let middle = low + (high - low) / 2
            if positions[Int(middle)] < expected { low = middle + 1 } else { high = middle }
        }
        return Int(positions[Int(low < group.upperBound ? low : group.lowerBound)])
    }
}
