import PortolanConcurrency
import Synchronization

/// Bounds what strangers add to the journal by something that anybody on the network can do as often as it likes.
final class StrangerEntries: Sendable {
    private let kind: JournalKind
    private let sentence: @Sendable (Int64) -> String
    private let count = Mutex(StrangerEntryCount())
    private let folds: AsyncStream<Void>
    private let folding: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - kind: of the entry about those that have none of their own.
    ///   - sentence: about a number of them.
    init(foldedAs kind: JournalKind, sentence: @escaping @Sendable (Int64) -> String) {
        self.kind = kind
        self.sentence = sentence
        (folds, folding) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether what happens now gets an entry of its own; else it is counted for one of many.
    func isTold() -> Bool {
        if count.withLock({ $0.tells(at: .now) }) { return true }
        folding.yield()
        return false
    }

    /// Writes one entry about all that were counted, at most once a minute, until the task is cancelled. Called once.
    func run(_ append: @Sendable (EventJournal.Entry) -> Void) async {
        for await _ in folds {
            try? await Task.sleep(for: StrangerEntryCount.span)
            if let entry = fold() { append(entry) }
        }
    }

    /// - Returns: the entry about all that were counted since the call before; nil if there are none.
    func fold() -> EventJournal.Entry? {
        let number = count.withLock { $0.take() }
        guard number > 0 else { return nil }
        return .init(kind: kind, values: ["count": .number(number), "message": .text(sentence(number))])
    }
}

/// What strangers did within a span of time.
struct StrangerEntryCount: Sendable {
    static let span = Duration.seconds(60)
    /// Entries of all strangers within the span.
    static let most = 20

    private var begin: ContinuousClock.Instant?
    private var told = 0
    private var folded: Int64 = 0

    /// Counts what would be an entry.
    ///
    /// - Returns: whether it gets one.
    mutating func tells(at now: ContinuousClock.Instant) -> Bool {
        if begin.map({ now - $0 >= Self.span }) ?? true { (begin, told) = (now, 0) }
        guard told < Self.most else {
            folded += 1
            return false
        }
        told += 1
        return true
    }

    /// - Returns: the number without an entry since the call before.
    mutating func take() -> Int64 {
        defer { folded = 0 }
        return folded
    }
}
