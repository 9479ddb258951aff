/// A range of untrusted bytes, read at untrusted offsets: reads outside the range give nil.
struct ByteView: Sendable {
    private let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    enum Order { case bigEndian, littleEndian }

    /// Reads the integer of this width at `offset`.
    func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, at offset: Int, _ order: Order = .bigEndian
    ) -> Value? {
        let width = Value.bitWidth / 8
        guard let view = view(at: offset, count: width) else { return nil }
        return view.bytes.enumerated().reduce(0) { value, byte in
            let place = order == .bigEndian ? width - 1 - byte.offset : byte.offset
            return value | Value(byte.element) << (8 * Value(place))
        }
    }

    func byte(at offset: Int) -> UInt8? { integer(UInt8.self, at: offset) }

    /// Returns the `count` bytes at `offset`; nil if fewer exist.
    func view(at offset: Int, count: Int) -> ByteView? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return ByteView(bytes[start..<start + count])
    }

    /// Returns the bytes from `offset` on.
    func view(from offset: Int) -> ByteView? { view(at: offset, count: count - offset) }

    func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
        view(at: offset, count: expected.count).map { $0.bytes.elementsEqual(expected) } ?? false
    }

    /// Returns the `count` bytes at `offset` as text; nil if fewer exist.
    func text(at offset: Int, count: Int) -> String? {
        view(at: offset, count: count).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// True if this ASCII text is at `offset`.
    func has(_ expected: String, at offset: Int = 0) -> Bool { has(Array(expected.utf8), at: offset) }
}
