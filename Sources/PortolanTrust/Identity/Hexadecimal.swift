/// Bytes that are no secret as lower-case hexadecimal text and back, as the files of this target have them. For secrets see
/// `SecretPiece`.
enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String { String(decoding: digits(of: bytes), as: UTF8.self) }

    static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }
    }

    /// `nil` for an odd count of digits, and for anything that `digits(of:)` does not write.
    static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var digits = digits.makeIterator()
        while let high = digits.next(), let low = digits.next() {
            guard let high = value(of: high), let low = value(of: low) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
