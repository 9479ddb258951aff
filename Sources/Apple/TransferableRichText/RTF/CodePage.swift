/// Decoder for the bytes above 127 of a document: a Windows code page, through the C library's iconv.
final class CodePage {
    /// Bytes of a symbol font are positions in the font; Word keeps them in the private use area.
    private enum Kind { case symbols, utf8, singleByte, doubleByte, shiftJIS }

    private let kind: Kind
    private let converter: iconv_t?
    private var known = [Unicode.Scalar?](repeating: nil, count: 256)

    /// A number that is not a code page known to the C library is read as Windows-1252.
    init(number: Int) {
        switch number {
        case Self.symbols: kind = .symbols
        case 65_001: kind = .utf8
        case 932, 10_001: kind = .shiftJIS
        case 936, 949, 950, 1361: kind = .doubleByte
        default: kind = .singleByte
        }
        let name =
            switch number {
            case Self.symbols, 65_001: "UTF-8"
            case 0, 1252: "CP1252"
            case 10_000: "MACINTOSH"
            case 10_001: "CP932"
            default: "CP\(number)"
            }
        converter = Self.open(name) ?? Self.open("CP1252")
    }

    private static func open(_ name: String) -> iconv_t? {
        let converter = iconv_open("UTF-32LE", name)
        return converter == iconv_t(bitPattern: -1) ? nil : converter
    }

    deinit {
        if let converter { iconv_close(converter) }
    }

    /// Number for symbol fonts; no code page has it.
    static let symbols = -1

    /// The code page that a font's `\fcharset` stands for; nil for the document's own.
    static func number(forCharset charset: Int) -> Int? {
        switch charset {
        case 0: 1252
        case 2: symbols
        case 77: 10_000
        case 78: 10_001
        case 128: 932
        case 129: 949
        case 130: 1361
        case 134: 936
        case 136: 950
        case 161: 1253
        case 162: 1254
        case 163: 1258
        case 177: 1255
        case 178: 1256
        case 186: 1257
        case 204: 1251
        case 222: 874
        case 238: 1250
        case 254: 437
        case 255: 850
        default: nil
        }
    }

    /// True if the byte after this one belongs to the same character even if it is ASCII.
    var pairsWithASCII: Bool { kind == .doubleByte || kind == .shiftJIS }

    /// Length in bytes of the character that begins with a byte.
    func length(from first: UInt8) -> Int {
        switch kind {
        case .symbols, .singleByte: 1
        case .doubleByte: (0x81...0xFE).contains(first) ? 2 : 1
        case .shiftJIS: (0x81...0x9F).contains(first) || (0xE0...0xFC).contains(first) ? 2 : 1
        case .utf8:
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        }
    }

    func character(of byte: UInt8) -> Unicode.Scalar {
        if let known = known[Int(byte)] { return known }
        let character = characters(of: [byte]).first ?? Self.replacement
        known[Int(byte)] = character
        return character
    }

    /// Decodes the bytes of one character; the replacement character for invalid bytes.
    func characters(of bytes: [UInt8]) -> [Unicode.Scalar] {
        switch kind {
        case .symbols: return bytes.map { Unicode.Scalar(0xF000 + UInt32($0)) ?? Self.replacement }
        case .utf8: return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        case .singleByte, .doubleByte, .shiftJIS: break
        }
        guard let converter else { return [Self.replacement] }
        // No character of these code pages is longer than two bytes or more than two characters of Unicode.
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [UInt32](repeating: 0, count: 4)
        let left = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBytes { output -> Int? in
                var (source, sourceLeft) = (input.baseAddress, input.count)
                var (target, targetLeft) = (output.bindMemory(to: CChar.self).baseAddress, output.count)
                iconv(converter, nil, nil, nil, nil)
                guard iconv(converter, &source, &sourceLeft, &target, &targetLeft) != -1,
                    // iconv holds back a character that may combine with the next one; this call flushes it.
                    iconv(converter, nil, nil, &target, &targetLeft) != -1
                else { return nil }
                return targetLeft
            }
        }
        guard let left else { return [Self.replacement] }
        return output.dropLast(left / 4).map { Unicode.Scalar(UInt32(littleEndian: $0)) ?? Self.replacement }
    }

    static let replacement: Unicode.Scalar = "\u{FFFD}"
}
