/// Splits bytes into valid UTF-8 scalars and the single bytes that are none.
struct UTF8Pieces<Bytes: Collection<UInt8>> {
    enum Piece {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    mutating func next() -> Piece? {
        guard let first = rest.first else { return nil }
        let length =
            switch first {
            case 0x00...0x7F: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let candidate = rest.prefix(length)
        var decoder = Unicode.UTF8.ForwardParser()
        var bytes = candidate.makeIterator()
        if length > 0, candidate.count == length, case .valid(let encoded) = decoder.parseScalar(from: &bytes) {
            rest = rest.dropFirst(length)
            return .scalar(Unicode.UTF8.decode(encoded))
        }
        rest = rest.dropFirst()
        return .invalid(first)
    }
}
