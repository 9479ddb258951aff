import NIOHTTP1
import PortolanClient

/// Finds the operation of a request, and runs it.
struct APIRouter: Sendable {
    let actions: any AgentActions

    /// Answers a request; an error becomes a problem document.
    func answer(_ request: APIRequest) async -> APIAnswer {
        do {
            return try await run(request)
        } catch {
            let problem = AgentAPI.Problem.of(error) as? AgentAPI.Problem
            return .whole(
                APIAnswer.Whole(
                    problem
                        ?? AgentAPI.Problem(
                            "internal", 500, title: "Internal error",
                            detail: "The agent could not do it; its log says why.")))
        }
    }

    private typealias Operation = @Sendable (APIRequest) async throws -> APIAnswer

    private func run(_ request: APIRequest) async throws -> APIAnswer {
        let operations = try operations(request.path)
        guard let operation = operations[request.method.rawValue] else {
            var answer = APIAnswer.Whole(
                AgentAPI.Problem(
                    "method", 405, title: "Method not allowed", detail: "This path has another method."))
            answer.headers.add(name: "Allow", value: operations.keys.sorted().joined(separator: ", "))
            return .whole(answer)
        }
        if request.method != .POST { try request.checkNoBody() }
        return try await operation(request)
    }

    /// Returns the operations of a path, by their methods.
    private func operations(_ path: [Substring]) throws -> [String: Operation] {
        switch path.first {
        case "outbox": try outbox(path.dropFirst())
        case "inbox": try inbox(path.dropFirst())
        case "policy": try policy(path.dropFirst())
        case "shelf": try shelf(path.dropFirst())
        case "sync": try sync(path.dropFirst())
        default: try whole(path)
        }
    }

    private func whole(_ path: [Substring]) throws -> [String: Operation] {
        guard path.count == 1 else { throw APIRequest.unknown }
        return switch path[0] {
        case "status": ["GET": plain { try .json(await actions.status()) }]
        case "peers": ["GET": plain { try .json(await actions.peers()) }]
        case "reload": ["POST": plain { try .json(await actions.reload()) }]
        case "stop": ["POST": silent(.accepted) { try await actions.stop() }]
        case "events": ["GET": events]
        default: throw APIRequest.unknown
        }
    }

    private func outbox(_ path: ArraySlice<Substring>) throws -> [String: Operation] {
        guard let first = path.first else {
            return [
                "GET": { request in
                    let states = AgentAPI.Parcel.State.allCases.map(\.rawValue)
                    return try .json(await actions.outbox(try request.page(states: states)))
                },
                "POST": withBody { request in
                    let parcel = try request.decoded(AgentAPI.NewParcel.self)
                    try parcel.check()
                    return try .json(await actions.queue(parcel), .created)
                },
            ]
        }
        let id = try identifier(first)
        return switch path.dropFirst().map({ $0 }) {
        case []: ["GET": plain { try .json(await actions.parcel(id)) }]
        case ["cancel"]: ["POST": plain { try .json(await actions.cancel(id)) }]
        case ["retry"]: ["POST": plain { try .json(await actions.retry(id)) }]
        default: throw APIRequest.unknown
        }
    }

    private func inbox(_ path: ArraySlice<Substring>) throws -> [String: Operation] {
        guard let first = path.first else {
            return [
                "GET": { request in
                    let states = AgentAPI.InboxItem.State.allCases.map(\.rawValue)
                    return try .json(await actions.inbox(try request.page(states: states)))
                }
            ]
        }
        let id = try identifier(first)
        return switch path.dropFirst().map({ $0 }) {
        case []: ["GET": plain { try .json(await actions.item(id)) }]
        case ["accept"]:
            [
                "POST": withBody { request in
                    let acceptance = try request.decodedIfPresent(AgentAPI.Acceptance.self)
                    try acceptance.check()
                    return try .json(await actions.accept(id, acceptance))
                }
            ]
        case ["decline"]: ["POST": withBody { try .json(await actions.decline(id, try $0.decodedIfPresent())) }]
        case ["forget"]: ["POST": silent { try await actions.forget(id) }]
        default: throw APIRequest.unknown
        }
    }

    private func policy(_ path: ArraySlice<Substring>) throws -> [String: Operation] {
        switch path.map({ $0 }) {
        case []: return ["GET": plain { try .json(await actions.policy()) }]
        case ["check"]: return ["POST": withBody { try .json(await actions.checkPolicy(try $0.decodedIfPresent())) }]
        case ["test"]: return ["POST": withBody { try .json(await actions.testPolicy(try $0.object())) }]
        default:
            guard path.count == 2, path.first == "explain" else { throw APIRequest.unknown }
            let id = try identifier(path[path.endIndex - 1])
            return ["GET": plain { try .json(await actions.explain(id)) }]
        }
    }

    private func shelf(_ path: ArraySlice<Substring>) throws -> [String: Operation] {
        guard let first = path.first else {
            return [
                "GET": plain { try .json(AgentAPI.Shelf(items: await actions.shelf())) },
                "POST": withBody { request in
                    let item = try request.decoded(AgentAPI.NewSharedItem.self)
                    try item.check()
                    return try .json(await actions.share(item), .created)
                },
            ]
        }
        guard path.count == 1 else { throw APIRequest.unknown }
        let id = try identifier(first)
        return ["DELETE": silent { try await actions.unshare(id) }]
    }

    private func sync(_ path: ArraySlice<Substring>) throws -> [String: Operation] {
        switch path.map({ $0 }) {
        case []: return ["GET": plain { try .json(await actions.sync()) }]
        case ["refresh"]: return ["POST": plain { try .json(await actions.refreshSync()) }]
        default:
            guard path.count == 2, let id = path.first.map(String.init), id.utf8.count == 16,
                id.allSatisfy({ "0123456789abcdef".contains($0) })
            else { throw APIRequest.unknown }
            switch path.last {
            case "check":
                return ["POST": withBody { try .json(await actions.checkSync(id, try $0.decodedIfPresent())) }]
            case "forget": return ["POST": withBody { try .json(await actions.forgetSync(id, try $0.decoded())) }]
            default: throw APIRequest.unknown
            }
        }
    }

    @Sendable private func events(_ request: APIRequest) async throws -> APIAnswer {
        try request.checkQuery(["since", "limit"])
        let position = try request.position()
        let limit = try request.limit()
        guard request.wantsEvents else { return try .json(await actions.events(from: position, limit: limit)) }
        return .events(try await actions.follow(from: position))
    }

    /// Makes an operation without query and body.
    private func plain(_ run: @escaping @Sendable () async throws -> APIAnswer) -> Operation {
        { request in
            try request.checkQuery()
            try request.checkNoBody()
            return try await run()
        }
    }

    /// Makes an operation without query, body and result.
    private func silent(
        _ status: HTTPResponseStatus = .noContent, _ run: @escaping @Sendable () async throws -> Void
    ) -> Operation {
        plain {
            try await run()
            return .empty(status)
        }
    }

    /// Makes an operation with a body and without query.
    private func withBody(_ run: @escaping @Sendable (APIRequest) async throws -> APIAnswer) -> Operation {
        { request in
            try request.checkQuery()
            return try await run(request)
        }
    }

    /// Accepts only an identifier, so that no other path is reachable.
    private func identifier(_ text: Substring) throws -> AgentAPI.ID {
        guard let id = AgentAPI.ID(String(text)) else { throw APIRequest.unknown }
        return id
    }
}
