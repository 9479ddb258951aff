import Foundation
import GRDB
import Glibc
import Testing

@testable import PortolanAgent
@testable import PortolanOutbox

/// The files are copied at the moment of the kill, which leaves what a killed process leaves.
@Suite("State after a kill")
struct KillTests {
    let folder = TemporaryFolder()

    /// Every row of every table.
    private func rows(_ folder: TemporaryFolder) throws -> [String] {
        let queue = try DatabaseQueue(path: folder.database)
        defer { try? queue.close() }
        return try queue.read { database in
            try ["entry", "journal", "parcel", "settlement", "ledger", "inbox", "shared"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    private static let steps: [@Sendable (AgentTransaction) throws -> Void] = [
        { try $0.outbox.add(parcel(1)) },
        { try $0.outbox.add(parcel(2)) },
        { try $0.outbox.beginAttempt(id(1)) },
        { try $0.outbox.settle(id(1), StoredSettlement(member: key(1), item: 0, outcome: .stored)) },
        { try $0.outbox.endAttempt(id(1), .delivered) },
        { try $0.outbox.cancel(id(2)) },
        { try $0.outbox.retry(id(2)) },
        { change throws in
            try change.ledger.insert(DeliveredItem(peer: key(1), parcel: id(9), item: 0), file)
            _ = try change.inbox.store(item(0, of: key(1), parcel: id(9)), file)
        },
        { _ = try $0.inbox.wait(item(1), offer: offer) },
        { try $0.inbox.accept(2) },
        { try $0.shared.add(SharedItemRecord(id: id(3), title: "a", path: "/a", restriction: "all", expires: nil)) },
        { try $0.shared.remove(id(3)) },
        { _ = try $0.journal.trim(JournalRetention(size: 0), batch: 5) },
    ]

    @Test("A kill before the commit leaves nothing of a step, one after it leaves the change and its entry.")
    func aroundTheCommit() throws {
        let database = try open(folder)
        for (number, step) in Self.steps.enumerated() {
            let before = try rows(folder.killed())
            var midway: TemporaryFolder?
            try database.writeBlocking { change throws in
                try step(change)
                midway = try folder.killed()
            }
            #expect(try rows(#require(midway)) == before, "step \(number)")
            let after = try rows(folder.killed())
            #expect(after != before, "step \(number)")
        }
    }

    @Test("A log that was cut anywhere gives the state after one of the steps.")
    func cutLog() throws {
        let database = try open(folder)
        func logSize() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.size] as? Int)
        }
        let start = try logSize()
        var states = [try rows(folder.killed())]
        for step in Self.steps {
            try database.writeBlocking(step)
            states.append(try rows(folder.killed()))
        }
        let killed = try folder.killed()
        let end = try logSize()
        var reached = 0
        // Cuts fall on the boundaries of frames (a page and 24 bytes) and between them.
        for cut in stride(from: start, through: end, by: (4096 + 24) / 2) {
            let copy = TemporaryFolder()
            try FileManager.default.copyItem(atPath: killed.database, toPath: copy.database)
            try FileManager.default.copyItem(atPath: killed.database + "-wal", toPath: copy.database + "-wal")
            #expect(truncate(copy.database + "-wal", off_t(cut)) == 0)
            let state = try #require(states.firstIndex(of: try rows(copy)), "cut at \(cut)")
            #expect(state >= reached)
            reached = state
            #expect(try open(copy).damaged == nil)
        }
        #expect(reached == states.count - 1)
    }
}
