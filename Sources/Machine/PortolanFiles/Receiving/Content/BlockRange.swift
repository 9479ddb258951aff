import Glibc
import PortolanCrypto

/// The bytes that a block covers.
enum BlockRange {
    static let size = BlockDigest.blockSize

    /// - Returns: nil where the file ends before it.
    static func of(_ block: UInt64, inFileOf fileSize: UInt64) -> Range<UInt64>? {
        let (start, overflow) = block.multipliedReportingOverflow(by: size)
        guard !overflow, start < fileSize else { return nil }
        return start..<(fileSize - start < size ? fileSize : start + size)
    }
}

extension Descriptor {
    /// Digest of a block of a file of `size` bytes; nil if it cannot be read.
    package func digest(ofBlock block: UInt64, inFileOf size: UInt64) -> [UInt8]? {
        BlockRange.of(block, inFileOf: size).flatMap { digest(of: $0) }
    }

    /// Digest of a range; nil if it cannot be read completely, or a stop is requested.
    func digest(of range: Range<UInt64>, unless interruption: StopRequest? = nil) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
            var digest = BlockDigest()
            var next = range.lowerBound
            while next < range.upperBound {
                let wanted = min(buffer.count, Int(range.upperBound - next))
                let count = retrying { pread(number, buffer.baseAddress, wanted, off_t(next)) }
                guard count > 0, interruption?.isRequested != true else { return nil }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                next += UInt64(count)
            }
            return digest.finalize()
        }
    }

    /// Digest of a whole file (`FileDigest`); nil if it cannot be read completely, or a stop is requested.
    func digest(ofFile size: UInt64, key: [UInt8], unless interruption: StopRequest) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: Int(BlockRange.size), alignment: 64) { buffer in
            var digest = FileDigester(key: key)
            for start in stride(from: 0, to: size, by: Int(BlockRange.size)) {
                let block = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(BlockRange.size, size - start))])
                guard fill(block, from: start), !interruption.isRequested else { return nil }
                digest.update(UnsafeRawBufferPointer(block))
            }
            return digest.finalize()
        }
    }

    /// Fills the buffer with the bytes at an offset; false where there are not as many, or they cannot be read.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = retrying { pread(number, room.baseAddress, room.count, off_t(offset) + off_t(filled)) }
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }
}
