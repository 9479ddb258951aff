import Foundation

/// The part of JSON Schema that `Protocol/events.schema.json` uses, and stricter than that: a property that the schema
/// does not name is wrong.
struct JSONSchema {
    private let root: [String: Any]

    struct Unreadable: Error {}

    init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw Unreadable() }
        self.root = root
    }

    /// Schema of the `--json` output.
    static func ofEvents() throws -> JSONSchema { try JSONSchema(path: fileOfEvents.path) }

    static let fileOfEvents = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../../../Protocol/events.schema.json").standardizedFileURL

    /// The schema of each kind of event.
    var events: [String: [String: Any]] {
        (root["$defs"] as? [String: Any])?["events"] as? [String: [String: Any]] ?? [:]
    }

    /// Returns all mistakes in an event, with the place; empty if there are none.
    func mistakes(in event: [String: Any]) -> [String] {
        guard let kind = event["event"] as? String, let schema = events[kind] else { return ["no kind of event"] }
        return mistakes(in: event, schema, at: kind)
    }

    private func mistakes(in value: Any, _ schema: [String: Any], at place: String) -> [String] {
        if let alternatives = schema["anyOf"] as? [[String: Any]] {
            let found = alternatives.map { self.mistakes(in: value, $0, at: place) }
            return found.contains([]) ? [] : found.first ?? []
        }
        if let reference = schema["$ref"] as? String {
            guard let target = definition(reference) else { return ["\(place): \(reference) is nowhere"] }
            return self.mistakes(in: value, target, at: place)
        }
        var mistakes: [String] = []
        if let constant = schema["const"] as? String, value as? String != constant {
            mistakes.append("\(place): is not \(constant)")
        }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] }
        if let types, !types.contains(where: { Self.has(value, type: $0) }) {
            return mistakes + ["\(place): \(value) is none of \(types)"]
        }
        if value is NSNull { return mistakes }
        if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
            mistakes.append("\(place): \(value) is none of \(words)")
        }
        if let least = schema["minimum"] as? Int, (value as? NSNumber)?.doubleValue ?? 0 < Double(least) {
            mistakes.append("\(place): \(value) is less than \(least)")
        }
        if let pattern = schema["pattern"] as? String,
            (value as? String)?.range(of: pattern, options: .regularExpression) == nil
        {
            mistakes.append("\(place): \(value) is not as \(pattern)")
        }
        if schema["format"] as? String == "date-time", (try? Date("\(value)", strategy: .iso8601)) == nil {
            mistakes.append("\(place): \(value) is no moment")
        }
        if let element = schema["items"] as? [String: Any], let values = value as? [Any] {
            for (index, value) in values.enumerated() {
                mistakes += self.mistakes(in: value, element, at: "\(place)[\(index)]")
            }
        }
        if let properties = schema["properties"] as? [String: [String: Any]], let members = value as? [String: Any] {
            let required = Set(schema["required"] as? [String] ?? [])
            mistakes += required.subtracting(members.keys).sorted().map { "\(place).\($0) is missing" }
            for (name, member) in members {
                guard let schema = properties[name] else {
                    mistakes.append("\(place).\(name) is not in the schema")
                    continue
                }
                mistakes += self.mistakes(in: member, schema, at: "\(place).\(name)")
            }
        }
        return mistakes
    }

    private func definition(_ reference: String) -> [String: Any]? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(root as [String: Any]?) { place, name in
            place?[String(name)] as? [String: Any]
        }
    }

    private static func has(_ value: Any, type: String) -> Bool {
        switch type {
        case "null": value is NSNull
        case "boolean": (value as? NSNumber).map(isTruth) ?? false
        case "integer": (value as? NSNumber).map { !isTruth($0) && isWhole($0) } ?? false
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }

    private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    /// Uses `doubleValue`, since `decimalValue` on Linux is 1835011.0000000002048 for 1835011.
    private static func isWhole(_ number: NSNumber) -> Bool { number.doubleValue.rounded() == number.doubleValue }
}
