import Portolan

/// `Protocol/events.schema.json`, made from the kinds of events.
enum EventSchema {
    static var text: String { document.text() + "\n" }

    private static var document: OrderedJSON {
        let kinds = NodeEvent.kinds.values.sorted { $0.word < $1.word }
        var definitions: [String: OrderedJSON] = [:]
        for field in kinds.flatMap(\.fields) { field.form.collect(into: &definitions) }
        return .object([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "Events of Portolan"),
            (
                "description",
                #"""
                One line of what `portolan … --json` prints. The fields of a kind are always there. Later versions may add fields and kinds: skip \#
                what you do not know. Text that came from a peer has its control and invisible characters written out as \u{1B}.
                """#
            ),
            ("type", "object"), ("oneOf", .list(kinds.map { .reference("events/" + $0.word) })),
            (
                "$defs",
                .object(
                    definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                        + [("events", .object(kinds.map { ($0.word, event($0)) }))])
            ),
        ])
    }

    private static func event(_ kind: any EventKind) -> OrderedJSON {
        let fields = kind.fields.map { field in
            (field.name, OrderedJSON.object([("description", .string(field.meaning))] + field.form.schema))
        }
        return .record(kind.meaning, [("event", .object([("const", .string(kind.word))]))] + fields)
    }
}

extension NodeEvent.Form {
    fileprivate var schema: [(String, OrderedJSON)] {
        switch self {
        case .text: [("type", "string")]
        case .bytes: [("type", "string"), ("contentEncoding", "base64")]
        case .moment: [("type", "string"), ("format", "date-time")]
        case .oneOf(let words): [("type", "string"), ("enum", .list(words.map { .string($0) }))]
        case .pattern(let pattern): [("type", "string"), ("pattern", .string(pattern))]
        case .truth: [("type", "boolean")]
        case .count: [("type", "integer"), ("minimum", .zero)]
        case .number: [("type", "integer")]
        case .list(let element): [("type", "array"), ("items", .object(element.schema))]
        case .orNull(.defined(let name, _, _)): [("anyOf", .list([.reference(name), .object([("type", "null")])]))]
        case .orNull(let form): form.schema.map { ($0, $0 == "type" ? .list([$1, "null"]) : $1) }
        case .object(let members): OrderedJSON.members(members.map { ($0, .object($1.schema)) })
        case .defined(let name, _, _): [("$ref", .string("#/$defs/" + name))]
        }
    }

    /// Adds the forms with a name that are part of this one.
    fileprivate func collect(into definitions: inout [String: OrderedJSON]) {
        switch self {
        case .list(let form), .orNull(let form): form.collect(into: &definitions)
        case .object(let members): for (_, form) in members { form.collect(into: &definitions) }
        case .defined(let name, let meaning, let form):
            definitions[name] = .object([("description", .string(meaning))] + form.schema)
            form.collect(into: &definitions)
        default: break
        }
    }
}
