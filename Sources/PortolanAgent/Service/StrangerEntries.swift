import Synchronization

/// Limits the journal entries that strangers can cause at any rate.
final class StrangerEntries: Sendable {
    private let kind: JournalKind
    private let sentence: @Sendable (Int64) -> String
    private let count = Mutex(StrangerEntryCount())
    private let folds: AsyncStream<Void>
    private let folding: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - kind: kind of the combined entry.
    ///   - sentence: makes the sentence for a number of events.
    init(foldedAs kind: JournalKind, sentence: @escaping @Sendable (Int64) -> String) {
        self.kind = kind
        self.sentence = sentence
        (folds, folding) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns true if the present event gets an entry of its own; otherwise counts it for the combined entry.
    func isTold() -> Bool {
        if count.withLock({ $0.tells(at: .now) }) { return true }
        folding.yield()
        return false
    }

    /// Writes one combined entry, at most once a minute, until the task is cancelled. Called once.
    func run(_ append: @Sendable (EventJournal.Entry) -> Void) async {
        for await _ in folds {
            try? await Task.sleep(for: StrangerEntryCount.span)
            if let entry = fold() { append(entry) }
        }
    }

    /// - Returns: the entry about all events that were counted since the previous call; nil if there are none.
    func fold() -> EventJournal.Entry? {
        let number = count.withLock { $0.take() }
        guard number > 0 else { return nil }
        return .init(kind: kind, values: ["count": .number(number), "message": .text(sentence(number))])
    }
}

/// Number of entries by strangers within a span of time.
struct StrangerEntryCount: Sendable {
    static let span = Duration.seconds(60)
    /// Largest number of entries by strangers within the span.
    static let most = 20

    private var begin: ContinuousClock.Instant?
    private var told = 0
    private var folded: Int64 = 0

    /// Counts an event.
    ///
    /// - Returns: true if it gets an entry.
    mutating func tells(at now: ContinuousClock.Instant) -> Bool {
        if begin.map({ now - $0 >= Self.span }) ?? true { (begin, told) = (now, 0) }
        guard told < Self.most else {
            folded += 1
            return false
        }
        told += 1
        return true
    }

    /// - Returns: the number of events without an entry since the previous call.
    mutating func take() -> Int64 {
        defer { folded = 0 }
        return folded
    }
}
