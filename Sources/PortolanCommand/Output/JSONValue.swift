import PortolanTrust

/// A value in `--json` output, written so that no character of it can do harm on a terminal.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value as one line of JSON (RFC 8259); the keys of objects are sorted.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + Self.members(members) + "}"
        }
    }

    static func members(_ members: [String: JSONValue]) -> String {
        members.sorted { $0.key < $1.key }.map { quoted($0.key) + ":" + $0.value.text }.joined(separator: ",")
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where DisplayText.isHarmful(scalar) || DisplayText.isBlank(scalar):
                // Two units where the scalar is beyond the 16-bit range: JSON escapes are UTF-16.
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }

    /// Text that came from a peer: controls and the like are escaped visibly, for a program that prints it later.
    static func peerText(_ text: String) -> JSONValue { .string(DisplayText(sentence: text, limit: 1024).text) }

    static func optional<Value>(_ value: Value?, _ convert: (Value) -> JSONValue) -> JSONValue {
        value.map(convert) ?? .null
    }
}
