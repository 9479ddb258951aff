/// Puts together characters that come in several pieces: of bytes in a code page, or of halves of a surrogate pair.
struct RTFCharacters {
    private static let mostCodePages = 64

    private var codePages: [Int: CodePage] = [:]
    private var bytes: [UInt8] = []
    private var bytesCodePage: CodePage?
    private var highSurrogate: UInt16?

    /// True if bytes or a surrogate of an incomplete character are held.
    var isPending: Bool { !bytes.isEmpty || highSurrogate != nil }

    mutating func take(_ byte: UInt8, codePage number: Int) -> [Unicode.Scalar] {
        if bytes.isEmpty {
            let surrogate = endSurrogate()
            guard byte >= 0x80 else { return surrogate + [Unicode.Scalar(byte)] }
            let codePage = codePage(number)
            guard codePage.length(from: byte) > 1 else { return surrogate + [codePage.character(of: byte)] }
            bytes = [byte]
            bytesCodePage = codePage
            return surrogate
        }
        guard let codePage = bytesCodePage, byte >= 0x80 || codePage.pairsWithASCII else {
            return end() + [Unicode.Scalar(byte)]
        }
        bytes.append(byte)
        guard bytes.count == codePage.length(from: bytes[0]) else { return [] }
        defer { bytes = [] }
        return codePage.characters(of: bytes)
    }

    /// Takes the number of a `\u`: a unit of UTF-16, signed or unsigned, or, from some writers, a whole character.
    mutating func take(unicode number: Int) -> [Unicode.Scalar] {
        let value = number < 0 ? number + 0x10000 : number
        if let high = highSurrogate, (0xDC00..<0xE000).contains(value) {
            highSurrogate = nil
            return [UTF16.decode(UTF16.EncodedScalar([high, UInt16(value)]))]
        }
        let ended = end()
        if (0xD800..<0xDC00).contains(value) {
            highSurrogate = UInt16(value)
            return ended
        }
        return ended + [UInt32(exactly: value).flatMap(Unicode.Scalar.init) ?? CodePage.replacement]
    }

    /// Ends an incomplete character with the replacement character.
    mutating func end() -> [Unicode.Scalar] {
        guard bytes.isEmpty else {
            bytes = []
            return [CodePage.replacement]
        }
        return endSurrogate()
    }

    private mutating func endSurrogate() -> [Unicode.Scalar] {
        guard highSurrogate != nil else { return [] }
        highSurrogate = nil
        return [CodePage.replacement]
    }

    private mutating func codePage(_ number: Int) -> CodePage {
        if let known = codePages[number] { return known }
        // Documents name few code pages; after the limit, further ones are read as Windows-1252, so that memory is
        // bounded.
        let number = codePages.count < Self.mostCodePages ? number : 1252
        if let known = codePages[number] { return known }
        let codePage = CodePage(number: number)
        codePages[number] = codePage
        return codePage
    }
}
