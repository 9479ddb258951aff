import PortolanConcurrency
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import Synchronization

/// Receives one file or folder from the lanes of a session.
///
/// Each lane's thread calls it with the lane's elements, and stores each before the next. A failure to store affects
/// all lanes at once; later elements are then dropped.
final class FileReceiver: Sendable {
    let number: UInt32
    private let sink: (any ItemSink)?
    private let session: Session
    private let trouble = Mutex<@Sendable (any Error) -> Void>({ _ in })
    private let progress: ReceivingProgress
    private let asks: Bool
    private let compares: Bool
    private let state: Monitor<State>
    private let claims = Mutex<ClaimReader?>(nil)
    private let bases = Mutex<BaseReader?>(nil)
    /// Settled when all content has come, or no more will.
    private let arrived = OneShot<Void, Never>()
    /// Calls of the sink under way.
    private let storingCalls = Atomic(0)
    private let claimedBlocks = Atomic<UInt64>(0)
    /// Claimed blocks by file, for the progress.
    private let keeping = Mutex<[UInt32: ClaimedRanges]>([:])

    private struct State {
        var tree: IncomingTree
        var isOver = false
        /// Error of ``FileReceiver/refuse(_:)``; nil while content is accepted.
        var refusal: (any Error)?
        /// Files to be compared whose decisions were not sent yet.
        var claims: ClaimReader.Files = []
    }

    /// - Parameter report: called from time to time with the progress.
    init(
        _ tree: IncomingTree, into sink: any ItemSink, on session: Session,
        report: @escaping @Sendable (Advance) -> Void
    ) {
        number = tree.number
        self.sink = sink
        self.session = session
        (asks, compares) = (tree.asks, tree.compares)
        progress = ReceivingProgress(session.runtime, report)
        state = Monitor(State(tree: tree), on: session.runtime)
        if tree.takesDifferences { sink.allowDifferences() }
    }

    /// Makes a receiver that drops everything: the item was given up before any of it came.
    init(dropping tree: IncomingTree, on session: Session) {
        number = tree.number
        sink = nil
        self.session = session
        (asks, compares) = (tree.asks, tree.compares)
        progress = ReceivingProgress(session.runtime) { _ in }
        var tree = tree
        tree.abandon()
        state = Monitor(State(tree: tree), on: session.runtime)
    }

    /// - Parameter told: called once with the reason why the item cannot be stored.
    func onTrouble(_ told: @escaping @Sendable (any Error) -> Void) {
        trouble.withLock { $0 = told }
    }

    private var store: any ItemSink {
        guard let sink else { preconditionFailure("Something is stored of an item that was given up") }
        return sink
    }

    /// True while a part of it is being stored.
    var isStoring: Bool { storingCalls.load(ordering: .relaxed) > 0 }

    /// True while a part of it is being stored, or read for comparison.
    var isAtWork: Bool {
        isStoring || claims.withLock { $0?.isReading ?? false } || bases.withLock { $0?.isReading ?? false }
    }

    /// Number of bytes that the sender must compare with its own.
    var claimed: UInt64 { claimedBlocks.load(ordering: .relaxed) &* BlockDigest.blockSize }

    /// True if this side wants the transfer to stop.
    var isToStop: Bool { sink?.isToStop ?? false }

    // MARK: From the session

    /// Takes the sender's End, and waits until all content is stored or dropped.
    ///
    /// - Throws: `ProtocolViolation`; `TransportError.truncated` if the session ends before; the error of
    ///   ``refuse(_:)``.
    func end(_ end: Message.End) async throws {
        try change { tree throws(ProtocolViolation) in try tree.end(end) }
        // Its lanes end with the session, and there may never have been one.
        await session.whenClosed { [arrived] in
            arrived.settle()
        } during: {
            await arrived.value(ifCancelled: .success(()))
        }
        await stopClaims()
        try Task.checkCancellation()
        if let refusal = state.quietly(\.refusal) { throw refusal }
        guard state.quietly(\.tree.isComplete) else { throw TransportError.truncated }
    }

    /// Takes a question about an earlier version.
    func take(_ compare: Message.Compare) throws {
        let isOpen = try state.withLock { state throws(ProtocolViolation) in try state.tree.take(compare) }
        if isOpen { bases.withLock(\.self)?.answer(compare) }
    }

    /// Ends calls of the sink that would last.
    func interrupt() { sink?.interrupt() }

    /// Gives up the item.
    func abandon() {
        state.withLock { $0.tree.abandon() }
    }

    /// Gives the item up, and ends a wait in ``end(_:)`` with `error`.
    func refuse(_ error: any Error) {
        state.withLock { state in
            state.refusal = error
            state.tree.abandon()
        }
        arrived.settle()
        sink?.interrupt()
    }

    /// Stops all waiters at the end of the session.
    func stop() async {
        state.withLock { state in
            state.isOver = true
            state.tree.abandon()
        }
        arrived.settle()
        sink?.interrupt()
        await stopClaims()
    }

    private func stopClaims() async {
        // Releases the reader, which has a reference to this object.
        await claims.withLock { $0.take() }?.stop()
        await bases.withLock { $0.take() }?.stop()
    }

    // MARK: From the lanes

    /// Takes the elements of one tree record.
    func take(_ reader: inout TreeReader, lane: UInt32) throws {
        while let element = try reader.next() {
            let verdict = try judge { tree throws(ProtocolViolation) in try tree.take(element, lane: lane) }
            switch verdict {
            case .take: try keep(element)
            case .finish(let file): attempt { try finish(file) }
            case .drop, .wait: break
            }
        }
        sendDecisions()
    }

    /// Takes a piece of a file.
    func take(_ header: PayloadHeader, _ data: UnsafeRawBufferPointer, lane: UInt32) throws {
        let verdict = try judge { tree throws(ProtocolViolation) in
            try tree.take(header, count: data.count, lane: lane)
        }
        guard verdict == .take else { return }
        attempt {
            try store.write(header.entry, at: header.offset, data)
            progress.add(UInt64(data.count))
            countKept(before: header.offset, data.count, of: header.entry)
        }
        try wrote(UInt64(data.count), of: header.entry)
    }

    /// Checks an element against the protocol's rules; waits if it came too early.
    private func judge(
        _ step: (inout IncomingTree) throws(ProtocolViolation) -> IncomingTree.Verdict
    ) throws -> IncomingTree.Verdict {
        let verdict = try change(step)
        guard verdict == .wait else { return verdict }
        // Decisions are sent first: the sender may be waiting for them while this thread waits.
        sendDecisions()
        let later: IncomingTree.Verdict = try state.wait { state throws in
            guard !state.isOver else { throw CancellationError() }
            let verdict = try step(&state.tree)
            return verdict == .wait ? nil : verdict
        }
        // Another lane may have waited for just this.
        state.wake()
        tellIfArrived()
        return later
    }

    private func change<Result: Sendable>(
        _ step: (inout IncomingTree) throws(ProtocolViolation) -> Result
    ) throws(ProtocolViolation) -> Result {
        let (result, isComplete) = try state.withLock { state throws(ProtocolViolation) in
            (try step(&state.tree), state.tree.isComplete)
        }
        if isComplete { arrived.settle() }
        return result
    }

    private func tellIfArrived() {
        if state.quietly(\.tree.isComplete) { arrived.settle() }
    }

    // MARK: Storing

    private func keep(_ element: TreeElement) throws {
        switch element {
        case .entry(let entry):
            attempt { try add(entry) }
        case .content(let entry, let content):
            attempt {
                try store.content(entry, content)
                progress.add(UInt64(content.count))
            }
        case .hole(let entry, let offset, let length):
            attempt { try store.hole(entry, at: offset, length: length) }
            try wrote(length, of: entry)
        case .copy(let copy):
            attempt {
                try store.copy(copy)
                progress.add(kept: copy.length)
            }
            try wrote(copy.length, of: copy.entry)
        case .fileEnd, .mark:
            break
        }
    }

    private func add(_ element: TreeEntryElement) throws {
        let need = try store.add(element)
        guard case .file(let file) = element.kind else { return }
        if let content = file.content {
            guard need != .nothing else { return progress.add(UInt64(content.count)) }
            try store.content(element.index, content)
            progress.add(UInt64(content.count))
            return
        }
        guard asks else {
            // All content comes anyway; the content of a file that cannot be stored is dropped.
            return state.withLock { $0.tree.decide(element.index, need == .nothing ? .nothing : .all) }
        }
        switch need {
        case .nothing:
            state.withLock { $0.tree.decide(element.index, .nothing) }
            progress.add(kept: file.size ?? 0)
        case .content:
            state.withLock { $0.tree.decide(element.index, .all) }
        case .compare where !compares:
            state.withLock { $0.tree.decide(element.index, .all) }
        case .compare(let blocks):
            try startClaims()
            claimedBlocks.wrappingAdd(blocks.reduce(0) { $0 &+ UInt64($1.count) }, ordering: .relaxed)
            keeping.withLock { $0[element.index] = ClaimedRanges(blocks) }
            state.withLock { state in
                state.tree.decide(element.index, .compare)
                state.claims.append((element.index, blocks))
            }
        case .difference:
            state.withLock { $0.tree.decide(element.index, .difference) }
            try readBase(of: element.index)
        }
    }

    /// Counts the claimed blocks before content that came: the sender compares and sends in the order of the file.
    private func countKept(before offset: UInt64, _ count: Int, of entry: UInt32) {
        guard claimed > 0 else { return }
        let news = keeping.withLock { $0[entry]?.pass(offset..<offset + UInt64(count)) }
        if let news, news > 0 { progress.add(kept: news) }
    }

    private func wrote(_ count: UInt64, of entry: UInt32) throws {
        let finished = try change { tree throws(ProtocolViolation) in try tree.wrote(count, of: entry) }
        if let finished { attempt { try finish(finished) } }
    }

    private func finish(_ file: IncomingTree.FinishedFile) throws {
        bases.withLock(\.self)?.forget(file.entry)
        switch file.failure {
        case nil:
            if let digest = file.digest {
                try store.finish(file.entry, size: file.size, digest: digest)
            } else {
                try store.finish(file.entry, size: file.size)
            }
            let counted = keeping.withLock { $0.removeValue(forKey: file.entry)?.kept ?? 0 }
            // Wraps around where content came for what was counted before.
            if file.kept != counted { progress.add(kept: file.kept &- counted) }
        case .changed: try store.leaveOut(file.entry, because: .changed)
        default: try store.leaveOut(file.entry, because: .unreadable)
        }
    }

    /// Runs one step of storing; if it fails, the item is given up and its later content is dropped.
    private func attempt(_ step: () throws -> Void) {
        storingCalls.wrappingAdd(1, ordering: .relaxed)
        defer { storingCalls.wrappingSubtract(1, ordering: .relaxed) }
        do {
            try step()
        } catch {
            let isFirst = state.withLock { state in
                defer { state.tree.abandon() }
                return !state.tree.isAbandoned
            }
            if isFirst { trouble.withLock(\.self)(error) }
        }
    }

    // MARK: Present content

    private func sendDecisions() {
        // Sent under the lock: decisions go in the order of their entries, from any lane's thread.
        let ready = state.withLock { state in
            while let wanted = state.tree.wanted() { session.send(.wanted(wanted)) }
            return exchange(&state.claims, with: [])
        }
        // The sender must get the decision to compare before the digests.
        if !ready.isEmpty { claims.withLock(\.self)?.add(ready) }
    }

    /// Starts reading the present blocks of files and sending their digests.
    private func startClaims() throws {
        try claims.withLock { claims in
            // A reading that starts after the end would never be stopped.
            guard claims == nil, !state.quietly(\.isOver) else { return }
            claims = try ClaimReader(from: store, on: session.runtime) { [self] entry, block, digests, isLast in
                let holding = state.withLock { $0.tree.holding(entry, block: block, digests: digests, isLast: isLast) }
                guard let holding else { return false }
                session.send(.holding(holding))
                return true
            } sayAll: { [self] first, digests in
                for holding in state.withLock({ $0.tree.holding(from: first, digests: digests) }) {
                    session.send(.holding(holding))
                }
            }
        }
    }

    /// Queues the first answer about an earlier version of a file.
    private func readBase(of entry: UInt32) throws {
        // Decisions are sent first, for the same reason.
        sendDecisions()
        let reading = try bases.withLock { bases -> BaseReader? in
            if let reading = bases { return reading }
            guard !state.quietly(\.isOver) else { return nil }
            let reading = try BaseReader(
                from: store, on: session.runtime, whenRead: { [session] in session.whenRead($0) }
            ) { [self] entry, beginning, data, isLast in
                let base = state.withLock { $0.tree.base(entry, beginning, data: data, isLast: isLast) }
                guard let base else { return false }
                session.send(.base(base))
                return true
            }
            bases = reading
            return reading
        }
        reading?.begin(entry)
    }
}
