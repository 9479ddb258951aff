internal import CSodium

/// Part of a text that holds a secret, see ``SecretBytes/joined(_:)``.
package enum SecretPiece {
    /// Bytes that need no protection.
    case open([UInt8])
    /// A secret without conversion.
    case secret(SecretBytes)
    /// A secret as lower-case hexadecimal text.
    case digits(of: SecretBytes)

    /// Length of the piece, in bytes.
    var count: Int {
        switch self {
        case .open(let bytes): bytes.count
        case .secret(let bytes): bytes.count
        case .digits(let bytes): 2 * bytes.count
        }
    }

    fileprivate func write(to place: UnsafeMutableRawBufferPointer) {
        switch self {
        case .open(let bytes): bytes.withUnsafeBytes { place.copyMemory(from: $0) }
        case .secret(let bytes): bytes.withUnsafeBytes { place.copyMemory(from: $0) }
        case .digits(let bytes): bytes.withUnsafeBytes { Self.writeDigits(of: $0, to: place) }
        }
    }

    /// Copied byte by byte: the optimizer would use vector registers, which the dynamic linker saves on the stack.
    @_optimize(none)
    private static func writeDigits(of bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawBufferPointer) {
        var index = 0
        while index < bytes.count {
            place[2 * index] = digit(bytes[index] >> 4)
            place[2 * index + 1] = digit(bytes[index] & 15)
            index += 1
        }
    }

    /// Computes a digit without a branch or a table, so that neither time nor cache depends on the secret.
    private static func digit(_ value: UInt8) -> UInt8 {
        // 0xFF for 0 to 9, 0 for 10 to 15.
        let isDecimal = UInt8(truncatingIfNeeded: (Int16(value) - 10) >> 8)
        return value &+ (UInt8(ascii: "a") - 10) &- (isDecimal & (UInt8(ascii: "a") - 10 - UInt8(ascii: "0")))
    }
}

extension SecretBytes {
    /// Joins the pieces in guarded memory. The secrets among them are not copied to other memory.
    package static func joined(_ pieces: [SecretPiece]) -> SecretBytes { joined(pieces, keeping: .guarded) }

    static func joined(_ pieces: [SecretPiece], keeping: MemoryKind) -> SecretBytes {
        let count = pieces.reduce(0) { $0 + $1.count }
        return SecretBytes(count: count, keeping: keeping) { start in
            var rest = UnsafeMutableRawBufferPointer(start: start, count: count)
            for piece in pieces {
                piece.write(to: UnsafeMutableRawBufferPointer(rebasing: rest[..<piece.count]))
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[piece.count...])
            }
        }
    }

    /// Reads lower-case hexadecimal text, into guarded memory.
    ///
    /// - Returns: nil for an odd count of digits, and for any other character.
    package convenience init?(hexadecimal digits: Slice<UnsafeRawBufferPointer>) {
        let text = UnsafeRawBufferPointer(rebasing: digits)
        let isLowerCase = text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isLowerCase, text.count.isMultiple(of: 2) else { return nil }
        let count = text.count / 2
        self.init(count: count, keeping: .guarded) { start in
            let characters = text.assumingMemoryBound(to: CChar.self).baseAddress
            let result = sodium_hex2bin(start, count, characters, text.count, nil, nil, nil)
            precondition(result == 0, "the digits were checked")
        }
    }

    /// Makes a secret in guarded memory, written by `fill`.
    package static func guarded<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> SecretBytes {
        try SecretBytes(count: count, keeping: .guarded) { (start) throws(Failure) in
            try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
        }
    }
}

/// Computes SHA-256 of bytes in memory, without leaving copies of them.
package func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { SHA256.digest(bytes) }

/// Overwrites an array that held a secret; the compiler cannot optimize this away.
///
/// An array that shares its memory with another is copied first, so the array must be uniquely referenced.
package func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
    }
}

/// Overwrites memory that held a secret; the compiler cannot optimize this away.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { sodium_memzero(start, bytes.count) }
}
