/// A dynamic type identifier (`dyn.…`): a type that nobody declared, described by its own name.
///
/// The name is made of an ASCII description such as `?0=6:1=bmd`: fields `class=value,value` joined by `:`, where
/// class `0` holds what the type conforms to, with `?` in front if there is such a field. Classes and supertypes on a
/// short list are written as one hexadecimal digit; `:`, `=`, `,` and `\` in a value are escaped with `\`. The
/// description follows `dyn.a` in base 32 with an alphabet of its own, five bits at a time, high bits first, the last
/// group filled with zeros.
struct DynamicIdentifier {
    /// What the type conforms to directly.
    var supertypes: [String]
    var tags: [UTTagClass: [String]]

    init(supertypes: [String], tags: [UTTagClass: [String]]) {
        self.supertypes = supertypes
        self.tags = tags
    }

    /// Nil unless the identifier is a well-formed dynamic one.
    init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard identifier.hasPrefix(Self.prefix),
            let bytes = Self.decode(identifier.utf8.dropFirst(Self.prefix.utf8.count)),
            let description = String(validating: bytes, as: UTF8.self),
            let fields = Self.fields(ofDescription: description)
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
        guard !tags.isEmpty else { return nil }
    }

    /// Whether the identifier claims to be dynamic, well formed or not.
    static func isClaimed(by identifier: String) -> Bool {
        identifier.lowercased().hasPrefix("dyn.")
    }

    var identifier: String {
        var fields = tags.sorted { $0.key.rawValue < $1.key.rawValue }.map { tagClass, values in
            "\(Self.abbreviated(tagClass.rawValue))=\(values.map(Self.escaped).joined(separator: ","))"
        }
        if !supertypes.isEmpty {
            let values = supertypes.map(Self.abbreviated).joined(separator: ",")
            fields.insert("?\(Self.abbreviated(Self.conformanceClass))=\(values)", at: 0)
        }
        return Self.prefix + Self.encode(fields.joined(separator: ":").utf8)
    }

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

    private static func abbreviated(_ name: String) -> String {
        abbreviations.firstIndex(of: name).map { String($0, radix: 16, uppercase: true) } ?? escaped(name)
    }

    private static func spelledOut(_ name: String) -> String {
        guard name.utf8.count == 1, let digit = Int(name, radix: 16) else { return name }
        return abbreviations[digit]
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for character in value.unicodeScalars {
            if [":", "=", ",", "\\"].contains(character) { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }

    /// The fields in order, class names spelled out, values unescaped; nil where the text is not a description.
    private static func fields(ofDescription text: String) -> [(name: String, values: [String])]? {
        var fields: [(name: String, values: [String])] = []
        var name: String?
        var values: [String] = []
        var current = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.drop { $0 == "?" }.makeIterator()
        while true {
            let scalar = scalars.next()
            switch scalar {
            case "\\":
                guard let literal = scalars.next() else { return nil }
                current.append(literal)
            case "=":
                guard name == nil, !current.isEmpty else { return nil }
                name = spelledOut(String(current))
                current = .init()
            case ",":
                guard name != nil else { return nil }
                values.append(String(current))
                current = .init()
            case ":", nil:
                guard let complete = name else { return nil }
                fields.append((complete, values + [String(current)]))
                if scalar == nil { return fields }
                (name, values, current) = (nil, [], .init())
            case let character?:
                current.append(character)
            }
        }
    }
}

// MARK: - Base 32

extension DynamicIdentifier {
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

    private static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
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

    /// Nil for foreign characters, and for an ending that ``encode(_:)`` never writes: the identifier is its own
    /// proof.
    private static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (pending, pendingBits) = (0, 0)
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            (pending, pendingBits) = (pending << 5 | value, pendingBits + 5)
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(pending >> pendingBits & 255))
            }
            pending &= 1 << pendingBits - 1
        }
        return pending == 0 && pendingBits < 5 ? bytes : nil
    }
}
