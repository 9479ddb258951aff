import Foundation
import Portolan
import Yams

@testable import PortolanCommand

/// `Protocol/events.schema.json`, made from the kinds of events, and from the local API and `objects.yaml` for objects.
enum EventSchema {
    struct Unreadable: Error {}

    static func text() throws -> String { try document().text() + "\n" }

    private static func document() throws -> OrderedJSON {
        var lines = NodeEvent.kinds.mapValues { event($0) }
        var definitions: [String: OrderedJSON] = [:]
        for field in NodeEvent.kinds.values.flatMap(\.fields) { field.form.collect(into: &definitions) }
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let schemas = try yaml(JSONSchema.fileOfEvents.deletingLastPathComponent().appending(path: "local-api.yaml"))
        guard let api = schemas["components"]?["schemas"] else { throw Unreadable() }
        let objects = try yaml(here.appending(path: "objects.yaml"))
        for kind in ObjectKind.allCases {
            guard var schema = objects[kind.word] else { throw Unreadable() }
            if let name = name(schema["$ref"]), let object = api[name] { schema = object }
            lines[kind.word] = object(kind, schema)
            collect(schema, of: api, into: &definitions)
        }
        let kinds = lines.sorted { $0.key < $1.key }
        return .object([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "Events of Portolan"),
            (
                "description",
                #"""
                One line of what `portolan … --json` prints. The fields of a kind are always there, but in objects of the local API and in lines \#
                about its service and about folders, where required ones are. Later versions may add fields and kinds: skip what you do not \#
                know. Text that came from a peer has its control and invisible characters written out as \u{1B}.
                """#
            ),
            ("type", "object"), ("oneOf", .list(kinds.map { .reference("events/" + $0.key) })),
            (
                "$defs",
                .object(
                    definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                        + [("events", .object(kinds.map { ($0.key, $0.value) }))])
            ),
        ])
    }

    private static func event(_ kind: any EventKind) -> OrderedJSON {
        let fields = kind.fields.map { field in
            (field.name, OrderedJSON.object([("description", .string(field.meaning))] + field.form.schema))
        }
        return .record(kind.meaning, [("event", .object([("const", .string(kind.word))]))] + fields)
    }

    // MARK: - Objects

    private static func yaml(_ file: URL) throws -> Yams.Node {
        guard let node = try Yams.compose(yaml: String(contentsOf: file, encoding: .utf8)) else { throw Unreadable() }
        return node
    }

    /// Name of the schema that a reference means.
    private static func name(_ reference: Yams.Node?) -> String? {
        reference?.string?.split(separator: "/").last.map(String.init)
    }

    private static func object(_ kind: ObjectKind, _ schema: Yams.Node) -> OrderedJSON {
        let required = ["event"] + (schema["required"]?.sequence?.compactMap(\.string) ?? [])
        let fields = schema["properties"]?.mapping?.map { ($0.key.string ?? "", OrderedJSON($0.value)) } ?? []
        return .object([
            ("description", .string(kind.meaning)), ("type", "object"),
            ("required", .list(required.map { .string($0) })),
            ("properties", .object([("event", .object([("const", .string(kind.word))]))] + fields)),
        ])
    }

    /// Adds the schemas of the local API that a schema refers to.
    private static func collect(_ schema: Yams.Node, of api: Yams.Node, into definitions: inout [String: OrderedJSON]) {
        for (key, value) in schema.mapping ?? [:] {
            guard key.string == "$ref", let name = name(value), let object = api[name] else {
                collect(value, of: api, into: &definitions)
                continue
            }
            guard definitions[name] == nil else { continue }
            definitions[name] = OrderedJSON(object)
            collect(object, of: api, into: &definitions)
        }
        for element in schema.sequence ?? [] { collect(element, of: api, into: &definitions) }
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
        case .count: [("type", "integer"), ("minimum", .number(0))]
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
