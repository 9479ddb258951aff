import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Answer of the agent, read in parts.
struct AgentAnswer {
    let head: HTTPResponseHead
    fileprivate var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

    /// Largest answer that is read as a whole, in bytes.
    private static let limit = 256 << 20

    /// Returns the next bytes of the body; nil at its end, and after a lost connection.
    mutating func next() async throws -> ByteBuffer? {
        do {
            guard case .body(let bytes) = try await parts.next() else { return nil }
            return bytes
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return nil
        }
    }

    /// Reads the whole body.
    mutating func body() async throws -> Data {
        var data = Data()
        while true {
            switch try await parts.next() {
            case .body(let bytes):
                data.append(contentsOf: bytes.readableBytesView)
                guard data.count <= Self.limit else {
                    throw AgentClientError.unintelligible(reason: "it has more than \(Self.limit) bytes")
                }
            case .end: return data
            case .head, nil: throw AgentClientError.closed
            }
        }
    }

    mutating func problem() async throws -> AgentAPI.Problem {
        let body = try await body()
        return (try? APICoding.decode(AgentAPI.Problem.self, from: body))
            ?? AgentAPI.Problem(
                "unknown", Int(head.status.code), title: head.status.reasonPhrase,
                detail: "The agent answered with \(head.status.code) \(head.status.reasonPhrase).")
    }
}

extension AgentClient {
    func get<Answer: Decodable & Sendable>(_ path: String, as type: Answer.Type = Answer.self) async throws -> Answer {
        try await decoded(send(.GET, path))
    }

    func post<Answer: Decodable & Sendable>(_ path: String) async throws -> Answer {
        try await decoded(send(.POST, path))
    }

    func post<Answer: Decodable & Sendable>(_ path: String, _ body: some Encodable) async throws -> Answer {
        try await decoded(send(.POST, path, APICoding.encode(body)))
    }

    private func decoded<Answer: Decodable>(_ data: Data) throws -> Answer {
        do {
            return try APICoding.decode(Answer.self, from: data)
        } catch {
            throw AgentClientError.unintelligible(reason: "\(error)")
        }
    }

    /// Sends a request and reads the whole answer.
    @discardableResult
    func send(_ method: HTTPMethod, _ path: String, _ body: Data? = nil) async throws -> Data {
        if let body, body.count > AgentAPI.bodyLimit { throw AgentClientError.tooLarge(bytes: body.count) }
        return try await exchange(method, path, body) { answer in
            guard (200..<300).contains(answer.head.status.code) else { throw try await answer.problem() }
            return try await answer.body()
        }
    }

    /// Connects, sends a request, and reads its answer by a closure. Without an event stream the answer must come
    /// within the timeout.
    func exchange<Result: Sendable>(
        _ method: HTTPMethod, _ path: String, _ body: Data? = nil, accept: String = "application/json",
        _ read: (inout AgentAnswer) async throws -> Result
    ) async throws -> Result {
        let connection = try await connect()
        var deadline: ContinuousClock.Instant? = .now + timeout
        let timer = connection.channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
            connection.channel.close(promise: nil)
        }
        defer { timer.cancel() }
        func isOverdue() -> Bool { deadline.map { $0 <= .now } ?? false }
        do {
            return try await connection.executeThenClose { inbound, outbound in
                var head = HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/" + path)
                head.headers = ["Host": "portolan", "Accept": accept, "Connection": "close"]
                if let body { head.headers.add(contentsOf: body.headers) }
                var parts: [HTTPClientRequestPart] = [.head(head)]
                if let body { parts.append(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
                // An agent that rejects the connection answers without reading.
                try? await outbound.write(contentsOf: parts + [.end(nil)])
                var iterator = inbound.makeAsyncIterator()
                guard case .head(let answer) = try await iterator.next() else { throw AgentClientError.closed }
                if accept == "text/event-stream" {
                    timer.cancel()
                    deadline = nil
                }
                var reader = AgentAnswer(head: answer, parts: iterator)
                return try await read(&reader)
            }
        } catch let error as AgentClientError where error == .closed && isOverdue() {
            throw AgentClientError.noAnswer
        } catch let error where error is HTTPParserError || Self.isLoss(error) {
            throw isOverdue() ? AgentClientError.noAnswer : .closed
        }
    }

    /// True for the errors of a connection that the agent has closed, also with an answer to no request.
    private static func isLoss(_ error: any Error) -> Bool {
        error is ChannelError || error is IOError || error is NIOHTTPDecoderError
    }

    private func connect() async throws -> NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> {
        let path = path.text
        let connection: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
        do {
            connection = try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        } catch let error as IOError where [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.errnoCode) {
            throw AgentClientError.notRunning(path: path)
        } catch let error as IOError {
            throw AgentClientError.cannotConnect(path: path, reason: String(cString: strerror(error.errnoCode)))
        } catch {
            throw AgentClientError.cannotConnect(path: path, reason: "\(error)")
        }
        do {
            let user = try await PeerUser.of(connection.channel).get()
            guard !user.isTrusted() else { return connection }
            throw AgentClientError.notOwned(path: path, user: user.id)
        } catch {
            try? await connection.executeThenClose { _, _ in }
            throw Self.isLoss(error) ? AgentClientError.closed : error
        }
    }
}

extension Data {
    fileprivate var headers: [(String, String)] {
        [("Content-Type", "application/json"), ("Content-Length", "\(count)")]
    }
}
