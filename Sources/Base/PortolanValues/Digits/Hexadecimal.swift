/// Bytes as hexadecimal text in lower case, and back: for values that are not secret. For secrets
/// see `SecretPiece`.
package enum Hexadecimal {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: digits(of: bytes), as: UTF8.self)
    }

    /// A number with all of its digits, leading zeros too.
    package static func text(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: type(of: number).bitWidth / 4 - text.utf8.count) + text
    }

    package static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return digits
    }

    /// Decodes digits; nil for an odd count, and for anything that ``digits(of:)`` does not write.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        // Reading the elements of a generic collection one by one would take most of the time of reading a document.
        digits.withContiguousStorageIfAvailable(decoded) ?? Array(digits).withUnsafeBufferPointer(decoded)
    }

    private static func decoded(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
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

    /// Decodes lower-case text; nil for any other text.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? { bytes(text.utf8) }

    /// Decodes text that a person or another program may have written in either case.
    package static func bytes(inEitherCase text: some StringProtocol) -> [UInt8]? {
        bytes(text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 })
    }

    /// Decodes a number with all its digits in lower case; nil for any other text.
    package static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ text: some StringProtocol, as _: Number.Type = Number.self
    ) -> Number? {
        guard text.utf8.count == Number.bitWidth / 4, text.utf8.allSatisfy({ value(of: $0) != nil }) else { return nil }
        return Number(text, radix: 16)
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
