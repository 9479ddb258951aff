import NIOCore
import NIOHTTP1
import PortolanClient
import Synchronization

/// Connections of clients, limited in number.
final class APIConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.channels.count } }

    /// Adds a connection until it is closed.
    ///
    /// - Returns: false if there are too many, or after ``close()``.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard !state.isClosed, state.channels.count < limit else { return false }
            state.channels[id] = channel
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.channels.removeValue(forKey: id) } }
        return true
    }

    /// Admits no more connections.
    ///
    /// - Returns: the open connections.
    func close() -> [any Channel] {
        state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
    }
}

/// Event that tells a connection that the server stops.
struct APIStopEvent: Sendable {}

/// Answers a connection beyond the limit, and closes it.
final class APIRefusalHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Time for the request of the client, which understands no answer before it.
    private static let patience = TimeAmount.seconds(1)
    private var hasAnswered = false

    func channelActive(context: ChannelHandlerContext) {
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.patience) { handler.value.0.answer(handler.value.1) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { answer(context) }

    private func answer(_ context: ChannelHandlerContext) {
        guard !hasAnswered, context.channel.isActive else { return }
        hasAnswered = true
        let answer = APIAnswer.Whole(.unavailable("The agent has too many connections."))
        var bytes = ByteBuffer(
            string: "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n"
                + "Content-Length: \(answer.body.count)\r\nRetry-After: 1\r\nConnection: close\r\n\r\n")
        bytes.writeBytes(answer.body)
        let channel = context.channel
        context.writeAndFlush(Self.wrapOutboundOut(bytes)).whenComplete { _ in channel.close(promise: nil) }
    }
}
