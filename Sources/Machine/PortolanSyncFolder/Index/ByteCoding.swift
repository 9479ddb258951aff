/// Writes numbers and bytes in sequence, for blobs of the index.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Adds a number with seven bits a byte, the low ones first, so that small numbers are short.
    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(signed number: Int64) { add(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func add(raw: [UInt8]) { bytes += raw }

    mutating func add(text: String) {
        add(UInt64(text.utf8.count))
        bytes += text.utf8
    }
}

/// Reads the output of ``ByteWriter``.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() throws(SyncError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw SyncError.damagedIndex }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw SyncError.damagedIndex
    }

    mutating func signed() throws(SyncError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads the number of elements that follow, each of at least one byte.
    mutating func count() throws(SyncError) -> Int {
        let number = try number()
        guard number <= UInt64(rest.count) else { throw SyncError.damagedIndex }
        return Int(number)
    }

    mutating func raw(_ count: Int) throws(SyncError) -> [UInt8] {
        guard count <= rest.count else { throw SyncError.damagedIndex }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() throws(SyncError) -> String {
        String(decoding: try raw(try count()), as: UTF8.self)
    }
}
