import Foundation
import NIOCore
import NIOPosix
import PortolanAgent
import PortolanClient
import Testing

/// Runs a server with a fake agent, in its own folder, which is removed afterwards.
@discardableResult
func withServer<Result>(
    _ agent: FakeAgent = FakeAgent(), limits: APILimits = APILimits(),
    _ body: (APIServer, AgentClient, String) async throws -> Result
) async throws -> Result {
    try await withSocketFolder { folder in
        let socket = folder + "/api.sock"
        let server = try await APIServer.start(actions: agent, socket: socket, limits: limits)
        let result: Result
        do {
            result = try await body(server, try AgentClient(socket: socket), socket)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return result
    }
}

/// A folder of mode 0700 with a short path.
@discardableResult
func withSocketFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = "/tmp/portolan-api-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// A connection that sends arbitrary bytes.
struct RawConnection {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    @discardableResult
    static func with<Result>(
        _ socket: String, _ body: (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socket) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2)))
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            var raw = RawConnection(iterator: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&raw)
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Reads up to the end of the connection, or up to and with a text.
    mutating func read(until end: String? = nil) async throws -> String {
        var text = ""
        while end.map({ !text.contains($0) }) ?? true {
            do {
                guard let bytes = try await iterator.next() else { break }
                text += String(buffer: bytes)
            } catch is IOError {
                // The other side closed the connection and had input left.
                break
            }
        }
        return text
    }

    /// Sends a request and reads to the end of the connection.
    static func exchange(_ socket: String, _ request: String) async throws -> RawAnswer {
        try await with(socket) { connection in
            try? await connection.send(request)
            return RawAnswer(text: try await connection.read())
        }
    }
}

struct RawAnswer {
    let text: String

    var status: Int { Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0 }

    var body: Substring { text.firstRange(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? "" }

    func header(_ name: String) -> String? {
        text.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    var problem: AgentAPI.Problem? { try? APICoding.decode(AgentAPI.Problem.self, from: Data(body.utf8)) }
}

/// Waits for a condition.
func until(_ condition: () async -> Bool) async throws {
    while !(await condition()) { try await Task.sleep(for: .milliseconds(5)) }
}
