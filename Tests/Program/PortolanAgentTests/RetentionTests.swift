import Foundation
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

@Suite("Retention by the time that the agent ran, with a clock that may be wrong")
struct RetentionTests {
    private let folder = TemporaryFolder()

    private struct Kept: Equatable {
        var entries = 0
        var parcels = 0
        var items = 0
        var ledger = 0
    }

    /// Writes records of all kinds: two delivered parcels, the first of which has a receipt.
    private func fill(_ database: AgentDatabase) throws {
        try database.writeBlocking { change throws in
            for number in 1...2 {
                try change.outbox.add(parcel(number))
                try change.outbox.beginAttempt(id(number))
                let receipt: [UInt8]? = number == 1 ? [1, 2] : nil
                try change.outbox.settle(
                    id(number), StoredSettlement(member: key(1), item: 0, outcome: .stored, receipt: receipt))
                _ = try change.outbox.endAttempt(id(number), .delivered)
            }
            _ = try change.inbox.store(item(0), file)
            try change.ledger.insert(DeliveredItem(peer: key(1), parcel: id(1), item: 0), file)
        }
    }

    private func kept(_ database: AgentDatabase) throws -> Kept {
        try database.writeBlocking { change throws in
            let item = DeliveredItem(peer: key(1), parcel: id(1), item: 0)
            return Kept(
                entries: try change.journal.entries(after: nil, limit: .max).count,
                parcels: try change.outbox.list().count, items: try change.inbox.list().count,
                ledger: try change.ledger.find(item) == nil ? 0 : 1)
        }
    }

    @Test("A start with a clock 100 days ahead removes nothing, and neither does the next one with the right clock.")
    func clockAhead() async throws {
        let clock = SetClock()
        var database = try open(folder, clock: clock)
        try fill(database)
        try await database.removeExpired(ran: nil)
        let all = try kept(database)
        for jump in [100.0, -100, 1000, -1000] {
            database.close()
            clock.advance(jump * day + 2)
            database = try open(folder, clock: clock)
            try await database.removeExpired(ran: nil)
            try await database.removeExpired(ran: .seconds(3600))
            #expect(try kept(database) == all)
        }
        database.close()
    }

    @Test("Receipts are kept for 400 days, other records for 90.")
    func ages() async throws {
        let clock = SetClock()
        let database = try open(folder, clock: clock)
        try fill(database)
        try await database.removeExpired(ran: nil)
        func run(days: Double) async throws -> Kept {
            clock.advance(days * day)
            try await database.removeExpired(ran: .seconds(days * day))
            return try kept(database)
        }
        let all = try kept(database)
        #expect(try await run(days: 89) == all)
        // The newest entry of the journal is always kept.
        #expect(try await run(days: 2) == Kept(entries: 1, parcels: 1, items: 0, ledger: 1))
        #expect(try await run(days: 308) == Kept(entries: 1, parcels: 1, items: 0, ledger: 1))
        #expect(try await run(days: 2) == Kept(entries: 1))
    }

    @Test("A device that starts in 1970 keeps its ledger when the clock is right, and forgets it after 400 days.")
    func clockOf1970() async throws {
        let clock = SetClock(1000)
        var database = try open(folder, clock: clock)
        try fill(database)
        try await database.removeExpired(ran: nil)
        let all = try kept(database)
        database.close()
        clock.now = Date(timeIntervalSince1970: 1_800_000_000)
        database = try open(folder, clock: clock)
        try await database.removeExpired(ran: nil)
        #expect(try kept(database) == all)
        clock.advance(300 * day)
        try await database.removeExpired(ran: .seconds(300 * day))
        #expect(try kept(database) == Kept(entries: 1, parcels: 1, items: 0, ledger: 1))
        // Records of the right time are kept as long when the jump counts.
        let late = DeliveredItem(peer: key(2), parcel: id(2), item: 0)
        try database.writeBlocking { _ = try $0.ledger.insert(late, file) }
        clock.advance(102 * day)
        try await database.removeExpired(ran: .seconds(102 * day))
        #expect(try kept(database).ledger == 0)
        let found = try database.writeBlocking { try $0.ledger.find(late) }
        #expect(found != nil)
        database.close()
    }

    @Test("A machine that is off for long removes expired items when as much time has passed behind that.")
    func machineThatWasOff() async throws {
        let clock = SetClock()
        let database = try open(folder, clock: clock)
        try await database.removeExpired(ran: nil)
        clock.advance(200 * day)
        try fill(database)
        try await database.removeExpired(ran: nil)
        let all = try kept(database)
        clock.advance(91 * day)
        try await database.removeExpired(ran: .seconds(91 * day))
        #expect(try kept(database) == all)
        clock.advance(311 * day)
        try await database.removeExpired(ran: .seconds(311 * day))
        #expect(try kept(database) == Kept(entries: 1))
        database.close()
    }
}
