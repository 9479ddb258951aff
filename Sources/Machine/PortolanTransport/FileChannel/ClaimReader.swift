import DequeModule
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Reads the present parts of files for comparison by the sender, and sends their digests, on a thread of its own.
final class ClaimReader: Sendable {
    /// Sends digests of consecutive blocks; false if the rest of the file is not needed.
    typealias Say = @Sendable (_ entry: UInt32, _ block: UInt64, _ digests: [UInt8], _ isLast: Bool) -> Bool
    /// Sends the only digests of consecutive files, one of each.
    typealias SayAll = @Sendable (_ first: UInt32, _ digests: [UInt8]) -> Void

    /// Files to be read.
    typealias Files = [(entry: UInt32, blocks: [Range<UInt64>])]

    private struct State {
        var files: Deque<(entry: UInt32, blocks: [Range<UInt64>])> = []
        var isOver = false
    }

    /// Number of digests in a message: 4 MiB of a file, so that the sender does not wait long.
    private static let atOnce = 16
    /// Number of small files in a message, so that the sender does not wait long for the first one.
    private static let filesAtOnce = 256

    private let reading = OwnCalls()
    private let state: Monitor<State>
    private let sink: any ItemSink
    private let say: Say
    private let sayAll: SayAll
    private let thread = Mutex<WorkerThread<Void>?>(nil)

    init(
        from sink: any ItemSink, on runtime: Runtime = .system, say: @escaping Say, sayAll: @escaping SayAll
    ) throws {
        state = Monitor(State(), on: runtime)
        self.sink = sink
        self.say = say
        self.sayAll = sayAll
        let reading = try WorkerThread(named: "claims", on: runtime) { [self] in
            var small = SmallFiles()
            while true {
                var file = nextNow()
                if file == nil {
                    tell(&small)
                    file = next()
                }
                guard let file else { break }
                self.reading.during { see(to: file.blocks, of: file.entry, &small) }
            }
        }
        thread.withLock { $0 = reading }
    }

    /// True while a file is being read.
    var isReading: Bool { reading.isAny }

    func add(_ files: Files) {
        state.withLock { $0.files.append(contentsOf: files) }
    }

    /// Stops reading; no read is in progress when this returns.
    func stop() async {
        state.withLock { $0.isOver = true }
        _ = try? await thread.withLock { $0.take() }?.value
    }

    private func next() -> (entry: UInt32, blocks: [Range<UInt64>])? {
        let next: (entry: UInt32, blocks: [Range<UInt64>])?? = state.wait { state in
            if state.isOver { return .some(nil) }
            return state.files.popFirst().map { .some($0) }
        }
        return next ?? nil
    }

    /// Returns the next file, if there is one.
    private func nextNow() -> (entry: UInt32, blocks: [Range<UInt64>])? {
        state.quietly { $0.isOver ? nil : $0.files.popFirst() }
    }

    // MARK: Small files

    /// Consecutive files of one block each that were read, and whose digests were not sent yet.
    private struct SmallFiles {
        var first: UInt32 = 0
        var digests: [UInt8] = []

        var count: Int { digests.count / BlockDigest.length }

        /// True if an entry is the next one, and there is room for it.
        func takes(_ entry: UInt32) -> Bool {
            digests.isEmpty || count < ClaimReader.filesAtOnce && UInt64(entry) == UInt64(first) + UInt64(count)
        }
    }

    private func see(to blocks: [Range<UInt64>], of entry: UInt32, _ small: inout SmallFiles) {
        guard blocks == [0..<1], let digest = try? sink.digest(entry, block: 0) else {
            tell(&small)
            return read(blocks, of: entry)
        }
        if !small.takes(entry) { tell(&small) }
        if small.digests.isEmpty { small.first = entry }
        small.digests += digest
    }

    private func tell(_ small: inout SmallFiles) {
        if !small.digests.isEmpty { sayAll(small.first, small.digests) }
        small = SmallFiles()
    }

    // MARK: Other files

    /// Reads and claims ranges of a file. Unreadable ranges are not claimed. A file with more ranges than the limit is
    /// not claimed either: a sender can cause that by parts of a file in several sessions.
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
