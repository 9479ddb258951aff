import Portolan
import Synchronization

/// Limits the journal entries that one sender can cause at any rate. All strangers are one sender, since they can have
/// any number of keys.
final class StrangerEntries: Sendable {
    /// A device that is known here.
    struct Sender: Sendable {
        let key: PeerKey
        let name: String
        /// Title of an item, for the combined entry.
        let title: String?

        /// - Returns: nil for a stranger.
        init?(_ peer: RemotePeer, title: String?) {
            guard peer.standing != .anyone, let key = peer.stateKey else { return nil }
            (self.key, name, self.title) = (key, peer.localName, title)
        }
    }

    private struct Counted: Sendable {
        var count: StrangerEntryCount
        var newest: Sender?
    }

    private let kind: JournalKind
    private let sentence: @Sendable (_ number: Int64, _ whose: String) -> String
    private let counted = Mutex<[PeerKey?: Counted]>([:])
    private let folds: AsyncStream<Void>
    private let folding: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - kind: kind of the combined entry.
    ///   - sentence: makes the sentence for a number of events of strangers, or of a quoted name.
    init(foldedAs kind: JournalKind, sentence: @escaping @Sendable (_ number: Int64, _ whose: String) -> String) {
        self.kind = kind
        self.sentence = sentence
        (folds, folding) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Counts an event, for the combined entry if it gets none of its own.
    ///
    /// - Parameters:
    ///   - sender: nil for a stranger.
    ///   - size: number of items in the event; an entry about many costs more than a shortened one.
    func telling(of sender: Sender? = nil, size: Int = 1) -> StrangerEntryCount.Telling {
        let telling = counted.withLock { counted in
            if counted[sender?.key] == nil, counted.count >= Self.mostSenders {
                counted = counted.filter { $0.value.count.hasFolded }
            }
            let most = sender == nil ? StrangerEntryCount.most : StrangerEntryCount.mostOfSender
            var one = counted[sender?.key] ?? Counted(count: StrangerEntryCount(most: most))
            one.newest = sender
            defer { counted[sender?.key] = one }
            return one.count.telling(at: .now, weight: size)
        }
        if telling == .folded { folding.yield() }
        return telling
    }

    /// Returns true if the present event gets an entry of its own; otherwise counts it for the combined entry.
    func isTold(of sender: Sender? = nil) -> Bool { telling(of: sender) != .folded }

    /// Number of senders at which those without counted events are forgotten.
    private static let mostSenders = 1024

    /// Writes one combined entry for each sender, at most once a minute, until the task is cancelled. Called once.
    func run(_ append: @Sendable (EventJournal.Entry) -> Void) async {
        for await _ in folds {
            try? await Task.sleep(for: StrangerEntryCount.span)
            for entry in fold() { append(entry) }
        }
    }

    /// - Returns: for each sender, the entry about all events that were counted since the previous call.
    func fold() -> [EventJournal.Entry] {
        let folded = counted.withLock { counted in
            counted.keys.compactMap { key -> (number: Int64, sender: Sender?)? in
                guard let number = counted[key]?.count.take(), number > 0 else { return nil }
                return (number, counted[key]?.newest)
            }
        }
        return folded.map { number, sender in
            let whose = sender.map { "“\(DisplayText($0.name))”" } ?? "strangers"
            return .init(
                kind: kind, peer: sender?.key,
                values: [
                    "count": .number(number), "message": .text(sentence(number, whose)),
                    "sender": JournalValue(sender?.name), "title": JournalValue(sender?.title),
                ])
        }
    }
}

/// Number of entries by one sender.
struct StrangerEntryCount: Sendable {
    /// Form of an entry about an event.
    enum Telling: Sendable {
        case whole, short, folded
    }

    static let span = Duration.seconds(60)
    /// Largest number of entries within the span, when many came before.
    static let most = 20
    /// Largest number of entries by a known sender at once, such as those about a large parcel.
    static let mostOfSender = 2048

    private let most: Int
    private var begin: ContinuousClock.Instant?
    private var told = 0
    private var folded: Int64 = 0

    init(most: Int = Self.most) { self.most = most }

    /// True if events without an entry were counted.
    var hasFolded: Bool { folded > 0 }

    /// Counts an event.
    ///
    /// - Parameter weight: number of shortened entries that are as large as a whole one.
    mutating func telling(at now: ContinuousClock.Instant, weight: Int = 1) -> Telling {
        let spans = begin.map { Int((now - $0) / Self.span) } ?? 0
        begin = (begin ?? now) + Self.span * spans
        told = max(0, told - spans * Self.most)
        if told + weight <= most {
            told += weight
            return .whole
        }
        guard told < most else {
            folded += 1
            return .folded
        }
        told += 1
        return .short
    }

    /// - Returns: the number of events without an entry since the previous call.
    mutating func take() -> Int64 {
        defer { folded = 0 }
        return folded
    }
}
