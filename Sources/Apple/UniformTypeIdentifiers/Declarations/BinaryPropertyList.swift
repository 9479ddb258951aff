/// Reads a binary property list from an untrusted file.
///
/// Foundation's reader ends the process at some lists that no writer makes, and writes out all that a list stands for:
/// objects refer to each other by number, and several may refer to one. With Foundation of Swift 6.3.1, a list of 52
/// bytes with a set in it ends the process by a signal, and one of 161 bytes, seven arrays of 14 references each in the
/// other, takes 20 seconds and 4.3 GiB of memory. Each further array, of 16 bytes, takes 14 times as much.
struct BinaryPropertyList {
    private static let maximumDepth = 64
    private static let referenceTime = Date(timeIntervalSinceReferenceDate: 0)

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private let top: Int
    /// Bytes that the values may still take in memory: their contents, and 32 bytes for each value.
    private var budget = 64 << 20

    static func isClaimed(by data: Data) -> Bool { data.starts(with: Array("bplist".utf8)) }

    /// Nil for other formats, and for numbers in the trailer that do not fit the file.
    init?(_ data: Data) {
        let bytes = [UInt8](data)
        guard bytes.starts(with: Array("bplist0".utf8)), bytes.count >= 8 + 32 else { return nil }
        let trailer = bytes.count - 32
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, at: trailer + 8, size: 8),
            let top = Self.number(bytes, at: trailer + 16, size: 8),
            let table = Self.number(bytes, at: trailer + 24, size: 8),
            count > 0, count <= bytes.count, top < count, table <= trailer, count * offsetSize <= trailer - table
        else { return nil }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for object in 0..<count {
            guard let offset = Self.number(bytes, at: table + object * offsetSize, size: offsetSize), offset < trailer
            else { return nil }
            offsets.append(offset)
        }
        (self.bytes, self.offsets, self.referenceSize, self.top) = (bytes, offsets, referenceSize, top)
    }

    /// The root object; nil for invalid objects, for nesting that is too deep (a loop is), and beyond the memory
    /// budget.
    var value: Any? {
        var reader = self
        return reader.value(of: top, depth: 0)
    }

    private mutating func value(of object: Int, depth: Int) -> Any? {
        guard depth < Self.maximumDepth, object < offsets.count, spend(32) else { return nil }
        let position = offsets[object]
        let (kind, detail) = (bytes[position] >> 4, Int(bytes[position] & 0xF))
        switch kind {
        case 0x0: return detail == 8 ? false : detail == 9 ? true : nil
        case 0x1: return integer(at: position + 1, size: 1 << detail)
        case 0x2: return real(at: position + 1, size: 1 << detail)
        case 0x3: return real(at: position + 1, size: 8).map { Date(timeInterval: $0, since: Self.referenceTime) }
        default: break
        }
        guard let (count, start) = count(at: position) else { return nil }
        switch kind {
        case 0x4: return slice(at: start, size: count).map { Data($0) }
        case 0x5: return slice(at: start, size: count).flatMap { String(validating: $0, as: UTF8.self) }
        case 0x6: return text(at: start, count: count)
        case 0xA: return values(at: start, count: count, depth: depth)
        case 0xD:
            guard let keys = values(at: start, count: count, depth: depth),
                let values = values(at: start + count * referenceSize, count: count, depth: depth)
            else { return nil }
            var dictionary: [String: Any] = [:]
            for (key, value) in zip(keys, values) {
                guard let key = key as? String else { return nil }
                dictionary[key] = value
            }
            return dictionary
        default: return nil
        }
    }

    /// Objects that an array of references names.
    private mutating func values(at position: Int, count: Int, depth: Int) -> [Any]? {
        guard slice(at: position, size: count * referenceSize) != nil else { return nil }
        var values: [Any] = []
        for element in 0..<count {
            guard let object = Self.number(bytes, at: position + element * referenceSize, size: referenceSize),
                let value = value(of: object, depth: depth + 1)
            else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func text(at position: Int, count: Int) -> String? {
        guard let units = slice(at: position, size: count * 2) else { return nil }
        let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
        return String(validating: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
    }

    private func integer(at position: Int, size: Int) -> Int? {
        // Integers of less than 8 bytes are unsigned; those of 8 bytes are signed.
        size <= 8 ? Self.bits(bytes, at: position, size: size).map { Int(truncatingIfNeeded: $0) } : nil
    }

    private func real(at position: Int, size: Int) -> Double? {
        guard let bits = size <= 8 ? Self.bits(bytes, at: position, size: size) : nil else { return nil }
        return size == 8 ? Double(bitPattern: bits) : size == 4 ? Double(Float(bitPattern: UInt32(bits))) : nil
    }

    /// Returns the length of an object and the offset of its content: in the low half of its marker, or in an integer
    /// after it.
    private func count(at position: Int) -> (Int, Int)? {
        let detail = Int(bytes[position] & 0xF)
        guard detail == 0xF else { return (detail, position + 1) }
        guard position + 1 < bytes.count, bytes[position + 1] >> 4 == 1 else { return nil }
        let size = 1 << Int(bytes[position + 1] & 0xF)
        guard size <= 8, let count = Self.number(bytes, at: position + 2, size: size), count <= bytes.count else {
            return nil
        }
        return (count, position + 2 + size)
    }

    /// Returns the bytes within the file, counted against the budget.
    private mutating func slice(at position: Int, size: Int) -> ArraySlice<UInt8>? {
        guard position <= bytes.count, size <= bytes.count - position, spend(size) else { return nil }
        return bytes[position..<position + size]
    }

    private mutating func spend(_ size: Int) -> Bool {
        budget -= size
        return budget >= 0
    }

    /// Returns the big-endian number; nil if it does not fit an `Int`.
    private static func number(_ bytes: [UInt8], at position: Int, size: Int) -> Int? {
        bits(bytes, at: position, size: size).flatMap { Int(exactly: $0) }
    }

    private static func bits(_ bytes: [UInt8], at position: Int, size: Int) -> UInt64? {
        guard position >= 0, position <= bytes.count - size else { return nil }
        return bytes[position..<position + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
