import Foundation
import NIOCore
import NIOHTTP1
import PortolanClient

/// A complete request, with its path split.
struct APIRequest: Sendable {
    let method: HTTPMethod
    /// Parts of the path behind `/v1/`.
    let path: [Substring]
    /// Values of the query by their names.
    let query: [Substring: [Substring]]
    let headers: HTTPHeaders
    let body: Data

    private static let root = "/v1/"

    /// - Throws: `AgentAPI.Problem` for a path outside this API.
    init(_ head: HTTPRequestHead, body: ByteBuffer) throws {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].hasPrefix(Self.root) else { throw Self.unknown }
        path = parts[0].dropFirst(Self.root.count).split(separator: "/", omittingEmptySubsequences: false)
        var query: [Substring: [Substring]] = [:]
        for pair in parts.count == 2 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { throw AgentAPI.Problem.malformed("The query has a part without a value.") }
            query[sides[0], default: []].append(sides[1])
        }
        self.query = query
        method = head.method
        headers = head.headers
        self.body = Data(body.readableBytesView)
    }

    static let unknown = AgentAPI.Problem.notFound("There is nothing at this path.")
}

extension APIRequest {
    /// Decodes the body as a JSON object of the type.
    func decoded<Body: RequestBody>(_ type: Body.Type = Body.self) throws -> Body {
        try checkType()
        return try Body(body: body)
    }

    /// Decodes a body whose keys are all optional: an empty body is an empty object.
    func decodedIfPresent<Body: RequestBody>(_ type: Body.Type = Body.self) throws -> Body {
        body.isEmpty ? try Body(body: Data("{}".utf8)) : try decoded(type)
    }

    func object() throws -> JSONValue {
        try checkType()
        let value = try JSONValue(body: body)
        guard case .object = value else { throw AgentAPI.Problem.malformed("The body is not a JSON object.") }
        return value
    }

    private func checkType() throws {
        let type = headers[canonicalForm: "content-type"].first?.split(separator: ";").first
        guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
            throw AgentAPI.Problem(
                "media-type", 415, title: "Unsupported media type",
                detail: "A body must have the type application/json.")
        }
    }

    /// - Parameter known: names that the query may contain.
    func checkQuery(_ known: Set<Substring> = []) throws {
        guard let name = query.keys.filter({ !known.contains($0) }).min() else { return }
        throw AgentAPI.Problem.malformed("The query has an unknown name, \(String(reflecting: name.prefix(80))).")
    }

    func checkNoBody() throws {
        if !body.isEmpty { throw AgentAPI.Problem.malformed("This request has no body.") }
    }

    /// - Parameter states: names of all states.
    func page(states: [String]) throws -> AgentAPI.Query {
        try checkQuery(["state", "after", "limit"])
        let wanted = (query["state"] ?? []).map(String.init)
        guard wanted.allSatisfy(states.contains) else {
            throw AgentAPI.Problem.malformed("“state” is one of \(states.joined(separator: ", ")).")
        }
        let after = try single("after").map { text in
            guard let id = AgentAPI.ID(String(text)) else {
                throw AgentAPI.Problem.malformed("“after” is an identifier of 32 hexadecimal digits.")
            }
            return id
        }
        return AgentAPI.Query(states: wanted, after: after, limit: try limit())
    }

    func limit() throws -> Int {
        guard let text = try single("limit") else { return AgentAPI.Query.most }
        guard let number = Self.number(text), (1...Int64(AgentAPI.Query.most)).contains(number) else {
            throw AgentAPI.Problem.malformed("“limit” is a number from 1 to \(AgentAPI.Query.most).")
        }
        return Int(number)
    }

    /// Position in the journal, from the query, or from `Last-Event-ID` if an event source reconnects. No entry has the
    /// cursor 0, which means the oldest one that is kept.
    func position() throws -> AgentAPI.Position {
        let last = headers["last-event-id"].first.map { $0[...] }
        guard let text = try last ?? single("since") else { return .oldest }
        if text == "newest" { return .newest }
        guard let cursor = Self.number(text) else { throw AgentAPI.Problem.malformed("A cursor is a whole number.") }
        return cursor == 0 ? .oldest : .after(cursor)
    }

    private func single(_ name: Substring) throws -> Substring? {
        guard let values = query[name] else { return nil }
        guard values.count == 1 else { throw AgentAPI.Problem.malformed("“\(name)” stands in the query twice.") }
        return values[0]
    }

    /// Parses digits without a sign.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// True if the client accepts server-sent events.
    var wantsEvents: Bool {
        headers[canonicalForm: "accept"].contains { $0.lowercased().hasPrefix("text/event-stream") }
    }
}
