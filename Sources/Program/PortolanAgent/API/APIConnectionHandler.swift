import NIOCore
import NIOHTTP1
import PortolanClient

/// Reads the requests of one connection, gets their answers, and bounds their resources.
final class APIConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case reading(HTTPRequestHead, ByteBuffer)
        case answering(Task<Void, Never>)
        /// The client has not taken all of the answer yet. The next request waits for that, so that a client that does
        /// not read has one answer in memory.
        case writing
        /// Events are written until the task ends.
        case streaming(Task<Void, Never>)
        /// Input is discarded: the last answer has been given.
        case discarding
    }

    private let router: APIRouter
    private let limits: APILimits
    private var state = State.idle
    private var isStopping = false
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(router: APIRouter, limits: APILimits) {
        self.router = router
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end()
    }

    func channelActive(context: ChannelHandlerContext) {
        schedule(limits.request) { $0.requestIsOverdue() }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Stops the work for a client that has disconnected.
    private func end() {
        timer?.cancel()
        switch state {
        case .answering(let task), .streaming(let task): task.cancel()
        case .idle, .reading, .writing, .discarding: break
        }
        state = .discarding
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (Self.unwrapInboundIn(data), state) {
        case (.head(let head), .idle): begin(head)
        case (.body(let bytes), .reading(let head, var body)):
            // The state must hold no second reference, so that the bytes are not copied with each part.
            state = .idle
            body.writeImmutableBuffer(bytes)
            state = .reading(head, body)
            if body.readableBytes > limits.body { refuse(.tooLarge(limits.body)) }
        case (.end, .reading(let head, let body)): answer(head, body)
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        if let length = head.headers.first(name: "content-length"), (Int(length) ?? .max) > limits.body {
            return refuse(.tooLarge(limits.body))
        }
        state = .reading(head, ByteBuffer())
        let expectation = head.headers.first(name: "expect")?.lowercased()
        if expectation == "100-continue", head.version == .http1_1 {
            context?.writeAndFlush(
                Self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer) {
        guard let context else { return }
        timer?.cancel()
        let (router, limits, channel) = (router, limits, context.channel)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let task = Task {
            let answer: APIAnswer
            do {
                answer = await router.answer(try APIRequest(head, body: body))
            } catch {
                answer = .whole(APIAnswer.Whole(error as? AgentAPI.Problem ?? APIRequest.unknown))
            }
            switch answer {
            case .whole(let whole):
                channel.eventLoop.execute { handler.value.finish(whole, isKept: head.isKeepAlive) }
            case .events(let feed):
                guard (try? await channel.eventLoop.submit { handler.value.beginStreaming() }.get()) == true else {
                    return
                }
                await APIEventWriter(channel: channel, limits: limits).write(feed)
            }
        }
        state = .answering(task)
    }

    /// - Returns: false if the connection ends.
    private func beginStreaming() -> Bool {
        guard case .answering(let task) = state else { return false }
        state = .streaming(task)
        if isStopping { task.cancel() }
        return true
    }

    private func finish(_ answer: APIAnswer.Whole, isKept: Bool) {
        guard case .answering = state else { return }
        let isKept = isKept && !isStopping
        state = .writing
        // The connection of a client that does not read its answer is closed.
        schedule(limits.stall) { $0.context?.close(promise: nil) }
        guard let context, let written = begin(answer, isLast: !isKept) else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.whenSuccess { handler.value.conclude(isKept: isKept) }
    }

    /// Ends an answer that the client has taken: the end of it lets the next request in.
    private func conclude(isKept: Bool) {
        guard case .writing = state, let context else { return }
        let isKept = isKept && !isStopping
        // The next request may arrive while the end of this answer is written.
        state = isKept ? .idle : .discarding
        if isKept { schedule(limits.request) { $0.requestIsOverdue() } }
        let written = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
        if !isKept { close(after: written) }
    }

    /// Answers before the end of the request, and closes the connection.
    private func refuse(_ problem: AgentAPI.Problem) {
        state = .discarding
        write(APIAnswer.Whole(problem), isLast: true)
        // A client that is still sending would miss the answer if the connection were closed at once.
        context?.close(mode: .output, promise: nil)
        schedule(limits.discarding) { $0.context?.close(promise: nil) }
    }

    private func requestIsOverdue() {
        guard case .reading = state else {
            context?.close(promise: nil)
            return
        }
        refuse(
            AgentAPI.Problem("overdue", 408, title: "Request timeout", detail: "The request did not arrive in time."))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch state {
        case .idle, .reading:
            guard let error = error as? HTTPParserError else { break }
            state = .discarding
            let problem: AgentAPI.Problem =
                switch error {
                case .headerOverflow:
                    .init(
                        "headers", 431, title: "Header fields too large",
                        detail: "The header of the request is too large.")
                default: .malformed("The request is not one of HTTP/1.1.")
                }
            return close(after: write(APIAnswer.Whole(problem), isLast: true))
        case .answering, .writing, .streaming, .discarding: break
        }
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return requestsEnd() }
        guard event is APIStopEvent else { return context.fireUserInboundEventTriggered(event) }
        isStopping = true
        switch state {
        case .idle, .reading, .discarding: context.close(promise: nil)
        case .streaming(let task): task.cancel()
        case .answering, .writing: break
        }
    }

    /// Lets a client that sends no more have the answer that it waits for.
    private func requestsEnd() {
        isStopping = true
        switch state {
        case .idle, .reading: context?.close(promise: nil)
        case .answering, .writing, .streaming, .discarding: break
        }
    }

    @discardableResult
    private func write(_ answer: APIAnswer.Whole, isLast: Bool) -> EventLoopFuture<Void>? {
        begin(answer, isLast: isLast)
        return context?.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
    }

    /// Writes an answer without its end.
    ///
    /// - Returns: success when the system has taken it.
    @discardableResult
    private func begin(_ answer: APIAnswer.Whole, isLast: Bool) -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        var head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: answer.headers)
        if answer.status != .noContent { head.headers.add(name: "Content-Length", value: "\(answer.body.count)") }
        if isLast { head.headers.add(name: "Connection", value: "close") }
        guard !answer.body.isEmpty else { return context.writeAndFlush(Self.wrapOutboundOut(.head(head))) }
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        return context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))))
    }

    private func close(after written: EventLoopFuture<Void>?) {
        guard let channel = context?.channel else { return }
        written?.whenComplete { _ in channel.close(promise: nil) }
        // The connection of a client that does not read its answer is closed.
        schedule(limits.stall) { $0.context?.close(promise: nil) }
    }

    /// Runs `action` after a time, in place of an earlier one that is still pending.
    private func schedule(_ time: TimeAmount, _ action: @escaping @Sendable (APIConnectionHandler) -> Void) {
        timer?.cancel()
        guard let loop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(in: time) { action(handler.value) }
    }
}

extension AgentAPI.Problem {
    fileprivate static func tooLarge(_ limit: Int) -> Self {
        Self("too-large", 413, title: "Content too large", detail: "A body has at most \(limit) bytes.")
    }
}
