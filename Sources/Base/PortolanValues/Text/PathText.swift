/// Encoding of a path as text. Paths on Linux may contain any bytes.
///
/// Valid UTF-8 is not changed. An invalid byte is encoded as two of the 32 scalars that Unicode reserves for internal
/// use, U+FDD0 to U+FDEF: the first for its upper four bits, the second for its lower ones. The bytes of a name with
/// one of these scalars are encoded in the same way. Thus different paths have different texts, and each text of
/// ``text(of:)`` can be decoded to its bytes. Only bytes above 0x7F are encoded: no text decodes to a slash, a dot or a
/// NUL.
///
/// Arguments, environment variables and the working folder are decoded to such text, and system calls need its
/// ``Swift/String/pathBytes``. A call with the text itself would not find the file.
package enum PathText {
    private static let first: UInt32 = 0xFDD0
    private static let scalars = first...(first + 31)
    /// In UTF-8 each of the scalars begins with these, and ends with 0x90 to 0xAF.
    private static let (lead, second): (UInt8, UInt8) = (0xEF, 0xB7)

    package static func text(of bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var pieces = UTF8Pieces(bytes)
        while let piece = pieces.next() {
            switch piece {
            case .scalar(let scalar) where scalars.contains(scalar.value):
                for byte in String(scalar).utf8 { append(byte, to: &text) }
            case .scalar(let scalar): text.append(scalar)
            case .invalid(let byte): append(byte, to: &text)
            }
        }
        return String(text)
    }

    /// Returns the text of a path that ends with NUL.
    package static func text(of path: UnsafePointer<CChar>) -> String {
        var count = 0
        while path[count] != 0 { count += 1 }
        return text(of: UnsafeRawBufferPointer(start: path, count: count))
    }

    /// Decodes a text, without a closing NUL.
    package static func bytes(of text: String) -> [UInt8] {
        let utf8 = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var place = 0
        while place < utf8.count {
            if let byte = byte(in: utf8, at: place) {
                bytes.append(byte)
                place += 6
            } else {
                bytes.append(utf8[place])
                place += 1
            }
        }
        return bytes
    }

    /// True if a text contains no encoded byte, as almost all texts.
    package static func isPlain(_ text: some StringProtocol) -> Bool {
        if text.utf8.allSatisfy({ $0 != lead }) { return true }
        let utf8 = Array(text.utf8)
        return !utf8.indices.contains { byte(in: utf8, at: $0) != nil }
    }

    /// Returns a typed text that is not a path, with U+FFFD for each byte that is not UTF-8.
    package static func repaired(_ text: String) -> String { String(decoding: bytes(of: text), as: UTF8.self) }

    /// Decodes the two scalars at a position; nil if there are none.
    private static func byte(in utf8: [UInt8], at place: Int) -> UInt8? {
        guard utf8[place] == lead, place + 5 < utf8.count, utf8[place + 1] == second,
            utf8[place + 3] == lead, utf8[place + 4] == second
        else { return nil }
        let (upper, lower) = (utf8[place + 2], utf8[place + 5])
        guard (0x98...0x9F).contains(upper), (0xA0...0xAF).contains(lower) else { return nil }
        return (upper - 0x90) << 4 | lower & 15
    }

    private static func append(_ byte: UInt8, to text: inout String.UnicodeScalarView) {
        for half in [byte >> 4, 16 | byte & 15] {
            guard let scalar = Unicode.Scalar(first + UInt32(half)) else { preconditionFailure("No surrogates") }
            text.append(scalar)
        }
    }
}

extension String {
    /// The bytes of a path with a closing NUL, for system calls; see ``PathText``.
    package var pathBytes: [CChar] { PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }
}
