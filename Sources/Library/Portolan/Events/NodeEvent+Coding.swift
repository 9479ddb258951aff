extension NodeEvent: Codable {
    private enum KindKey: String, CodingKey {
        case event
    }

    /// Reads an object: the field `event`, and the fields of that kind. Unknown fields are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: KindKey.self)
        guard let kind = Self.kinds[try container.decode(String.self, forKey: .event)] else {
            throw DecodingError.dataCorruptedError(
                forKey: .event, in: container, debugDescription: "There is no event of this kind.")
        }
        self = try kind.read(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: KindKey.self)
        try container.encode(kind, forKey: .event)
        try fields.encode(to: encoder)
    }
}

extension NodeEvent {
    /// The event as one line of JSON (RFC 8259): `event` first, then the fields in alphabetical order. Control
    /// characters are escaped, so that a terminal can show it.
    public var line: String {
        do {
            return try Self.line(of: kind, fields)
        } catch {
            // Texts, whole numbers and truth values always encode.
            preconditionFailure("An event could not be encoded: \(error)")
        }
    }

    /// An object as such a line, with moments as ``EventTime``.
    package static func line(of kind: String, _ fields: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in try EventTime(date).encode(to: encoder) }
        let object = String(decoding: try encoder.encode(fields), as: UTF8.self)
        var line = "{\"event\":\"\(kind)\""
        if object != "{}" { line += "," }
        let rest = object.dropFirst()
        if rest.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return line + rest }
        for scalar in rest.unicodeScalars { line.append(written: scalar) }
        return line
    }
}

extension String {
    /// Adds a scalar of JSON text. A scalar that changes the display of text can only be part of a string there, and is
    /// escaped.
    fileprivate mutating func append(written scalar: Unicode.Scalar) {
        guard DisplayText.isHarmful(scalar) || DisplayText.isBlank(scalar) else { return unicodeScalars.append(scalar) }
        // Two units where the scalar is beyond the 16-bit range: JSON escapes are UTF-16.
        for unit in String(scalar).utf16 {
            self += "\\u" + Hexadecimal.text(unit)
        }
    }

    /// Text from a peer, with control and invisible characters escaped, so that a program can print it.
    package init(peerText text: some StringProtocol) { self = DisplayText(sentence: text, limit: 1024).text }
}
