/// Finds blocks of a signature by their sums.
struct BlockIndex {
    let blocks: [BlockSum]
    /// Bit for each beginning of a weak sum: set if a block with it may exist. Rejects nearly all positions of new
    /// content.
    let filter: [UInt64]
    /// Shift that makes a weak sum the number of a bit.
    let filterShift: UInt32
    /// The first block for each beginning of a weak sum; -1 for none.
    private var heads: [Int32]
    private let headShift: UInt32
    /// The next block with the same beginning; -1 for none.
    private var next: [Int32]

    /// Most blocks at one position of the table. In honest signatures, hardly two share one.
    static let candidates = 16

    init(_ blocks: [BlockSum]) {
        self.blocks = blocks
        let bits = UInt32(max(4, Int.bitWidth - blocks.count.leadingZeroBitCount))
        headShift = 32 - (bits + 1)
        filterShift = 32 - (bits + 6)
        heads = Array(repeating: -1, count: 1 << (bits + 1))
        next = Array(repeating: -1, count: blocks.count)
        var filter = [UInt64](repeating: 0, count: 1 << bits)
        for block in blocks {
            let bit = block.weak >> filterShift
            filter[Int(bit >> 6)] |= 1 << UInt64(bit & 63)
        }
        self.filter = filter
        for number in blocks.indices { insert(number) }
    }

    /// Appends a block to those of its place, unless an equal one is there or the place is full.
    private mutating func insert(_ number: Int) {
        let head = Int(blocks[number].weak >> headShift)
        guard heads[head] >= 0 else {
            heads[head] = Int32(number)
            return
        }
        var at = Int(heads[head])
        for _ in 1..<Self.candidates {
            if blocks[at] == blocks[number] { return }
            guard next[at] >= 0 else {
                next[at] = Int32(number)
                return
            }
            at = Int(next[at])
        }
    }

    /// Returns true if the index has a block with this weak sum.
    func has(_ weak: UInt32) -> Bool { first(weak) { _ in true } != nil }

    func first(_ sum: BlockSum) -> Int? { first(sum.weak) { $0 == sum.strong } }

    private func first(_ weak: UInt32, where isFound: (UInt64) -> Bool) -> Int? {
        var at = heads[Int(weak >> headShift)]
        while at >= 0 {
            let block = blocks[Int(at)]
            if block.weak == weak, isFound(block.strong) { return Int(at) }
            at = next[Int(at)]
        }
        return nil
    }
}
