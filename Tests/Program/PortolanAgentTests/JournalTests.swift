import Foundation
import GRDB
import Glibc
import Synchronization
import Testing

@testable import PortolanAgent

private final class Readings: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func add() { value.withLock { $0 += 1 } }
}

@Suite("The journal")
struct JournalTests {
    let folder = TemporaryFolder()
    let clock = SetClock()

    private func append(_ count: Int, to database: AgentDatabase, bytes: Int = 12) throws -> [JournalCursor] {
        try database.writeBlocking { change throws in
            try (0..<count).map { _ in
                // Quotes and braces of the body are 11 bytes.
                try change.journal.append(.inboxReceived, body: ["text": String(repeating: "x", count: bytes - 11)])
            }
        }
    }

    @Test("Cursors have no gaps, also behind a transaction that was rolled back, and go on after a restart.")
    func noGaps() throws {
        var database = try open(folder, clock: clock)
        let first = try append(3, to: database)
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try database.writeBlocking { change throws in
                try change.journal.append(.inboxReceived, body: ["a": 1])
                throw Refusal()
            }
        }
        database.close()
        database = try open(folder, clock: clock)
        let second = try append(2, to: database)
        #expect(second == [first[2] + 1, first[2] + 2])
        let entries = try database.writeBlocking { try $0.journal.entries(after: first[1]) }
        #expect(entries.map(\.cursor) == [first[2]] + second)
        #expect(
            try database.writeBlocking { try $0.journal.entries(after: first[0], limit: 1) }.map(\.cursor) == [first[1]]
        )
        #expect(try database.writeBlocking { try $0.journal.entries(after: second[1]) }.isEmpty)
    }

    @Test("An entry keeps its time, kind, transfer, peer and body.")
    func content() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.journal.append(.inboxReceived, transfer: "abc", peer: key(3), body: ["path": "/a/b", "a": "ü"])
            try change.journal.append(JournalKind(rawValue: "peer.seen"), body: ["n": 1])
        }
        let entries = try database.writeBlocking { try $0.journal.entries(after: nil) }
        #expect(entries[0].at == clock.now)
        #expect(entries[0].kind == .inboxReceived)
        #expect(entries[0].transfer == "abc")
        #expect(entries[0].peer == key(3))
        #expect(entries[0].body == #"{"a":"ü","path":"/a/b"}"#)
        #expect(entries[1].kind.rawValue == "peer.seen")
        #expect(entries[1].peer == nil)
        #expect(try database.writeBlocking { try $0.journal.entries(ofTransfer: "abc") } == [entries[0]])
    }

    @Test("A clock that is set back changes times, not the order.")
    func clockSetBack() throws {
        let database = try open(folder, clock: clock)
        let before = try append(1, to: database)
        clock.advance(-365 * day)
        let after = try append(1, to: database)
        let entries = try database.writeBlocking { try $0.journal.entries(after: nil) }
        #expect(entries.map(\.cursor) == before + after)
        #expect(entries[1].at == clock.now)
        #expect(entries[1].at < entries[0].at)
    }

    @Test("Age removes entries from the front, in batches; a cursor behind them is gone, one beyond the end is ahead.")
    func age() async throws {
        let database = try open(folder, clock: clock)
        let old = try append(25, to: database)
        clock.advance(60 * day)
        let young = try append(5, to: database)
        #expect(try await database.trimJournal(batch: 10) == 0)
        clock.advance(31 * day)
        #expect(try await database.trimJournal(batch: 10) == 25)
        let size = try database.writeBlocking { try $0.journal.size() }
        #expect(size == 60)
        for cursor in [0, old[3], old[23]] {
            #expect(throws: JournalError.gone(oldest: young[0])) {
                try database.writeBlocking { try $0.journal.entries(after: cursor) }
            }
        }
        #expect(throws: JournalError.ahead(newest: young[4])) {
            try database.writeBlocking { try $0.journal.entries(after: young[4] + 1) }
        }
        #expect(try database.writeBlocking { try $0.journal.entries(after: old[24]) }.map(\.cursor) == young)
        #expect(try database.writeBlocking { try $0.journal.entries(after: nil) }.map(\.cursor) == young)
    }

    @Test("Size removes the oldest entries, and no more than needed; the newest stays.")
    func size() async throws {
        let database = try open(folder, clock: clock)
        let cursors = try append(20, to: database, bytes: 100)
        #expect(try database.writeBlocking { try $0.journal.size() } == 2000)
        #expect(try await database.trimJournal(JournalRetention(size: 1050), batch: 3) == 10)
        #expect(try database.writeBlocking { try $0.journal.size() } == 1000)
        #expect(try database.writeBlocking { try $0.journal.range().oldest } == cursors[10])
        #expect(try await database.trimJournal(JournalRetention(size: 0), batch: 3) == 9)
        #expect(try database.writeBlocking { try $0.journal.entries(after: nil) }.map(\.cursor) == [cursors[19]])
        database.close()
        let again = try open(folder, clock: clock)
        #expect(try again.writeBlocking { try $0.journal.range() } == (cursors[19], cursors[19]))
    }

    @Test("A follower that does not read has about a megabyte of entries in memory, however many there are.")
    func largeEntries() async throws {
        let database = try open(folder, clock: clock)
        let cursors = try append(10, to: database, bytes: 300_000)
        var reader = database.entries(after: nil).makeAsyncIterator()
        var batches: [[JournalCursor]] = []
        while batches.reduce(0, { $0 + $1.count }) < cursors.count, let batch = try await reader.next() {
            batches.append(batch.map(\.cursor))
        }
        #expect(batches.map(\.count) == [4, 4, 2])
        #expect(batches.flatMap(\.self) == cursors)
    }

    @Test("A follower gets all entries in order, those of several writers too, and ends with the database.")
    func follow() async throws {
        let database = try open(folder, clock: clock)
        let first = try append(3, to: database)
        let reader = Task {
            var cursors: [JournalCursor] = []
            for try await entries in database.entries(after: first[0], batch: 7) { cursors += entries.map(\.cursor) }
            return cursors
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        _ = try await database.write { try $0.journal.append(.inboxReceived, body: ["a": 1]) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try database.newest()
        // A second follower, that begins late, sees the same end.
        for try await entries in database.entries(after: last - 1) {
            #expect(entries.map(\.cursor) == [last])
            break
        }
        while database.signals.followerCount == 0 { await Task.yield() }
        var seen: JournalCursor = 0
        for try await entries in database.entries(after: nil) {
            seen = entries.last!.cursor
            if seen == last { break }
        }
        await database.finishFollowers()
        let cursors = try await reader.value
        #expect(cursors == Array(cursors.first!...cursors.last!))
        #expect(cursors.first == first[1])
        #expect(database.signals.followerCount == 0)
    }

    @Test("Followers at one place share a reading until the next commit, and an error is read again.")
    func sharedReading() async throws {
        struct Refusal: Error {}
        let signals = JournalSignals()
        let readings = Readings()
        @Sendable func read(after cursor: JournalCursor) async throws {
            _ = try await signals.entries(after: cursor, limit: 500) {
                readings.add()
                if cursor < 0 { throw Refusal() }
                return []
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await read(after: 7) } }
            try await group.waitForAll()
        }
        #expect(readings.count == 1)
        signals.wake()
        try await read(after: 7)
        try await read(after: 8)
        try await read(after: 8)
        #expect(readings.count == 3)
        for _ in 0..<2 { await #expect(throws: Refusal.self) { try await read(after: -1) } }
        #expect(readings.count == 5)
    }

    @Test("A follower that fell behind the retention gets an error, not a gap.")
    func followerBehind() async throws {
        let database = try open(folder, clock: clock)
        let first = try append(2, to: database)
        var reader = database.entries(after: first[0], batch: 1).makeAsyncIterator()
        #expect(try await reader.next()?.map(\.cursor) == [first[1]])
        _ = try append(5, to: database)
        try await database.trimJournal(JournalRetention(size: 0))
        await #expect(throws: JournalError.self) { _ = try await reader.next() }
    }

    @Test("Reading from a cursor is one search in the tree of the entries, without a scan or a sort.")
    func plan() throws {
        let database = try open(folder, clock: clock)
        let plan = try database.writeBlocking { change throws in
            try Row.fetchAll(
                change.database, sql: "EXPLAIN QUERY PLAN \(Journal.readingStatement)", arguments: [0, 1]
            ).map { $0["detail"] as String }
        }
        #expect(plan == ["SEARCH entry USING INTEGER PRIMARY KEY (rowid>?)"])
    }

    @Test(
        "A journal of 1,000,000 entries opens and is read from any cursor.",
        .enabled(if: getenv("PORTOLAN_LARGE_JOURNAL") != nil, "takes a minute; PORTOLAN_LARGE_JOURNAL=1 runs it"))
    func millionEntries() throws {
        var database = try open(folder, clock: clock)
        let first = try database.newest()
        for _ in 0..<100 { _ = try append(10_000, to: database, bytes: 200) }
        database.close()
        let clockBefore = ContinuousClock.now
        database = try open(folder, clock: clock)
        print("journal of 1,000,000 entries: opened in \(ContinuousClock.now - clockBefore)")
        for cursor in [first, first + 500_000, first + 999_900] {
            let before = ContinuousClock.now
            let entries = try database.writeBlocking { try $0.journal.entries(after: cursor, limit: 100) }
            print("100 entries after \(cursor - first): \(ContinuousClock.now - before)")
            #expect(entries.map(\.cursor) == Array(cursor + 1...cursor + 100))
        }
    }
}

extension AgentDatabase {
    /// Ends the followers once they have read everything.
    fileprivate func finishFollowers() async {
        signals.finish()
    }
}
