import PortolanCompression
import PortolanConcurrency
import PortolanProtocol
import PortolanValues

/// Lanes of a session on which this side receives, each with a thread of its own that stores their content.
final class IncomingLanes: Sendable {
    /// Time between two calls of ``lookForSilence()``, and of ``lookForStop()``.
    static let interval = Duration.milliseconds(500)

    private struct State {
        /// Current transfer.
        var receiving: FileReceiver?
        /// The number of the last transfer that has ended.
        var over: UInt32 = 0
        var isOver = false
        /// Reason why the current item cannot be stored.
        var trouble: (any Error)?
        /// Error that broke a lane.
        var breakage: (any Error)?
        var threads: [UInt32: (lane: ReceivingLane, thread: WorkerThread<Void>)] = [:]
        /// Time at which the sender announced the end of a transfer whose content has not all come.
        var waitingSince: ContinuousClock.Instant?
        /// Threads that wait because of the limit of this side's own rate.
        var heldThreads = 0
    }

    /// Calls of the receiving role: decisions, storing, waiting for the end of a transfer that was announced.
    let own = OwnCalls()
    private let session: Session
    private let pacing: Pacer?
    private let noticed: @Sendable () -> Void
    private let state: Monitor<State>

    /// - Parameters:
    ///   - pacing: limit of the receiving rate; nil for none.
    ///   - noticed: called when ``takeTrouble()`` has a reason.
    init(of session: Session, _ pacing: Pacer?, noticed: @escaping @Sendable () -> Void) {
        self.session = session
        self.pacing = pacing
        self.noticed = noticed
        state = Monitor(State(), on: session.runtime)
    }

    /// Error that broke a lane, and with it the session.
    var breakage: (any Error)? { state.quietly(\.breakage) }

    /// Lets lanes in. Harmless when they are.
    func open() {
        session.allowLanes(session.runtime.mostLanes) { [self] number, lane in accept(lane, number) }
    }

    private func accept(_ lane: ReceivingLane, _ number: UInt32) {
        do {
            try state.withLock { state in
                // The thread is registered under the lock, so that a stop finds every thread.
                guard !state.isOver else { return }
                let thread = try WorkerThread(named: "lane \(number)", on: session.runtime) { [self] in
                    do {
                        try run(lane, number)
                        _ = self.state.withLock { $0.threads.removeValue(forKey: number) }
                    } catch {
                        broke(error)
                    }
                }
                state.threads[number] = (lane, thread)
            }
        } catch {
            broke(error)
        }
    }

    private func broke(_ error: any Error) {
        // A lane that ends with the session does not know why the session ended.
        guard !session.incomingLanes.hasEnded else { return }
        let isFirst = state.withLock { state in
            guard state.breakage == nil, !state.isOver else { return false }
            state.breakage = error
            return true
        }
        if isFirst { session.close(because: error) }
    }

    // MARK: For the session's run

    /// Begins a transfer: waiting lanes continue.
    func begin(_ receiving: FileReceiver) {
        receiving.onTrouble { [self] error in
            // The first error is kept, since an interrupted call fails because of it.
            state.withLock { $0.trouble = $0.trouble ?? error }
            noticed()
        }
        state.withLock { state in
            state.receiving = receiving
            // An error of the previous item is dropped.
            state.trouble = nil
        }
    }

    /// Notes a transfer that has no content on lanes.
    func passOver(_ transfer: UInt32) {
        state.withLock { $0.over = max($0.over, transfer) }
    }

    /// Refuses the rest of a transfer that has been silent for too long.
    func lookForSilence() {
        if isForsaken { refuse(TransportError.silent(seconds: Int(session.silence.components.seconds))) }
    }

    /// Gives up the arriving item after a stop request, also while its lanes are silent. May block for a disk.
    func lookForStop() {
        guard let receiving = state.quietly(\.receiving), receiving.isToStop else { return }
        state.withLock { if $0.receiving === receiving { $0.trouble = ReceivingStopped() } }
        receiving.interrupt()
        noticed()
    }

    /// True if a transfer has been silent for too long after the sender announced its end. The session is not read
    /// during the wait, so the session's silence proves nothing.
    private var isForsaken: Bool {
        state.quietly { state in
            guard let since = state.waitingSince, state.heldThreads == 0 else { return false }
            // A disk may hang for longer than a peer. A record that waits for another one is not at a disk.
            let isStoring = state.receiving?.isStoring ?? false
            let patience = isStoring ? session.silence * 10 : session.silence
            return since.duration(to: session.runtime.now) > patience
                && state.threads.allSatisfy { $0.value.lane.quiet.map { $0 > patience } ?? true }
        }
    }

    /// True while this side decides, stores, reads present content, or waits because of its own rate limit.
    var isAtWork: Bool {
        own.isAny || state.quietly { $0.heldThreads > 0 || ($0.receiving?.isAtWork ?? false) }
    }

    /// True if bytes have come on a lane since about the last call.
    var isHeard: Bool {
        state.quietly { $0.threads.contains { $0.value.lane.quiet.map { $0 <= StallWatch.interval * 2 } ?? false } }
    }

    /// Number of bytes that the sender of the current transfer must compare with its own.
    var claimed: UInt64 { state.quietly { $0.receiving?.claimed ?? 0 } }

    /// Drops the current item, and ends a wait for the rest of it with `error`.
    func refuse(_ error: any Error) {
        state.quietly(\.receiving)?.refuse(error)
    }

    /// Takes the sender's End of a transfer, and waits until all content is stored or dropped.
    func end(_ end: Message.End) async throws {
        let receiving = state.quietly { state in
            state.waitingSince = session.runtime.now
            return state.receiving
        }
        defer { state.quietly { $0.waitingSince = nil } }
        guard let receiving else { return }
        try await receiving.end(end)
        // The session may last; the item's open files must not.
        state.withLock { state in
            state.over = receiving.number
            state.receiving = nil
        }
    }

    /// Takes a question about an earlier version of a file in the current transfer.
    func take(_ compare: Message.Compare) throws { try state.quietly(\.receiving)?.take(compare) }

    /// Returns the reason why the current item cannot be stored, once.
    func takeTrouble() -> (any Error)? {
        state.withLock { $0.trouble.take() }
    }

    /// Gives up the arriving item; its later content is dropped.
    func abandon() {
        state.quietly(\.receiving)?.abandon()
    }

    /// Stops the lanes at the end of the session: no record is taken in, and no thread is at work when this returns.
    func stop() async {
        let (receiving, threads) = state.withLock { state in
            state.isOver = true
            // The references are released: the arriving item holds this object, and lanes hold their sockets.
            defer { (state.receiving, state.threads) = (nil, [:]) }
            return (state.receiving, state.threads.sorted { $0.key < $1.key }.map(\.value))
        }
        await receiving?.stop()
        for (lane, thread) in threads {
            lane.shutDown()
            _ = try? await thread.value
        }
    }

    // MARK: On the threads

    private func run(_ lane: ReceivingLane, _ number: UInt32) throws {
        let expander = BlockExpander()
        // The memory of a stranger's lane, which is not counted, lasts for one record.
        let kept = lane.isCounted ? nil : AlignedMemory(count: Limits.payload)
        while let (type, plaintext) = try lane.next() {
            try pace(plaintext.count, on: lane)
            let plaintext = UnsafeRawBufferPointer(plaintext)
            switch type {
            case .tree:
                var reader = try TreeReader(plaintext)
                let receiving = try receiving(reader.transfer)
                try receiving.take(&reader, lane: number)
            case .payload:
                let header = try PayloadHeader(decoding: plaintext)
                let data = UnsafeRawBufferPointer(rebasing: plaintext[PayloadHeader.length...])
                let receiving = try receiving(header.transfer)
                try receiving.take(header, data, lane: number)
            case .packed:
                let header = try PackedHeader(decoding: plaintext)
                let frame = UnsafeRawBufferPointer(rebasing: plaintext[PackedHeader.length...])
                let unpacked = kept ?? AlignedMemory(count: header.originalLength)
                let content = UnsafeMutableRawBufferPointer(rebasing: unpacked.bytes[..<header.originalLength])
                defer { withExtendedLifetime(unpacked) {} }
                try translating(expander.expand(frame, into: content)) { (error: ExpandError) in error.asSessionError }
                let receiving = try receiving(header.place.transfer)
                try receiving.take(header.place, UnsafeRawBufferPointer(content), lane: number)
            case .control, .end:
                preconditionFailure("No record that may come on a lane")
            }
        }
        try lane.waitForClose()
    }

    private func pace(_ count: Int, on lane: ReceivingLane) throws {
        guard let pacing else { return }
        state.quietly { $0.heldThreads += 1 }
        defer { state.quietly { $0.heldThreads -= 1 } }
        try pacing.blockLane(for: count) {
            if state.quietly(\.isOver) { throw CancellationError() }
            lane.goesOn()
        }
    }

    /// Returns the transfer with a number, for an element of it. Lanes may be faster than the session: waits for a
    /// transfer that has not begun.
    private func receiving(_ number: UInt32) throws -> FileReceiver {
        try state.wait { state throws in
            guard !state.isOver else { throw CancellationError() }
            let begun = state.receiving?.number ?? state.over
            guard begun >= number else { return nil }
            guard let receiving = state.receiving, begun == number else {
                throw ProtocolViolation(.unexpected, "Content came on a lane for a transfer that has ended.")
            }
            return receiving
        }
    }
}

extension ExpandError {
    /// The error that ends the session: a mistake of the sender, unless this side lacks memory.
    var asSessionError: any Error {
        switch self {
        case .noMemory: TransportError.system(description)
        case .notAFrame, .truncated, .trailing, .dictionary, .tooLarge, .wrongLength, .damaged:
            ProtocolViolation(.malformed, description)
        }
    }
}
