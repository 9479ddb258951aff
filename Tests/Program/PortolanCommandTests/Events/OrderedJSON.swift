import Yams

/// JSON whose objects keep their members in order, for readers.
indirect enum OrderedJSON: ExpressibleByStringLiteral {
    case number(Int)
    case truth(Bool)
    case string(String)
    case list([OrderedJSON])
    case object([(String, OrderedJSON)])

    init(stringLiteral text: String) { self = .string(text) }

    /// Reads a schema of the local API. Its references become those of the schema of events.
    init(_ node: Node) {
        let text = (node.string ?? "").replacing("#/components/schemas/", with: "#/$defs/")
        self =
            switch node {
            case .mapping(let members): .object(members.map { ($0.key.string ?? "", OrderedJSON($0.value)) })
            case .sequence(let elements): .list(elements.map { OrderedJSON($0) })
            default: Int(text).map { .number($0) } ?? Bool(text).map { .truth($0) } ?? .string(text)
            }
    }

    /// Schema that refers to a definition.
    static func reference(_ name: String) -> OrderedJSON { .object([("$ref", .string("#/$defs/" + name))]) }

    /// Schema of an object that has all of some members.
    static func record(_ meaning: String, _ members: [(String, OrderedJSON)]) -> OrderedJSON {
        .object([("description", .string(meaning))] + Self.members(members))
    }

    static func members(_ members: [(String, OrderedJSON)]) -> [(String, OrderedJSON)] {
        [("type", "object"), ("required", .list(members.map { .string($0.0) })), ("properties", .object(members))]
    }

    /// Formats the value. A value that fits a line of 160 characters is in one line.
    ///
    /// - Parameters:
    ///   - indentation: of the line that it begins in.
    ///   - column: number of characters before it in that line.
    func text(indentation: Int = 0, column: Int = 0) -> String {
        let short = line
        if column + short.count <= 160 { return short }
        let inner = String(repeating: " ", count: indentation + 2)
        let outer = String(repeating: " ", count: indentation)
        switch self {
        case .number, .truth, .string: return short
        case .list(let elements):
            let lines = elements.map { inner + $0.text(indentation: indentation + 2, column: indentation + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
        case .object(let members):
            let lines = members.map { name, value in
                let beginning = inner + Self.quoted(name) + ": "
                return beginning + value.text(indentation: indentation + 2, column: beginning.count)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
        }
    }

    private var line: String {
        switch self {
        case .number(let number): "\(number)"
        case .truth(let value): "\(value)"
        case .string(let text): Self.quoted(text)
        case .list(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0) + ": " + $1.line }.joined(separator: ", ") + "}"
        }
    }

    /// None of the texts has controls.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
