/// A dynamic type identifier (`dyn.…`): an undeclared type, described by its own name.
///
/// The name is made of an ASCII description such as `?0=6:1=bmd`: fields `class=value,value` joined by `:`, where
/// class `0` holds the supertypes of the type, with `?` in front if there is such a field. Classes and supertypes on a
/// short list are written as one hexadecimal digit; `:`, `=`, `,` and `\` in a value are escaped with `\`. The
/// description follows `dyn.a` in base 32 with an alphabet of its own, five bits at a time, high bits first, the last
/// group filled with zeros.
struct DynamicIdentifier {
    /// Identifiers of the types that the type conforms to directly.
    var supertypes: [String]
    var tags: [UTTagClass: [String]]

    init(supertypes: [String], tags: [UTTagClass: [String]]) {
        self.supertypes = supertypes
        self.tags = tags
    }

    /// Parses an identifier. Nil unless it is a well-formed dynamic one, with tags that can be tags and supertypes that
    /// can be types.
    init?(_ identifier: String) {
        guard identifier.utf8.count <= Self.maximumLength, Self.isClaimed(by: identifier) else { return nil }
        let identifier = identifier.lowercased()
        guard identifier.hasPrefix(Self.prefix),
            let bytes = Self.decode(identifier.utf8.dropFirst(Self.prefix.utf8.count)),
            String(validating: bytes, as: UTF8.self) != nil,
            let fields = Self.fields(ofDescription: bytes)
        else { return nil }
        supertypes = []
        tags = [:]
        for (name, values) in fields {
            if name == Self.conformanceClass {
                supertypes += values.map(Self.spelledOut)
            } else {
                tags[UTTagClass(rawValue: name), default: []] += values
            }
        }
        guard !tags.isEmpty, supertypes.allSatisfy(Self.isType),
            tags.allSatisfy({ tagClass, values in
                values.allSatisfy { TypeIdentifier.isPossible(tag: $0, in: tagClass) }
            })
        else { return nil }
    }

    /// Returns true if a name can be that of a type. Dynamic names inside dynamic names end soon, because each is
    /// shorter than the one that contains it.
    private static func isType(_ identifier: String) -> Bool {
        isClaimed(by: identifier) ? DynamicIdentifier(identifier) != nil : TypeIdentifier.isWellFormed(identifier)
    }

    /// Returns true if the identifier claims to be dynamic, well formed or not.
    static func isClaimed(by identifier: String) -> Bool {
        identifier.utf8.count >= 4
            && identifier.utf8.prefix(4).elementsEqual("dyn.".utf8) { $0 == $1 || $0 | 0x20 == $1 }
    }

    var identifier: String {
        var description: [UInt8] = []
        description.reserveCapacity(64)
        func append(_ name: String, _ values: [String], _ write: (String, inout [UInt8]) -> Void) {
            if !description.isEmpty, description.last != question { description.append(colon) }
            Self.writeAbbreviated(name, &description)
            description.append(equals)
            for (position, value) in values.enumerated() {
                if position > 0 { description.append(comma) }
                write(value, &description)
            }
        }
        if !supertypes.isEmpty {
            description.append(question)
            append(Self.conformanceClass, supertypes, Self.writeAbbreviated)
        }
        for (tagClass, values) in tags.count == 1 ? Array(tags) : tags.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            append(tagClass.rawValue, values, Self.writeEscaped)
        }
        return Self.encode(description)
    }

    /// Longest identifier, in bytes; every tag and type fits. Longer ones are rejected.
    static let maximumLength = 4096
    private static let prefix = "dyn.a"
    private static let conformanceClass = "UTTypeConformsTo"
}

// MARK: - The description

extension DynamicIdentifier {
    /// The names written as one digit: position is the digit's value.
    private static let abbreviations = [
        conformanceClass, "public.filename-extension", "com.apple.ostype", "public.mime-type",
        "com.apple.nspboard-type", "public.url-scheme", "public.data", "public.text", "public.plain-text",
        "public.utf16-plain-text", "com.apple.traditional-mac-plain-text", "public.image", "public.video",
        "public.audio", "public.directory", "public.folder",
    ]

    private static func writeAbbreviated(_ name: String, _ description: inout [UInt8]) {
        let count = name.utf8.count
        for (digit, abbreviation) in abbreviations.enumerated()
        where abbreviation.utf8.count == count && abbreviation == name {
            description.append((digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) + UInt8(digit))
            return
        }
        writeEscaped(name, &description)
    }

    private static func spelledOut(_ name: String) -> String {
        guard name.utf8.count == 1, let digit = Int(name, radix: 16) else { return name }
        return abbreviations[digit]
    }

    private static func writeEscaped(_ value: String, _ description: inout [UInt8]) {
        for byte in value.utf8 {
            if byte == colon || byte == equals || byte == comma || byte == backslash { description.append(backslash) }
            description.append(byte)
        }
    }

    /// Returns the fields in order, class names spelled out, values unescaped; nil where the text is not a description.
    private static func fields(ofDescription text: [UInt8]) -> [(name: String, values: [String])]? {
        var fields: [(name: String, values: [String])] = []
        var name: String?
        var values: [String] = []
        var current: [UInt8] = []
        func word() -> String { String(decoding: current, as: UTF8.self) }
        var bytes = text.drop { $0 == question }.makeIterator()
        while true {
            let byte = bytes.next()
            switch byte {
            case backslash:
                guard let literal = bytes.next() else { return nil }
                current.append(literal)
            case equals:
                guard name == nil, !current.isEmpty else { return nil }
                name = spelledOut(word())
                current = []
            case comma:
                guard name != nil else { return nil }
                values.append(word())
                current = []
            case colon, nil:
                guard let complete = name else { return nil }
                fields.append((complete, values + [word()]))
                if byte == nil { return fields }
                (name, values, current) = (nil, [], [])
            case let byte?:
                current.append(byte)
            }
        }
    }
}

private let question = UInt8(ascii: "?")
private let colon = UInt8(ascii: ":")
private let equals = UInt8(ascii: "=")
private let comma = UInt8(ascii: ",")
private let backslash = UInt8(ascii: "\\")

// MARK: - Base 32

extension DynamicIdentifier {
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

    /// Value of each ASCII character; 255 for characters outside the alphabet.
    private static let values = (0..<128).map { character in
        alphabet.firstIndex(of: UInt8(character)).map { UInt8($0) } ?? 255
    }

    /// Encodes bytes, with the prefix.
    private static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = alphabet
        var text = Array(prefix.utf8)
        text.reserveCapacity(text.count + bytes.count * 8 / 5 + 1)
        var (pending, pendingBits) = (0, 0)
        for byte in bytes {
            (pending, pendingBits) = (pending << 8 | Int(byte), pendingBits + 8)
            while pendingBits >= 5 {
                pendingBits -= 5
                text.append(alphabet[pending >> pendingBits & 31])
            }
            pending &= 1 << pendingBits - 1
        }
        if pendingBits > 0 { text.append(alphabet[pending << (5 - pendingBits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text. Nil for characters outside the alphabet, and for an ending that ``encode(_:)`` never writes, so
    /// that each identifier has one form.
    private static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (pending, pendingBits) = (0, 0)
        for character in text {
            guard character < 128, values[Int(character)] < 32 else { return nil }
            (pending, pendingBits) = (pending << 5 | Int(values[Int(character)]), pendingBits + 5)
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(pending >> pendingBits & 255))
            }
            pending &= 1 << pendingBits - 1
        }
        return pending == 0 && pendingBits < 5 ? bytes : nil
    }
}
