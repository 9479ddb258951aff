import NIOCore
import NIOHTTP1
import NIOPosix
import PortolanClient

/// The agent's local API on a Unix socket.
///
/// ```swift
/// let server = try await APIServer.start(actions: agent, socket: "/run/user/1000/portolan/api.sock")
/// await server.stop()
/// ```
package final class APIServer: Sendable {
    private let listener: any Channel
    private let file: APISocketFile
    private let connections: APIConnections

    private init(listener: any Channel, file: APISocketFile, connections: APIConnections) {
        self.listener = listener
        self.file = file
        self.connections = connections
    }

    /// Starts the server, in a folder that only its owner may enter.
    ///
    /// - Throws: ``APISocketError`` or `AgentClientError` for a path that cannot be used, for example because an
    ///   agent listens already.
    package static func start(
        actions: any AgentActions, socket: String, limits: APILimits = APILimits(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws -> APIServer {
        let file = try APISocketFile(path: try SocketPath(socket))
        do {
            try await file.makeWay(group: group)
            let connections = APIConnections(limit: limits.connections)
            let router = APIRouter(actions: actions)
            let listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    PeerUser.of(channel).flatMapThrowing { user in
                        guard user.isTrusted() else { throw ChannelError.ioOnClosedChannel }
                        try set(up: channel, router, connections, limits)
                    }
                }
                .bind(unixDomainSocketPath: socket).get()
            do { try file.protect() } catch {
                try? await listener.close()
                throw error
            }
            return APIServer(listener: listener, file: file, connections: connections)
        } catch {
            file.release()
            throw error
        }
    }

    private static func set(
        up channel: any Channel, _ router: APIRouter, _ connections: APIConnections, _ limits: APILimits
    ) throws {
        guard connections.admit(channel) else {
            return try channel.pipeline.syncOperations.addHandler(APIRefusalHandler())
        }
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.headerField
        decoder.maxHeaderListSize = limits.headers
        decoder.maxHeaderFieldCount = limits.headerCount
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
        try channel.pipeline.syncOperations.addHandler(APIConnectionHandler(router: router, limits: limits))
    }

    /// Number of open connections.
    package var connectionCount: Int { connections.count }

    /// Stops listening, ends the streams of events, and finishes pending answers within `grace`.
    package func stop(grace: TimeAmount = .seconds(2)) async {
        try? await listener.close()
        let channels = connections.close()
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(APIStopEvent()) }
        let timer = listener.eventLoop.scheduleTask(in: grace) {
            for channel in channels { channel.close(promise: nil) }
        }
        for channel in channels { try? await channel.closeFuture.get() }
        timer.cancel()
        file.release()
    }
}
