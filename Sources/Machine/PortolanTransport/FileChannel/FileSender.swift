import PortolanConcurrency
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization

/// Content of the file channel.
enum FileSource: Sendable {
    case tree(SourceTree)
    case stream(SourceStream)

    /// Size in bytes, if known.
    var size: UInt64? {
        switch self {
        case .tree(let tree): tree.size
        case .stream: nil
        }
    }

    /// Entries that could not be sent. The peer may be told of each.
    var report: FidelityReport {
        switch self {
        case .tree(let tree): tree.report
        case .stream: FidelityReport()
        }
    }

    /// Entries that the peer may not see and is not told of.
    var withheld: WithholdingReport {
        switch self {
        case .tree(let tree): tree.withheld
        case .stream: WithholdingReport()
        }
    }
}

/// Sends one file or folder on the lanes of a session.
///
/// Lane 0 walks the source; more lanes are added while measurements show a gain. The session passes in the receiver's
/// messages about the transfer.
final class FileSender: Sendable {
    private static let interval = Duration.milliseconds(50)
    private static let reporting = Duration.milliseconds(100)
    /// Age of a folder's transfer at which its total is first reported; shorter transfers have no use for it.
    private static let totalDelay = Duration.seconds(1)

    private let source: FileSource
    private let lanes: OutgoingLanes
    private let runtime: Runtime
    private let work: OutgoingWork
    private let number: UInt32
    private let asks: Bool
    private let tally = SendingTally()
    private let manner: SendingManner
    private let report: @Sendable (Advance) -> Void
    private let found: @Sendable (SendingTally.Found) -> Void
    private let helpers = Mutex<[WorkerThread<(any Error)?>]>([])
    private let watching: Mutex<Watching>

    /// Latest lane choice, and the time of the next report.
    private struct Watching {
        var choice: LaneChoice
        /// True if another lane can be opened.
        var canGrow = true
        /// Time of the next report.
        var next: ContinuousClock.Instant
        /// Time of the first report of a folder's total; nil if the source is no folder.
        var totals: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - report: called from time to time with the progress.
    ///   - found: called from time to time with the total of a folder, as far as known.
    init(
        _ source: FileSource, as tree: OutgoingTree, on lanes: OutgoingLanes, _ manner: SendingManner,
        report: @escaping @Sendable (Advance) -> Void, found: @escaping @Sendable (SendingTally.Found) -> Void
    ) {
        self.source = source
        self.lanes = lanes
        self.manner = manner
        self.report = report
        self.found = found
        number = tree.number
        asks = tree.asks
        runtime = lanes.runtime
        work = OutgoingWork(tree, on: lanes.runtime)
        let now = lanes.runtime.now
        let choice = LaneChoice(
            allowed: tree.mostLanes, processors: lanes.runtime.busyLanes, size: source.size,
            worthwhile: manner.worthAnotherLane, start: now)
        let isFolder = if case .tree(let tree) = source { tree.isFolder } else { false }
        watching = Mutex(Watching(choice: choice, next: now, totals: isFolder ? now + Self.totalDelay : nil))
    }

    /// Bytes that the receiver had already, so that they were not sent.
    var kept: UInt64 { tally.kept }

    /// Bytes of finished content; nil while this side reads, or waits because of its own rate limit.
    var progress: UInt64? { tally.own.isAny ? nil : tally.done }

    /// Entries that the receiver may not see, in the part of the source that was walked.
    var withheld: WithholdingReport { source.withheld }

    // MARK: Messages of the receiver

    func receive(_ wanted: Message.Wanted) throws(ProtocolViolation) { tally.notWanted(try work.receive(wanted)) }

    func receive(_ holding: Message.Holding) throws(ProtocolViolation) { try work.receive(holding) }

    func receive(_ base: Message.Base) throws(ProtocolViolation) { try work.receive(base) }

    /// Stops sending: the receiver does not want the rest.
    func stop() {
        work.stop(CancellationError())
        if case .stream(let stream) = source { stream.stop() }
    }

    // MARK: Sending

    /// Sends everything except the End message.
    ///
    /// - Returns: that message, and the reason if the item is incomplete.
    /// - Throws: the error that broke a lane, and with it the session.
    func run() async throws -> (Message.End, failure: (any Error)?) {
        try await withTaskCancellationHandler {
            try await lanes.makeRoom()
            let first = try WorkerThread(named: "lane 0", on: runtime) { [self] in try walk() }
            let broken = try await lanes.alarms.with(
                Alarm(after: Self.interval) { [self] in
                    await look()
                    return true
                }
            ) {
                try await first.value
            }
            let helpers = helpers.withLock(\.self)
            var failure = broken
            // The lane that had the last piece of a file found out whether the file is whole.
            for helper in helpers {
                let found = try await helper.value
                failure = failure ?? found
            }
            failure = failure ?? lossOfRequired()
            let end = work.count { tree in
                tree.end(
                    lanes: lanes.numbers(helpers.count + 1), omissions: Omissions(source.report),
                    failure: failure.map { SourceFailure(of: $0) })
            }
            return (end, failure)
        } onCancel: {
            stop()
        }
    }

    /// Returns the first loss of a required property; nil if there is none.
    private func lossOfRequired() -> FileError? {
        // The report is copied under the lock of the walk.
        guard !manner.requirements.isEmpty else { return nil }
        let firsts = source.report.firsts
        for reason in Loss.Reason.allCases {
            if let omission = firsts[reason], !manner.requirements.isDisjoint(with: Fidelity(lostBy: reason)) {
                return FileError(
                    reason.kindOfRequired, "What is required to be kept cannot be carried: \(omission).")
            }
        }
        return nil
    }

    /// Runs lane 0's thread.
    ///
    /// - Returns: the reason if the item is incomplete; nil if it is complete.
    private func walk() throws -> (any Error)? {
        let lane: SendingLane
        do {
            lane = try lanes.lane(0)
        } catch {
            work.stop(error)
            throw error
        }
        return try work(on: lane) { [source, asks] pieces in
            switch source {
            case .tree(let tree):
                var sending = TreeSender(tree, asks: asks, pieces: pieces)
                try sending.run()
            case .stream(let stream):
                try StreamSender(stream: stream, pieces: pieces).run()
            }
        }
    }

    /// Does one lane's part. The failure of the item alone leaves the lane fit for the next one.
    private func work(on lane: SendingLane, _ part: (PieceSender) throws -> Void) throws -> (any Error)? {
        let pieces = pieces(on: lane)
        do {
            try part(pieces)
            return nil
        } catch  where error is FileError || error is InvalidValue || error is CancellationError {
            work.stop(error)
            try pieces.send(.mark)
            return error
        } catch {
            // The other lanes must not wait any more.
            work.stop(error)
            throw error
        }
    }

    private func pieces(on lane: SendingLane) -> PieceSender {
        PieceSender(
            on: lane, transfer: number, work: work, tally: tally, manner: manner, runtime: runtime,
            ask: { [lanes] in lanes.say(.compare($0)) }
        ) { [source] entry, error in
            // The rest of a folder is still worth having.
            guard case .tree(let tree) = source, tree.isFolder else { throw error }
            tree.leaveOut(entry, because: error)
        } truncate: { [source] entry in
            if case .tree(let tree) = source { tree.truncate(entry) }
        }
    }

    // MARK: More lanes

    /// Reports progress, and adds lanes while they raise the rate.
    private func look() async {
        let now = runtime.now
        // A lane that is added fills its queue first, which is no speed.
        let (sent, queued) = (tally.sent, UInt64(lanes.queued))
        let wanted = watching.withLock { $0.choice.sent(sent - min(queued, sent), at: now) }
        while watching.withLock(\.canGrow), helpers.withLock(\.count) + 1 < wanted {
            // The transfer continues with its present lanes if another cannot be opened.
            let isOpened = await runtime.withBlockingThread { (try? addLane()) != nil }
            watching.withLock { $0.canGrow = isOpened }
        }
        work.use(lanes: wanted)
        let (isDue, tellsTotal) = watching.withLock { watching in
            guard now >= watching.next else { return (false, false) }
            watching.next = now + Self.reporting
            return (true, watching.totals.map { now >= $0 } ?? false)
        }
        guard isDue else { return }
        // The item will not be stored, so the rest is not sent.
        if let loss = lossOfRequired() { work.stop(loss) }
        report(Advance(done: tally.done, transferred: tally.sent))
        if tellsTotal, let news = tally.takeNews() { found(news) }
    }

    /// Blocks while the lane is opened.
    private func addLane() throws {
        let index = helpers.withLock(\.count) + 1
        let lane = try lanes.lane(index) { !work.isDone }
        let helper = try WorkerThread(named: "lane \(index)", on: runtime) { [self] in
            try work(on: lane) { try $0.run(lane: index) }
        }
        helpers.withLock { $0.append(helper) }
    }
}

extension Loss.Reason {
    /// The kind of the failure of an item that must not lack this.
    var kindOfRequired: FileError.Kind {
        switch self {
        case .changed, .vanished: .sourceChanged
        case .unreadable, .partial: .unreadable
        default: .fidelity
        }
    }
}

extension SourceFailure {
    init(of error: any Error) {
        self =
            switch error {
            case let error as FileError where error.kind == .stopped || error.kind == .keptFromOthers: .cancelled
            case let error as FileError where error.kind == .fidelity: .unspecified
            case let error as FileError: SourceFailure(error)
            case is CancellationError: .cancelled
            default: .export
            }
    }
}
