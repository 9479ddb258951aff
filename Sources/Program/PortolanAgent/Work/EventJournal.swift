import Portolan

/// Writer of node events that belong to no other change into the journal, in order.
struct EventJournal: Sendable {
    struct Entry: Sendable {
        var kind: JournalKind
        var transfer: String?
        var peer: PeerKey?
        var values: [String: JournalValue] = [:]
    }

    private let entries: AsyncStream<Entry>
    private let feed: AsyncStream<Entry>.Continuation
    private let database: AgentDatabase
    private let health: StateHealth

    /// Largest number of entries that wait to be written; further ones are dropped, so that a flood of events does not
    /// fill the memory.
    private static let limit = 4096

    init(_ database: AgentDatabase, _ health: StateHealth) {
        self.database = database
        self.health = health
        (entries, feed) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .bufferingOldest(Self.limit))
    }

    func append(_ entry: Entry) { feed.yield(entry) }

    /// Writes until the task is cancelled.
    func run() async {
        for await entry in entries {
            _ = try? await health.writing {
                try await database.write { change in
                    try change.journal.append(
                        entry.kind, transfer: entry.transfer, peer: entry.peer, values: entry.values)
                }
            }
        }
    }
}
