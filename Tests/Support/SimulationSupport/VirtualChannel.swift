import DequeModule
import NIOCore

/// End of a simulated connection, with a pipeline like that of a socket's channel.
final class VirtualChannel: Channel, ChannelCore, @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.
    private let loop: VirtualLoop
    private let inbound: VirtualPipe
    private let outbound: VirtualPipe
    private let pieces: Int
    private let closePromise: EventLoopPromise<Void>
    private var chain: ChannelPipeline?
    private var pending: Deque<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)> = []
    private var isOpen = true
    private var isReadWanted = false
    private var readsByItself = false

    let allocator = ByteBufferAllocator()
    private(set) var isActive = true

    /// - Parameter pieces: largest number of bytes that are read at a time.
    init(on loop: VirtualLoop, from inbound: VirtualPipe, to outbound: VirtualPipe, pieces: Int) {
        self.loop = loop
        self.inbound = inbound
        self.outbound = outbound
        self.pieces = pieces
        closePromise = loop.makePromise()
        chain = ChannelPipeline(channel: self)
        inbound.hasArrived = { [weak self] in self?.deliver() }
        outbound.hasRoomAgain = { [weak self] in self?.send() }
    }

    var pipeline: ChannelPipeline {
        guard let chain else { preconditionFailure("A channel has a pipeline") }
        return chain
    }

    var eventLoop: any EventLoop { loop }
    var closeFuture: EventLoopFuture<Void> { closePromise.futureResult }
    var localAddress: SocketAddress? { nil }
    var remoteAddress: SocketAddress? { nil }
    var parent: (any Channel)? { nil }
    var isWritable: Bool { pending.isEmpty }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        if option is ChannelOptions.Types.AutoReadOption, let value = value as? Bool {
            readsByItself = value
            if value { pipeline.read() }
        }
        return loop.makeSucceededVoidFuture()
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    // MARK: Reading

    func read0() {
        isReadWanted = true
        loop.execute { [self] in deliver() }
    }

    private func deliver() {
        guard isOpen else { return }
        if inbound.isBroken {
            pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "The connection broke"))
            return close0(error: ChannelError.eof, mode: .all, promise: nil)
        }
        guard isReadWanted else { return }
        if let bytes = inbound.take(pieces) {
            isReadWanted = false
            pipeline.fireChannelRead(bytes)
            pipeline.fireChannelReadComplete()
            if readsByItself, isOpen { pipeline.read() }
        } else if inbound.isAtEnd {
            close0(error: ChannelError.eof, mode: .all, promise: nil)
        }
    }

    // MARK: Writing

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOpen else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        pending.append((unwrapData(data, as: ByteBuffer.self), promise))
    }

    func flush0() { send() }

    private func send() {
        while isOpen, let (waiting, promise) = pending.first {
            var bytes = waiting
            guard let part = bytes.readSlice(length: min(outbound.room, bytes.readableBytes)), part.readableBytes > 0
            else { return }
            outbound.send(part)
            if bytes.readableBytes == 0 {
                pending.removeFirst()
                promise?.succeed(())
            } else {
                pending[0].bytes = bytes
            }
        }
    }

    // MARK: The end

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isOpen else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        isOpen = false
        isActive = false
        for (_, promise) in pending { promise?.fail(ChannelError.ioOnClosedChannel) }
        pending = []
        outbound.end()
        promise?.succeed(())
        pipeline.fireChannelInactive()
        pipeline.fireChannelUnregistered()
        loop.execute { [self] in
            removeHandlers(pipeline: pipeline)
            closePromise.succeed(())
        }
    }

    // MARK: Other calls of sockets

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { register0(promise: promise) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { register0(promise: promise) }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { register0(promise: promise) }
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}
