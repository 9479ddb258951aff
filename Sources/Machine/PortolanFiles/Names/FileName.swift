import PortolanValues

/// Name in one folder, safe to create even if a peer chose it.
///
/// Peers choose names, so a name is parsed once, here, and a `FileName` needs no further check: it is one path
/// component of 1 to 255 bytes of valid UTF-8, not `.` or `..`, with no `/`, no control character, no line separator
/// and no character that changes the direction of text, and it is none of Portolan's own partials. Names are compared
/// by bytes, as Linux does: composed and decomposed forms of one text are two names.
package struct FileName: Hashable, Sendable, CustomStringConvertible {
    /// Longest name that every known file system can hold, in bytes.
    package static let maximumBytes = 255
    /// Prefix of the names of partials in an inbox; no item or file of an item may have such a name.
    package static let partialPrefix = ".portolan-partial-"

    package let text: String

    package init(_ bytes: some Collection<UInt8>) throws(NameRefusal) {
        if bytes.count > Self.maximumBytes { throw .tooLong(bytes: bytes.count) }
        let plain = bytes.withContiguousStorageIfAvailable { Self.plainText(UnsafeRawBufferPointer($0)) }
        if let text = plain ?? nil {
            self.init(obeying: text)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        try self.init(text)
    }

    package init(_ text: String) throws(NameRefusal) {
        if let refusal = NameRefusal.ofComponent(text) { throw refusal }
        if Self.isPartial(text) { throw .reserved }
        self.text = text
    }

    /// Returns the text of a simple name, which needs no further check: printable ASCII without `/` that does not begin
    /// with a dot.
    private static func plainText(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard !bytes.isEmpty, bytes[0] != UInt8(ascii: ".") else { return nil }
        for byte in bytes where byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "/") { return nil }
        return String(unsafeUninitializedCapacity: bytes.count) { text in
            UnsafeMutableRawBufferPointer(text).copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Compares bytes, since a combining character after the prefix makes a different text but still such a name.
    static func isPartial(_ text: String) -> Bool { text.utf8.starts(with: partialPrefix.utf8) }

    /// For text that was just made to obey the rules.
    init(obeying text: String) {
        assert(NameRefusal.ofComponent(text) == nil, "a name that breaks the rules")
        self.text = text
    }

    package var utf8: String.UTF8View { text.utf8 }

    /// Safe to show; invisible characters, which a name may hold, appear escaped.
    package var description: String { DisplayText(text, limit: Self.maximumBytes).text }

    package static func == (one: FileName, other: FileName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Reason why a text is not a file name.
package enum NameRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// `.` or `..`
    case dots
    case separator
    /// NUL, C0, DEL, C1, line and paragraph separators.
    case control
    /// A bidirectional control character, which makes a name look like another one.
    case direction
    case notUTF8
    case tooLong(bytes: Int)
    /// The name of a partial.
    case reserved

    package var description: String {
        switch self {
        case .empty: "an empty name"
        case .dots: "a name that means a folder itself or the one above it"
        case .separator: "a name with “/” in it"
        case .control: "a name with a control character in it"
        case .direction: "a name with a character in it that changes the direction of text"
        case .notUTF8: "a name that is not valid UTF-8"
        case .tooLong(let bytes): "a name of \(bytes) bytes, where \(FileName.maximumBytes) is the most"
        case .reserved: "a name that Portolan keeps for its own partial files"
        }
    }

    /// Returns the error in `text` as one component of a path; names of partials are not checked.
    static func ofComponent(_ text: String) -> NameRefusal? {
        if text.isEmpty { return .empty }
        if text.utf8.count > FileName.maximumBytes { return .tooLong(bytes: text.utf8.count) }
        if text == "." || text == ".." { return .dots }
        for scalar in text.unicodeScalars {
            if let refusal = of(scalar) { return refusal }
        }
        return nil
    }

    static func of(_ scalar: Unicode.Scalar) -> NameRefusal? {
        if scalar.isASCII {
            if scalar == "/" { return .separator }
            return scalar.value < 0x20 || scalar.value == 0x7F ? .control : nil
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return .control
        default: return scalar.properties.isBidiControl ? .direction : nil
        }
    }
}

extension FileError {
    /// A peer's name was refused.
    package init(_ refusal: NameRefusal, name: some Collection<UInt8>) {
        self.init(
            .unacceptableName,
            "The other side sent \(refusal): “\(DisplayText(bytes: name, limit: 80))”. It was not stored.")
    }
}
