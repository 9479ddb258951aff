/// Reads a number in LEB128, byte by byte: seven bits in each byte, the lowest first, the highest bit set in all but
/// the last.
///
/// Only the shortest form is accepted, so that a value has one encoding.
struct VariableLengthReader {
    private var value: UInt64 = 0
    private var shift = 0

    /// Takes the next byte.
    ///
    /// - Returns: the number if the byte was its last one; the reader is ready for another number then.
    mutating func take(_ byte: UInt8, in encoding: DeltaError.Encoding) throws(DeltaError) -> UInt64? {
        // The tenth byte holds one bit.
        guard shift < 63 || byte <= 1 else { throw .malformedNumber(encoding) }
        value |= UInt64(byte & 0x7F) << shift
        if byte & 0x80 != 0 {
            shift += 7
            return nil
        }
        guard byte != 0 || shift == 0 else { throw .malformedNumber(encoding) }
        defer { self = VariableLengthReader() }
        return value
    }
}

extension [UInt8] {
    /// Appends a number in LEB128: 1 to 10 bytes.
    mutating func append(variableLength number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
