import CPortolanLinux
import Glibc
import PortolanValues

extension ByteRanges {
    /// Largest number of separate ranges; a peer that scatters its bytes more than that is refused.
    static let limit = 4096

    /// The bytes of blocks of a file of `size` bytes.
    init(_ blocks: [Range<UInt64>], ofFileOf size: UInt64) {
        self.init()
        for block in blocks {
            insert(block.lowerBound * BlockRange.size..<min(block.upperBound * BlockRange.size, size))
        }
    }

    /// Blocks of which at least one byte is present.
    var touchedBlocks: [Range<UInt64>] {
        let block = BlockRange.size
        var touched = ByteRanges()
        for range in ranges {
            touched.insert(range.lowerBound / block..<(range.upperBound + block - 1) / block)
        }
        return touched.ranges
    }

    /// Returns the blocks of a file of `size` bytes that are there from end to end.
    package func blocks(ofFileOf size: UInt64) -> [Range<UInt64>] {
        let block = BlockRange.size
        return ranges.compactMap { range in
            let first = (range.lowerBound + block - 1) / block
            let end = range.upperBound >= size ? (size + block - 1) / block : range.upperBound / block
            return first < end ? first..<end : nil
        }
    }
}

extension Descriptor {
    /// Returns true if the file has no data in a range.
    func isHole(_ range: Range<UInt64>) -> Bool {
        guard let start = Int64(exactly: range.lowerBound) else { return false }
        let data = portolan_find_data(number, start)
        return data < 0 ? errno == ENXIO : UInt64(data) >= range.upperBound
    }

    /// Ranges of the file that have data, without holes.
    package var data: ByteRanges {
        var data = ByteRanges()
        var next: Int64 = 0
        while data.ranges.count < ByteRanges.limit {
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
