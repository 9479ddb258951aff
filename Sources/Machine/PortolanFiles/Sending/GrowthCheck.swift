/// Checksum of the beginning and the end of a file, for distinguishing a file that has grown from one that was
/// rewritten.
///
/// Content may be added in any order and in pieces of any size: the checksum of a file is the sum of its pieces'
/// checksums, with overflow. Zeros add nothing, so holes need not be read. The checksum does not protect against an
/// attacker.
struct GrowthCheck: Hashable, Sendable {
    /// Ranges that the checksum covers: the whole file, if it is no longer than twice the edge.
    let parts: [Range<UInt64>]

    /// - Parameters:
    ///   - size: original size of the file.
    ///   - edge: number of bytes at its beginning and its end.
    init(size: UInt64, edge: UInt64) {
        parts = size <= 2 * edge ? [0..<size] : [0..<edge, size - edge..<size]
    }

    /// Returns the checksum of a piece of content.
    func sum(of piece: UnsafeRawBufferPointer, at offset: UInt64) -> UInt64 {
        let range = offset..<offset + UInt64(piece.count)
        return parts.reduce(0) { sum, part in
            let common = part.clamped(to: range)
            guard !common.isEmpty else { return sum }
            let bytes = piece[Int(common.lowerBound - offset)..<Int(common.upperBound - offset)]
            return sum &+ Self.sum(UnsafeRawBufferPointer(rebasing: bytes), at: common.lowerBound)
        }
    }

    /// Returns the sum of the bytes: each word of eight bytes is weighted by its position in the file.
    private static func sum(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> UInt64 {
        func single(_ index: Int) -> UInt64 {
            let place = offset + UInt64(index)
            return (UInt64(bytes[index]) << (place % 8 * 8)) &* Self.weight(place)
        }
        let head = min(Int((8 - offset % 8) % 8), bytes.count)
        let end = head + (bytes.count - head) / 8 * 8
        var sum: UInt64 = 0
        for index in 0..<head { sum &+= single(index) }
        var weight = Self.weight(offset + UInt64(head))
        for index in stride(from: head, to: end, by: 8) {
            sum &+= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* weight
            weight &+= 2
        }
        for index in end..<bytes.count { sum &+= single(index) }
        return sum
    }

    private static func weight(_ place: UInt64) -> UInt64 { place / 8 * 2 + 1 }
}

extension ReadableStorage {
    /// Returns the present checksum of a file; nil if the file is shorter than before.
    func sum(of file: Descriptor, _ check: GrowthCheck) throws(SystemFailure) -> UInt64? {
        let longest = check.parts.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(min(longest, 256 << 10)), alignment: 16)
        defer { buffer.deallocate() }
        var sum: UInt64 = 0
        for part in check.parts {
            var position = part.lowerBound
            while position < part.upperBound {
                let wanted = Int(min(UInt64(buffer.count), part.upperBound - position))
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
                let count = try read(file, into: room, at: position)
                guard count > 0 else { return nil }
                sum &+= check.sum(of: UnsafeRawBufferPointer(rebasing: room[..<count]), at: position)
                position += UInt64(count)
            }
        }
        return sum
    }
}

/// Sample of a file, kept from the offer until the file is sent. If the file has only grown since, its earlier part is
/// sent.
package struct FileSample: Hashable, Sendable {
    /// Two pages, which cost little to read.
    private static let edge: UInt64 = 4 << 10

    /// Bytes that it had.
    package let size: UInt64
    private let sum: UInt64

    /// - Returns: nil if it cannot be read, or is shorter by now.
    init?(of file: Descriptor, size: UInt64, by storage: any ReadableStorage) {
        guard let sum = try? storage.sum(of: file, GrowthCheck(size: size, edge: Self.edge)) else { return nil }
        self.size = size
        self.sum = sum
    }

    /// Returns true if the file has grown, and its earlier part is unchanged.
    func isBeginning(of file: Descriptor, _ status: FileStatus, by storage: any ReadableStorage) -> Bool {
        status.size > size && FileSample(of: file, size: size, by: storage) == self
    }
}
