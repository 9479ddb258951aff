/// Position of the data of a payload record: its first 16 bytes, all numbers most significant byte first.
package struct PayloadHeader: Hashable, Sendable {
    package static let length = 16

    /// The transfer, as its `Begin` numbered it.
    package let transfer: UInt32
    /// The entry's number; 0 on the data channel.
    package let entry: UInt32
    /// Number of bytes of the entry before these.
    package let offset: UInt64

    package init(transfer: UInt32, entry: UInt32, offset: UInt64) {
        self.transfer = transfer
        self.entry = entry
        self.offset = offset
    }

    /// Reads the first bytes of a payload record's plaintext.
    package init(decoding bytes: some Collection<UInt8>) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            bytes.count >= Self.length, .malformed, "A payload record is shorter than its header.")
        func number(_ start: Int, _ count: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(transfer: UInt32(number(0, 4)), entry: UInt32(number(4, 4)), offset: number(8, 8))
    }

    /// Reads the header of a record in memory.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            bytes.count >= Self.length, .malformed, "A payload record is shorter than its header.")
        self.init(
            transfer: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)),
            entry: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
            offset: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Writes the header to the first 16 bytes of `buffer`, which must have them.
    package func write(to buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= Self.length, "No room for a payload header")
        buffer.storeBytes(of: transfer.bigEndian, toByteOffset: 0, as: UInt32.self)
        buffer.storeBytes(of: entry.bigEndian, toByteOffset: 4, as: UInt32.self)
        buffer.storeBytes(of: offset.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Encodes the header, 16 bytes.
    package func encode() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
            write(to: UnsafeMutableRawBufferPointer(buffer))
            count = Self.length
        }
    }
}
