import Foundation
import NIOHTTP1
import PortolanClient

/// Answer to a request.
enum APIAnswer: Sendable {
    case whole(Whole)
    case events(any AsyncSequence<[AgentAPI.Event], any Error> & Sendable)

    struct Whole: Sendable {
        var status: HTTPResponseStatus
        var headers: HTTPHeaders = [:]
        var body = Data()
    }

    static func json(_ value: some Encodable, _ status: HTTPResponseStatus = .ok) throws -> APIAnswer {
        .whole(Whole(status: status, headers: ["Content-Type": "application/json"], body: try APICoding.encode(value)))
    }

    static func empty(_ status: HTTPResponseStatus = .noContent) -> APIAnswer { .whole(Whole(status: status)) }
}

extension APIAnswer.Whole {
    init(_ problem: AgentAPI.Problem) {
        // A problem has only texts and numbers, so that encoding does not fail.
        let body = (try? APICoding.encode(problem)) ?? Data("{}".utf8)
        self.init(
            status: HTTPResponseStatus(statusCode: problem.status),
            headers: ["Content-Type": "application/problem+json"],
            body: body)
    }
}
