import DequeModule
import PortolanConcurrency
import PortolanDelta
import PortolanFiles
import PortolanProtocol
import Synchronization

/// Reads the earlier versions of files that are sent as differences, and sends their signatures, on a thread of its
/// own.
///
/// Unreadable parts are left out: after an answer that ends early, or an empty one, the sender sends the rest of the
/// file.
final class BaseReader: Sendable {
    /// Sends a part of an answer; false if the rest of the answer is not needed.
    typealias Say =
        @Sendable (_ entry: UInt32, _ beginning: Message.Base.Beginning?, _ data: [UInt8], _ isLast: Bool) -> Bool

    private enum Job: Sendable {
        case beginning(UInt32)
        case question(UInt32, Message.Compare.Question)
        case over(UInt32)
    }

    private struct State {
        var jobs: Deque<Job> = []
        /// True if the peer has read the answers so far.
        var hasRoom = true
        var isOver = false
    }

    /// Chunks of an earlier version, kept in memory.
    private struct Remembered {
        let key: [UInt8]
        /// Chunks until the first question; nil if there was no room.
        var list: ChunkList?
    }

    private static let piece = 256 << 10

    private let reading = OwnCalls()
    private let state: Monitor<State>
    private let sink: any ItemSink
    /// Most chunks in memory; further files are read again for a question.
    private let mostChunks: Int
    private let whenRead: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let say: Say
    private let thread = Mutex<WorkerThread<Void>?>(nil)

    /// - Parameters:
    ///   - mostChunks: most chunks in memory.
    ///   - whenRead: calls its argument after the peer has read enough for a further answer.
    init(
        from sink: any ItemSink, on runtime: Runtime = .system, mostChunks: Int = ChunkList.maximumCount,
        whenRead: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }, say: @escaping Say
    ) throws {
        state = Monitor(State(), on: runtime)
        self.sink = sink
        self.mostChunks = mostChunks
        self.whenRead = whenRead
        self.say = say
        let reading = try WorkerThread(named: "bases", on: runtime) { [self] in
            var remembered: [UInt32: Remembered] = [:]
            while let job = next() { see(to: job, &remembered) }
        }
        thread.withLock { $0 = reading }
    }

    /// True while a file is being read.
    var isReading: Bool { reading.isAny }

    /// Queues the first answer about an earlier version.
    func begin(_ entry: UInt32) { state.withLock { $0.jobs.append(.beginning(entry)) } }

    func answer(_ compare: Message.Compare) {
        state.withLock { $0.jobs.append(.question(compare.index, compare.question)) }
    }

    /// Drops the chunks of a file, since no question follows.
    func forget(_ entry: UInt32) { state.withLock { $0.jobs.append(.over(entry)) } }

    /// Stops reading; no read is in progress when this returns.
    func stop() async {
        state.withLock { $0.isOver = true }
        _ = try? await thread.withLock { $0.take() }?.value
    }

    private func next() -> Job? {
        let next: Job?? = state.wait { state in
            if state.isOver { return .some(nil) }
            return state.jobs.popFirst().map { .some($0) }
        }
        return next ?? nil
    }

    private func see(to job: Job, _ remembered: inout [UInt32: Remembered]) {
        switch job {
        case .beginning(let entry):
            if !begin(entry, &remembered) { remembered[entry] = nil }
        case .question(let entry, let question):
            let known = remembered[entry]
            remembered[entry]?.list = nil
            var answer: [UInt8]?
            if let known { answer = reading.during { try? self.answer(question, entry, known) } }
            if !tell(entry, isSame(entry) ? answer ?? [] : []) { remembered[entry] = nil }
        case .over(let entry): remembered[entry] = nil
        }
    }

    // MARK: Chunks

    private func begin(_ entry: UInt32, _ remembered: inout [UInt32: Remembered]) -> Bool {
        var random = SystemRandomNumberGenerator()
        let key = (0..<GearTable.keyLength).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard hasRoom() else { return false }
        guard let base = try? sink.base(of: entry) else {
            return say(entry, Message.Base.Beginning(key: key, size: 1), [], true)
        }
        // The sender reads its file meanwhile.
        guard say(entry, Message.Base.Beginning(key: key, size: base.size), [], false) else { return false }
        guard let list = reading.during({ try? scan(base, key) }), isSame(entry) else {
            return say(entry, nil, [], true)
        }
        let room = mostChunks - remembered.values.reduce(0) { $0 + ($1.list?.chunks.count ?? 0) }
        remembered[entry] = Remembered(key: key, list: list.chunks.count <= room ? list : nil)
        return tell(entry, ChunkGroup.encode(list.groups))
    }

    /// True if an earlier version is still the received file. A locally changed file is private: the answer about it is
    /// empty.
    private func isSame(_ entry: UInt32) -> Bool {
        (try? sink.base(of: entry)) != nil
    }

    private func scan(_ base: BaseFile, _ key: [UInt8]) throws -> ChunkList {
        var scanner = ChunkScanner(key: key)
        let memory = AlignedMemory(count: Self.piece)
        var position: UInt64 = 0
        while position < base.size {
            guard !state.quietly(\.isOver) else { throw CancellationError() }
            let count = Int(min(UInt64(Self.piece), base.size - position))
            let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<count])
            try base.fill(bytes, from: position)
            scanner.update(UnsafeRawBufferPointer(bytes))
            position += UInt64(count)
        }
        return scanner.finish()
    }

    // MARK: Answers

    /// - Returns: the answer; shorter than the question asks if a part cannot be read.
    private func answer(
        _ question: Message.Compare.Question, _ entry: UInt32, _ known: Remembered
    ) throws -> [UInt8] {
        switch question {
        case .groups(let runs):
            // The rules allow this question once.
            guard let list = try known.list ?? sink.base(of: entry).map({ try scan($0, known.key) }) else { return [] }
            return list.list(ofGroups: runs).encode()
        case .sums(let ranges):
            guard let base = try sink.base(of: entry) else { return [] }
            let sums = BlockSums(key: known.key)
            var answer: [UInt8] = []
            for range in ranges {
                guard !state.quietly(\.isOver) else { throw CancellationError() }
                let request = try SignatureRequest(
                    base: range.base.lowerBound, length: UInt64(range.base.count), blockSize: range.block,
                    strongLength: range.strong, baseSize: base.size)
                let memory = AlignedMemory(count: range.base.count)
                try base.fill(memory.bytes, from: range.base.lowerBound)
                answer += BlockSignature(of: UnsafeRawBufferPointer(memory.bytes), for: request, sums).encode()
            }
            return answer
        }
    }

    /// Waits until the peer has read the earlier answers, so that a peer that asks and does not read fills no memory.
    private func hasRoom() -> Bool {
        state.quietly { $0.hasRoom = false }
        whenRead { [state] in state.withLock { $0.hasRoom = true } }
        return state.wait { state in state.isOver ? false : state.hasRoom ? true : nil }
    }

    private func tell(_ entry: UInt32, _ data: [UInt8]) -> Bool {
        var rest = data[...]
        while rest.count > Limits.baseData {
            guard hasRoom(), say(entry, nil, Array(rest.prefix(Limits.baseData)), false) else { return false }
            rest = rest.dropFirst(Limits.baseData)
        }
        return hasRoom() && say(entry, nil, Array(rest), true)
    }
}
