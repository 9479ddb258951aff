/// Header of compressed data: its position, and its length.
///
/// The number of bytes is known and bounded before decompression: a decoder reserves room for them, and refuses data
/// that yields more or fewer.
package struct PackedHeader: Hashable, Sendable {
    package static let length = PayloadHeader.length + 4
    /// Allowed lengths of the data in a packed record, in bytes before compression.
    package static let originalLengths = 2...Limits.payload

    /// Position of the data; the offset is that of the uncompressed data.
    package let place: PayloadHeader
    /// Bytes before compression.
    package let originalLength: Int

    /// The header of a record that this side sends. Traps on lengths that the peer would refuse.
    package init(_ place: PayloadHeader, originalLength: Int) {
        precondition(Self.originalLengths.contains(originalLength), "Packed data of a length that may not be sent")
        self.place = place
        self.originalLength = originalLength
    }

    /// Reads the beginning of a packed record's plaintext; `record` is the whole plaintext.
    package init(decoding record: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            record.count > Self.length, .malformed, "A packed record is too short to hold anything.")
        place = try PayloadHeader(decoding: record)
        let original = record.loadUnaligned(fromByteOffset: PayloadHeader.length, as: UInt32.self)
        originalLength = Int(UInt32(bigEndian: original))
        try ProtocolViolation.check(
            originalLength <= Self.originalLengths.upperBound, .limit,
            "A packed record of \(originalLength) bytes of data.")
        try ProtocolViolation.check(
            originalLength > record.count - Self.length && originalLength >= Self.originalLengths.lowerBound,
            .malformed, "A packed record is not shorter than what it holds.")
    }

    /// Writes the header to the first 20 bytes of `buffer`, which must have them.
    package func write(to buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= Self.length, "No room for the header of packed data")
        place.write(to: buffer)
        buffer.storeBytes(of: UInt32(originalLength).bigEndian, toByteOffset: PayloadHeader.length, as: UInt32.self)
    }
}
