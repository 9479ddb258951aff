import Foundation
import NIOCore
import PortolanAgent
import PortolanClient
import Testing

@Suite("Bad requests to the local API")
struct APIBadRequestTests {
    private static let id = String(repeating: "a", count: 32)

    @Test(
        "A path that leads nowhere is not found",
        arguments: [
            "/", "/v1", "/v1/", "/v1/nothing", "/v2/status", "/v1/status/", "/v1//status", "/v1/outbox/",
            "/v1/outbox/a",
            "/v1/outbox/" + String(repeating: "A", count: 32), "/v1/outbox/" + String(repeating: "a", count: 33),
            "/v1/outbox/..", "/v1/outbox/../status", "/v1/outbox/%2e%2e%2fstatus", "/v1/outbox/%61" + id.dropFirst(),
            "/v1/inbox/../../etc/passwd", "/v1/outbox/\(id)/delete", "/v1/outbox/\(id)/cancel/x", "/v1/policy/explain",
            "/v1/policy/explain/..", "/v1/shelf/\(id)/x", "/v1/outbox/\(id)%00", "/v1/STATUS",
        ])
    func unknownPaths(_ path: String) async throws {
        try await check(get(path), 404)
    }

    @Test(
        "A query that the path does not have is refused",
        arguments: [
            "status?x=1", "status?", "outbox?limit=0", "outbox?limit=1001", "outbox?limit=-1", "outbox?limit=+1",
            "outbox?limit=1&limit=2", "outbox?limit", "outbox?state=lost", "outbox?after=1", "events?since=abc",
            "events?since=-1", "events?since=99999999999999999999", "events?after=1", "outbox/\(id)?a=b",
        ])
    func badQueries(_ path: String) async throws {
        try await check(get("/v1/" + path), 400)
    }

    @Test(
        "A body that does not fit the API's description is refused",
        arguments: [
            "", "{", "[]", "null", "\"a\"", "{\"target\":\"a\",\"paths\":[\"/x\"]", "{\"target\":\"a\"}",
            "{\"paths\":[\"/x\"]}",
            "{\"target\":\"a\",\"paths\":[\"/x\"],\"more\":1}", "{\"target\":\"a\",\"paths\":[\"/x\"],\"more\":null}",
            "{\"target\":\"a\",\"paths\":[\"/x\"],\"options\":{\"more\":1}}", "{\"target\":1,\"paths\":[\"/x\"]}",
            "{\"target\":\"a\",\"paths\":\"/x\"}", "{\"target\":\"a\",\"paths\":[]}",
            "{\"target\":\"a\",\"paths\":[\"x\"]}",
            "{\"target\":\"a\",\"paths\":[\"/x\"],\"text\":\"y\"}", "{\"target\":\"\",\"text\":\"y\"}",
            "{\"target\":\"a\",\"paths\":[\"/x\\u0000\"]}", "{\"target\":\"a\",\"text\":\"y\",\"expires\":\"soon\"}",
            "{\"target\":\"a\",\"text\":\"y\",\"expires\":1}", "{\"target\":\"a\",\"document\":\"%\"}",
            "{\"target\":\"a\",\"text\":\"y\",\"options\":{\"limitRate\":0}}",
            "{\"target\":\"a\",\"text\":\"y\",\"options\":{\"compression\":\"much\"}}",
            String(repeating: "[", count: 100_000), "\u{FEFF}{", "{\"target\":\"\\ud800\",\"text\":\"\"",
        ])
    func badBodies(_ body: String) async throws {
        try await check(post("outbox", body), 400)
    }

    @Test("A body of another type, a body where there is none, and a method that the path does not have are refused")
    func badForms() async throws {
        try await check(post("outbox", "{}", type: "application/x-www-form-urlencoded"), 415)
        try await check(post("outbox/\(Self.id)/cancel", "{}"), 400)
        try await check(request("GET /v1/status HTTP/1.1", ["Content-Length: 2"], "{}"), 400)
        let answer = try await check(request("DELETE /v1/outbox HTTP/1.1"), 405)
        #expect(answer.header("Allow") == "GET, POST")
        try await check(request("BREW /v1/status HTTP/1.1"), 400)
    }

    @Test("A length beyond the bound is refused before a byte of the body is read")
    func declaredLength() async throws {
        let head = "POST /v1/outbox HTTP/1.1"
        for length in ["1048577", "10737418240", "9223372036854775807"] {
            try await check(request(head, ["Content-Length: \(length)", "Content-Type: application/json"]), 413)
        }
        try await check(
            request(head, ["Content-Length: 1048577", "Content-Type: application/json", "Expect: 100-continue"]), 413)
    }

    @Test("A body in chunks is counted as it arrives")
    func chunkedBodyIsCounted() async throws {
        let agent = FakeAgent()
        try await withServer(agent) { _, _, socket in
            let answer = try await RawConnection.with(socket) { connection in
                try await connection.send(
                    request(
                        "POST /v1/outbox HTTP/1.1", ["Transfer-Encoding: chunked", "Content-Type: application/json"]))
                let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
                for _ in 0..<17 { try await connection.send(chunk) }
                return RawAnswer(text: try await connection.read())
            }
            #expect(answer.status == 413)
            #expect(await agent.calls == [])
        }
    }

    @Test("A client that goes on sending beyond the bound gets its answer, and is closed")
    func endlessBody() async throws {
        try await withServer { server, _, socket in
            let answer = try await RawConnection.with(socket) { connection in
                try await connection.send(
                    request(
                        "POST /v1/outbox HTTP/1.1", ["Content-Length: 10737418240", "Content-Type: application/json"]))
                let block = String(repeating: "x", count: 1 << 20)
                for _ in 0..<8 { try? await connection.send(block) }
                return RawAnswer(text: try await connection.read())
            }
            #expect(answer.status == 413)
            try await until { server.connectionCount == 0 }
        }
    }

    @Test("A header beyond the bounds and bytes that are no HTTP are refused")
    func badHeads() async throws {
        let large = "X: " + String(repeating: "x", count: 9 << 10)
        try await check(request("GET /v1/status HTTP/1.1", [large]), 431)
        try await check(request("GET /v1/status HTTP/1.1", Array(repeating: "X: y", count: 100)), 431)
        let some = "X: " + String(repeating: "x", count: 7 << 10)
        try await check(request("GET /v1/status HTTP/1.1", Array(repeating: some, count: 5)), 431)
        try await check(get("/v1/" + String(repeating: "x", count: 9 << 10)), 431)
        try await check("\u{16}\u{3}\u{1}\r\n\r\n", 400)
        try await check("GET /v1/status HTTP/9.9\r\n\r\n", 400)
        try await check(
            request("POST /v1/outbox HTTP/1.1", ["Content-Length: 2", "Transfer-Encoding: chunked"], "0\r\n\r\n"), 400)
        try await check(request("POST /v1/outbox HTTP/1.1", ["Content-Length: 1", "Content-Length: 2"], "{}"), 400)
        try await check(request("POST /v1/outbox HTTP/1.1", ["Content-Length: -1"]), 400)
    }

    @Test("A client that sends an Expect header continues after the interim answer")
    func clientContinuesAfterTheInterimAnswer() async throws {
        try await withServer { _, _, socket in
            let body = "{\"target\":\"a\",\"text\":\"b\"}"
            let texts = try await RawConnection.with(socket) { connection in
                try await connection.send(
                    request(
                        "POST /v1/outbox HTTP/1.1",
                        [
                            "Content-Length: \(body.utf8.count)", "Content-Type: application/json",
                            "Expect: 100-continue",
                        ]))
                let first = try await connection.read(until: "\r\n\r\n")
                try await connection.send(body)
                return [first, try await connection.read()]
            }
            #expect(texts[0].hasPrefix("HTTP/1.1 100 Continue\r\n"))
            #expect(RawAnswer(text: texts[1]).status == 201)
        }
    }

    @Test("A connection can have several requests, one sent before the other is answered")
    func severalRequests() async throws {
        try await withServer { _, _, socket in
            let answers = try await RawConnection.with(socket) { connection in
                try await connection.send(
                    "GET /v1/status HTTP/1.1\r\n\r\nGET /v1/nothing HTTP/1.1\r\n\r\n" + get("/v1/peers"))
                return try await connection.read()
            }
            let statuses = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "404", "200"])
        }
    }

    @Test("Each connection beyond the bound is refused; there is room again when one ends")
    func connectionBound() async throws {
        var limits = APILimits()
        limits.connections = 2
        try await withServer(limits: limits) { server, client, socket in
            try await RawConnection.with(socket) { _ in
                try await RawConnection.with(socket) { _ in
                    try await until { server.connectionCount == 2 }
                    let answer = try await RawConnection.with(socket) { RawAnswer(text: try await $0.read()) }
                    #expect(answer.status == 503)
                    #expect(answer.problem?.type == "urn:portolan:problem:unavailable")
                }
            }
            try await until { server.connectionCount == 0 }
            #expect(try await client.status().receiving)
        }
    }

    @Test("A request that does not arrive in time ends its connection")
    func lateRequestEndsItsConnection() async throws {
        var limits = APILimits()
        limits.request = .milliseconds(200)
        try await withServer(limits: limits) { server, _, socket in
            var answer: RawAnswer
            repeat {
                // There is no answer if the machine is so busy that not even the header arrived in time.
                answer = try await RawConnection.exchange(
                    socket, request("POST /v1/outbox HTTP/1.1", ["Content-Length: 10"], "{"))
            } while answer.text.isEmpty
            #expect(answer.status == 408)
            let nothing = try await RawConnection.exchange(socket, "GET /v1/sta")
            #expect(nothing.text == "")
            try await until { server.connectionCount == 0 }
        }
    }

    private func get(_ path: String) -> String { request("GET \(path) HTTP/1.1") }

    private func post(_ path: String, _ body: String, type: String = "application/json") -> String {
        request("POST /v1/\(path) HTTP/1.1", ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"], body)
    }

    private func request(_ line: String, _ headers: [String] = [], _ body: String = "") -> String {
        ([line, "Connection: close"] + headers).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    @discardableResult
    private func check(_ request: String, _ status: Int) async throws -> RawAnswer {
        let agent = FakeAgent()
        return try await withServer(agent) { _, _, socket in
            let answer = try await RawConnection.exchange(socket, request)
            #expect(answer.status == status, "\(request.prefix(200))")
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.problem?.status == status, "\(answer.text)")
            #expect(await agent.calls == [])
            return answer
        }
    }
}
