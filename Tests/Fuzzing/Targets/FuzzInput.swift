/// The bytes of one execution, taken piece by piece. Bytes missing at the end read as zeros, so that every input means
/// something.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes)[...] }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// A number from 0 to `bound` - 1, for a bound of at most 256.
    mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    mutating func word() -> UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// At most so many bytes.
    mutating func prefix(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// A piece with its length before it, in two bytes.
    mutating func piece() -> [UInt8] {
        let length = Int(byte()) << 8 | Int(byte())
        return prefix(length)
    }

    /// All remaining bytes.
    mutating func rest() -> [UInt8] { prefix(bytes.count) }

    /// The encoding that ``piece()`` reads.
    static func piece(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let bytes = bytes.prefix(Int(UInt16.max))
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}
