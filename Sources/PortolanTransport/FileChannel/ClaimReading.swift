import DequeModule
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Reads the present parts of files that a sender is to compare, and sends their digests, on a thread of its own.
final class ClaimReading: Sendable {
    /// Sends digests of consecutive blocks; false if no more of this file are wanted.
    typealias Say = @Sendable (_ entry: UInt32, _ block: UInt64, _ digests: [UInt8], _ isLast: Bool) -> Bool

    private struct State {
        var files: Deque<(entry: UInt32, blocks: [Range<UInt64>])> = []
        var isOver = false
    }

    /// Number of digests in a message: 4 MiB of a file, so that the sender is not kept waiting.
    private static let atOnce = 16

    private let reading = OwnCalls()
    private let state: Monitor<State>
    private let sink: any ItemSink
    private let say: Say
    private let thread = Mutex<WorkerThread<Void>?>(nil)

    init(from sink: any ItemSink, on runtime: Runtime = .system, say: @escaping Say) throws {
        state = Monitor(State(), on: runtime)
        self.sink = sink
        self.say = say
        let reading = try WorkerThread(named: "claims", on: runtime) { [self] in
            while let file = next() { self.reading.during { read(file.blocks, of: file.entry) } }
        }
        thread.withLock { $0 = reading }
    }

    /// True while a file is being read.
    var isReading: Bool { reading.isAny }

    func add(_ blocks: [Range<UInt64>], of entry: UInt32) {
        state.withLock { $0.files.append((entry, blocks)) }
    }

    /// Stops reading; no read is in progress when this returns.
    func stop() async {
        state.withLock { $0.isOver = true }
        let reading = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        _ = try? await reading?.value
    }

    private func next() -> (entry: UInt32, blocks: [Range<UInt64>])? {
        let next: (entry: UInt32, blocks: [Range<UInt64>])?? = state.wait { state in
            if state.isOver { return .some(nil) }
            return state.files.popFirst().map { .some($0) }
        }
        return next ?? nil
    }

    /// Reads and claims ranges of a file. Unreadable ranges are not claimed. Files in more ranges than a file may come
    /// in are not claimed either: a sender can cause that by sending some of a file in each of several sessions.
    private func read(_ ranges: [Range<UInt64>], of entry: UInt32) {
        var first: UInt64 = 0
        var digests: [UInt8] = []
        var pieces = 0
        var next: UInt64?
        for block in ranges.lazy.joined() {
            guard !state.quietly(\.isOver) else { return }
            if block != next, pieces == Limits.fileParts { break }
            let digest = try? sink.digest(entry, block: block)
            let isNext = first + UInt64(digests.count / BlockDigest.length) == block
            if !digests.isEmpty, !isNext || digest == nil || digests.count == Self.atOnce * BlockDigest.length {
                guard say(entry, first, digests, false) else { return }
                digests = []
            }
            guard let digest else { continue }
            if block != next { pieces += 1 }
            next = block + 1
            if digests.isEmpty { first = block }
            digests += digest
        }
        _ = say(entry, first, digests, true)
    }
}
