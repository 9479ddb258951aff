extension UnsafeRawBufferPointer {
    /// A part of the bytes.
    subscript(part range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Returns the big-endian number in the eight bytes at `offset`.
    func number(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8)
        return UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
