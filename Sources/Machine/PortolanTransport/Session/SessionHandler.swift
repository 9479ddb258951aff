import NIOCore
import PortolanProtocol
import Synchronization

/// The end of a connection's pipeline: runs the handshake, then turns the byte stream into records.
///
/// All its code runs on the connection's event loop. The memory that a peer can fill is bounded: a handshake frame, one
/// incomplete record, and a few opened records that the session has not read yet. Reading stops while records wait.
final class SessionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Records = NIOThrowingAsyncSequenceProducer<
        Record, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, ReadingPace
    >

    /// Small for a stranger, and larger once that pays. Each connection keeps as many buffers of its last used size as
    /// it reads at a time.
    static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 64 * 1024)

    private var handshake: SessionHandshake?
    private var assembler: RecordAssembler?
    private var records: Records.Source?
    private var writer: RecordWriter?
    private var context: ChannelHandlerContext?

    private let address: String
    private let laneSide: SessionLanes.Side
    private let silence: TimeAmount
    private let runtime: Runtime
    private let identified: EventLoopPromise<RemoteIdentity>
    /// Set until the session is established or has failed, since the session holds this handler.
    private var established: EventLoopPromise<Session>?
    private var deadline: Scheduled<Void>?
    private var heartbeat: RepeatedTask?
    private var lastHeard: NIODeadline
    /// Calls to be made when the next bytes come.
    private var listeners: [@Sendable () -> Void] = []
    private var readingIsPaused = false
    private var readIsWanted = false
    private var peerEnded = false
    private let held = HeldMemory()
    private let allowance = PayloadAllowance()
    /// Part of it that is reserved for an incomplete record.
    private var roomHeld = 0
    private var closesWhenEnded = false

    /// - Parameters:
    ///   - deadline: deadline of the handshake and the offer.
    ///   - lanes: origin of the lanes of the session.
    ///   - silence: longest silence of the other side before the session ends.
    ///   - identified: succeeds at the initiator when the other side has proved its key and `accept` is awaited.
    ///   - established: succeeds when records can flow.
    ///   - runtime: time and threads of the session, except those of its channel.
    init(
        handshake: consuming SessionHandshake, deadline: NIODeadline, silence: TimeAmount, address: String,
        lanes: SessionLanes.Side, identified: EventLoopPromise<RemoteIdentity>, established: EventLoopPromise<Session>,
        on loop: any EventLoop, runtime: Runtime = .system
    ) {
        self.handshake = consume handshake
        self.silence = silence
        self.runtime = runtime
        lastHeard = loop.now
        self.address = address
        laneSide = lanes
        self.identified = identified
        self.established = established
        let handler = NIOLoopBound(self, eventLoop: loop)
        self.deadline = loop.scheduleTask(deadline: deadline) {
            handler.value.deadlinePassed()
        }
    }

    // MARK: From the session

    /// Continues the handshake after the initiator has accepted the peer's key: sends its own identity.
    func accept() {
        guard handshake != nil else { return }
        advance { handshake throws(HandshakeError) in try handshake?.accept() ?? [] }
    }

    /// Notes that the offer has arrived, or was sent: from here on, only silence ends the session.
    func offerMade() {
        deadline?.cancel()
        deadline = nil
    }

    /// This side has sent its end mark; the connection may close after the other side's.
    func closeWhenEnded() {
        closesWhenEnded = true
        if peerEnded { context?.close(promise: nil) }
    }

    /// Makes a call when bytes have come since `time`, or were not read; none if the connection ends first.
    func whenHeard(since time: NIODeadline, _ call: @escaping @Sendable () -> Void) {
        if readingIsPaused || lastHeard >= time { call() } else { listeners.append(call) }
    }

    func resumeReading() {
        readingIsPaused = false
        // The pause does not count as silence.
        if let context { lastHeard = context.eventLoop.now }
        if readIsWanted {
            readIsWanted = false
            context?.read()
        }
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        start()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        lastHeard = context.eventLoop.now
        if !listeners.isEmpty {
            for call in listeners { call() }
            listeners = []
        }
        if handshake != nil {
            let bytes = input.readBytes(length: input.readableBytes) ?? []
            advance { handshake throws(HandshakeError) in try handshake?.receive(bytes) ?? [] }
        } else {
            deliver(&input)
        }
    }

    func read(context: ChannelHandlerContext) {
        if readingIsPaused { readIsWanted = true } else { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        endCut()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A connection that is closed with unread bytes reports an error instead of an end.
        if error is IOError { endCut() } else { end(error) }
    }

    // MARK: Handshake

    private var hasStarted = false

    private func start() {
        guard !hasStarted else { return }
        hasStarted = true
        advance { handshake throws(HandshakeError) in handshake?.start() ?? [] }
    }

    private func advance(
        _ step: (inout SessionHandshake?) throws(HandshakeError) -> [SessionHandshake.Action]
    ) {
        do {
            for action in try step(&handshake) {
                switch action {
                case .send(let bytes):
                    context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
                case .decide(let peer):
                    identified.succeed(peer)
                case .established(let keys, let peer, let opening, let unread):
                    establish(keys, with: peer, opening)
                    var input = ByteBuffer(bytes: unread)
                    deliver(&input)
                }
            }
        } catch {
            if !error.reply.isEmpty {
                context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: error.reply)), promise: nil)
            }
            end(error)
        }
    }

    private func establish(_ keys: SessionKeys, with peer: RemoteIdentity, _ opening: OpeningKind) {
        guard let context else { return }
        handshake = nil
        let channel = context.channel
        let loop = NIOLoopBound(self, eventLoop: context.eventLoop)
        let buffers = RecordBuffers(limit: 6)
        let writer = RecordWriter(channel: channel, sealer: keys.makeSealer())
        let produced = NIOThrowingAsyncSequenceProducer.makeSequence(
            elementType: Record.self, failureType: (any Error).self,
            backPressureStrategy: NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                lowWatermark: 1, highWatermark: 3),
            finishOnDeinit: false,
            delegate: ReadingPace(handler: loop))
        assembler = RecordAssembler(opener: keys.makeOpener(), buffers: buffers)
        records = produced.source
        self.writer = writer
        let tellBroken: @Sendable (any Error) -> Void = { error in
            loop.eventLoop.execute { loop.value.laneBroke(error) }
        }
        let activity = SessionActivity(at: runtime.now)
        let outgoing = SessionLanes(
            keys: keys.sendingLanes, side: laneSide, of: activity, on: runtime, tellBroken: tellBroken)
        let incoming = SessionLanes(
            keys: keys.receivingLanes, side: laneSide, of: activity, on: runtime, tellBroken: tellBroken)
        channel.closeFuture.whenComplete { _ in
            outgoing.end()
            incoming.end()
        }
        beat(every: .nanoseconds(silence.nanoseconds / 3), on: context.eventLoop)
        let established = established.take()
        established?.succeed(
            Session(
                peer: peer, opening: opening, address: address, channel: channel, handler: loop, writer: writer,
                buffers: buffers,
                records: produced.sequence, outgoingLanes: outgoing, incomingLanes: incoming, held: held,
                activity: activity, allowance: allowance, silence: .nanoseconds(silence.nanoseconds), runtime: runtime))
    }

    // MARK: Records

    private func deliver(_ input: inout ByteBuffer) {
        if allowance.isGiven { assembler?.phase = .afterAcceptance }
        do {
            while let record = try assembler?.next(in: &input) {
                if record.type == .end {
                    peerEnded = true
                    records?.finish()
                    records = nil
                    if closesWhenEnded { context?.close(promise: nil) }
                    continue
                }
                if record.type == .control { held.add(record.length) }
                if case .stopProducing? = records?.yield(record) {
                    readingIsPaused = true
                }
            }
            countRoom()
        } catch {
            fail(error)
        }
    }

    /// Counts the memory reserved for an incomplete record, until anything is accepted.
    private func countRoom() {
        let room = assembler?.phase == .beforeAcceptance ? assembler?.roomMade ?? 0 : 0
        guard room != roomHeld else { return }
        held.remove(roomHeld)
        roomHeld = room
        held.add(room)
    }

    /// Handles a broken lane: content of the session cannot arrive any more.
    private func laneBroke(_ error: any Error) {
        // A session that is over has no use for its lanes.
        if !peerEnded { fail(error) }
    }

    private func fail(_ error: any Error) {
        switch Farewell(after: error) {
        case .close(let code):
            writer?.send(.close(Message.Close(code)))
            writer?.sendEnd()
        case .endRecord: writer?.sendEnd()
        case .nothing: break
        }
        end(error)
    }

    /// Sends signs of life, and notices when the other side does not.
    private func beat(every interval: TimeAmount, on loop: any EventLoop) {
        let handler = NIOLoopBound(self, eventLoop: loop)
        heartbeat = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            handler.value.beatOnce(interval, now: loop.now)
        }
    }

    private func beatOnce(_ interval: TimeAmount, now: NIODeadline) {
        if !readingIsPaused, now - lastHeard > silence {
            end(TransportError.silent(seconds: Int(silence.nanoseconds / 1_000_000_000)))
        } else if let writer, now - writer.lastWrite >= interval {
            writer.send(.ping(id: 0))
        }
        writer?.rest(since: now - interval)
    }

    // MARK: The end

    private func deadlinePassed() {
        // A code that was tried is spent, whatever the result.
        if handshake?.hasTriedCode == true, let spent = handshake?.endOfInput() {
            end(spent)
        } else {
            end(TransportError.offerIsOverdue)
        }
    }

    /// Ends the connection after the other side has vanished.
    func endCut() {
        end(handshake?.endOfInput() ?? TransportError.truncated)
    }

    /// Ends the connection; its waiters get the error. Harmless when it has ended already.
    private func end(_ error: any Error) {
        deadline?.cancel()
        heartbeat?.cancel()
        handshake = nil
        assembler = nil
        listeners = []
        identified.fail(error)
        established.take()?.fail(error)
        records?.finish(error)
        records = nil
        writer = nil
        // The close follows the last message.
        context?.eventLoop.execute { [channel = context?.channel] in channel?.close(promise: nil) }
    }
}

/// Permission for the other side to send payload. Set before the other side learns of it, and never reset.
final class PayloadAllowance: Sendable {
    private let flag = Atomic(false)

    var isGiven: Bool { flag.load(ordering: .acquiring) }

    func give() { flag.store(true, ordering: .releasing) }
}

/// Tells the handler when the session wants more records.
struct ReadingPace: NIOAsyncSequenceProducerDelegate {
    let handler: NIOLoopBound<SessionHandler>

    func produceMore() {
        handler.eventLoop.execute { handler.value.resumeReading() }
    }

    func didTerminate() {}
}
