import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import PortolanClient

@Suite("Client of the agent, where the agent is not as it should be")
struct AgentClientTests {
    @Test("A missing socket and one without a listener mean that no agent runs")
    func notRunning() async throws {
        try await withFolder { folder in
            let socket = folder + "/api.sock"
            let client = try AgentClient(socket: socket)
            await #expect(throws: AgentClientError.notRunning(path: socket)) { try await client.status() }
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: socket).get()
            try await listener.close()
            await #expect(throws: AgentClientError.notRunning(path: socket)) { try await client.status() }
            await #expect(throws: AgentClientError.notRunning(path: socket)) {
                try await client.follow(from: .oldest) { _ in true }
            }
        }
    }

    @Test("A path that no socket can have is refused at once")
    func badPaths() {
        let long = "/" + String(repeating: "a", count: 103)
        #expect(throws: AgentClientError.pathTooLong(long)) { try AgentClient(socket: long) }
        for path in ["", "api.sock", "/run/", "/run/\0"] {
            #expect(throws: AgentClientError.invalidPath(path)) { try AgentClient(socket: path) }
        }
    }

    @Test("An agent that does not answer is given up")
    func noAnswer() async throws {
        try await withListener(answer: nil) { socket in
            let client = try AgentClient(socket: socket, timeout: .milliseconds(50))
            await #expect(throws: AgentClientError.noAnswer) { try await client.status() }
            await #expect(throws: AgentClientError.noAnswer) { try await client.follow(from: .oldest) { _ in true } }
        }
    }

    @Test(
        "An answer that is cut or that is none is an error of its own",
        arguments: [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", "no HTTP\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"",
        ])
    func cut(_ answer: String) async throws {
        try await withListener(answer: answer) { socket in
            let client = try AgentClient(socket: socket)
            await #expect(throws: AgentClientError.closed) { try await client.status() }
        }
    }

    @Test("An answer in another form is not taken for one of the API")
    func unintelligible() async throws {
        try await withListener(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") { socket in
            let error = await #expect(throws: AgentClientError.self) { try await AgentClient(socket: socket).status() }
            guard case .unintelligible = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        try await withListener(answer: "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\n??") { socket in
            let problem = await #expect(throws: AgentAPI.Problem.self) {
                try await AgentClient(socket: socket).status()
            }
            #expect(problem?.status == 502)
        }
    }

    @Test("An agent that answers before it is asked, as one with too many connections did, has closed the connection")
    func unsolicited() async throws {
        let answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}"
        try await withListener(answer: answer, isUnasked: true) { socket in
            for _ in 0..<100 {
                do {
                    _ = try await AgentClient(socket: socket).status()
                    Issue.record("there is no status")
                } catch let problem as AgentAPI.Problem {
                    #expect(problem.status == 503)
                } catch {
                    #expect(error as? AgentClientError == .closed, "\(error)")
                }
            }
        }
    }

    @Test("A stream that ends without an entry is not begun again and again")
    func emptyStream() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 2\r\n\r\n:\n"
        try await withListener(answer: answer) { socket in
            await #expect(throws: AgentClientError.closed) {
                try await AgentClient(socket: socket).follow(from: .after(1)) { _ in true }
            }
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/portolan-client-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Runs a server that reads the beginning of a request, sends the same answer to each, and closes the connection;
    /// with nil it sends nothing.
    ///
    /// - Parameter isUnasked: true to answer without a request.
    private func withListener(answer: String?, isUnasked: Bool = false, _ body: (String) async throws -> Void)
        async throws
    {
        try await withFolder { folder in
            let socket = folder + "/api.sock"
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(OneAnswer(answer, isUnasked: isUnasked))
                    }
                }
                .bind(unixDomainSocketPath: socket).get()
            do {
                try await body(socket)
            } catch {
                try await listener.close()
                throw error
            }
            try await listener.close()
        }
    }
}

private final class OneAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let answer: String?
    private let isUnasked: Bool

    init(_ answer: String?, isUnasked: Bool) { (self.answer, self.isUnasked) = (answer, isUnasked) }

    func channelActive(context: ChannelHandlerContext) {
        if isUnasked { answer(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isUnasked { answer(context) }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let answer else { return }
        let channel = context.channel
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
