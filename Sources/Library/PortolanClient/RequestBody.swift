import Foundation

/// Body of a request. Keys that are not listed here are rejected.
package protocol RequestBody: Codable, Sendable {
    static var keys: Set<String> { get }
    static var nested: [String: any RequestBody.Type] { get }
}

extension RequestBody {
    package static var nested: [String: any RequestBody.Type] { [:] }

    /// Returns an unknown key of the object; nil if all are known.
    private static func unknownKey(_ object: [String: JSONValue]) -> String? {
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            guard keys.contains(key) else { return key }
            if case .object(let inner) = value, let unknown = nested[key]?.unknownKey(inner) {
                return "\(key).\(unknown)"
            }
        }
        return nil
    }

    /// Reads a body.
    ///
    /// - Throws: ``AgentAPI/Problem``
    package init(body: Data) throws {
        guard case .object(let object) = try JSONValue(body: body) else {
            throw AgentAPI.Problem.malformed("The body is not a JSON object.")
        }
        if let key = Self.unknownKey(object) {
            throw AgentAPI.Problem.malformed("The body has an unknown key, \(String(reflecting: key.prefix(80))).")
        }
        do {
            self = try APICoding.decode(Self.self, from: body)
        } catch {
            throw AgentAPI.Problem.malformed("The body does not have the right form: \(Self.reason(error)).")
        }
    }

    private static func reason(_ error: any Error) -> String {
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        return switch error as? DecodingError {
        case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "the value of “\(place(context))” is of another type"
        case .dataCorrupted(let context): "the value of “\(place(context))” is not permitted"
        default: "it cannot be read"
        }
    }
}

extension JSONValue {
    /// - Throws: ``AgentAPI/Problem``
    package init(body: Data) throws {
        do {
            self = try APICoding.decode(JSONValue.self, from: body)
        } catch {
            throw AgentAPI.Problem.malformed("The body is not valid JSON.")
        }
    }
}

extension AgentAPI.NewParcel: RequestBody {
    package static let keys: Set = ["target", "paths", "text", "document", "title", "copy", "expires", "options"]
    package static var nested: [String: any RequestBody.Type] { ["options": AgentAPI.ParcelOptions.self] }
}

extension AgentAPI.ParcelOptions: RequestBody {
    package static let keys: Set = ["compression", "limitRate", "attributes", "allowOmissions"]
}

extension AgentAPI.NewSharedItem: RequestBody {
    package static let keys: Set = ["path", "text", "document", "title", "audience", "expires"]
}

extension AgentAPI.Acceptance: RequestBody {
    package static let keys: Set = ["into"]
}

extension AgentAPI.Refusal: RequestBody {
    package static let keys: Set = ["detail"]
}

extension AgentAPI.PolicyText: RequestBody {
    package static let keys: Set = ["text"]
}
