import Foundation
import PortolanClient
import Testing

@testable import PortolanAgent

@Suite("The shelf in the agent's state")
struct SharedItemsTests {
    let folder = TemporaryFolder()
    let clock = SetClock()

    private func item(_ number: Int, expires: Date? = nil, bytes: Int = 2) -> SharedItemRecord {
        SharedItemRecord(
            id: id(number), title: "plan \(number)", path: "/plan", restriction: "team acme", expires: expires,
            document: [UInt8](repeating: 1, count: bytes))
    }

    @Test("A withdrawn item is gone, with its reason in the journal, and a missing one is not withdrawn again.")
    func withdrawn() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.shared.add(item(1))
            try change.shared.withdraw(id(1), because: "Something else has its place.")
            try change.shared.withdraw(id(1), because: "Again.")
            #expect(try change.shared.list().isEmpty)
        }
        #expect(try database.kinds() == ["shelf.added", "shelf.withdrawn"])
        let entry = try #require(try database.writeBlocking { try $0.journal.entries(after: nil).last })
        #expect(entry.transfer == id(1).description)
        #expect(entry.body.contains("Something else has its place.") && entry.body.contains("plan 1"))
    }

    @Test("A list tells how often each item was stored by others, and has none whose time is over.")
    func fetches() throws {
        let database = try open(folder, clock: clock)
        try database.writeBlocking { change throws in
            try change.shared.add(item(1))
            try change.shared.add(item(2, expires: clock.now + 60))
            for outcome in ["stored", "failed", "incomplete", "declined"] {
                try change.shared.fetched(id(1), title: "plan 1", by: key(3), named: "laptop", outcome: outcome)
            }
            try change.shared.fetched(id(9), title: "gone", by: key(3), named: "laptop", outcome: "stored")
            #expect(try change.shared.summaries().map(\.fetches) == [2, 0])
            #expect(try change.shared.summaries().map(\.created) == [clock.now, clock.now])
            #expect(try change.shared.identifiers() == [id(1), id(2)])
        }
        let fetched = try database.writeBlocking { try $0.journal.entries(after: nil, limit: .max) }
            .filter { $0.kind == .shelfFetched }
        #expect(fetched.count == 5 && fetched.allSatisfy { $0.peer == key(3) && $0.body.contains("laptop") })
        clock.advance(60)
        #expect(try database.writeBlocking { try $0.shared.summaries() }.map(\.id) == [AgentAPI.ID(id(1))])
    }

    @Test("The shelf takes no more bytes than may be in memory.")
    func full() throws {
        let database = try open(folder, clock: clock)
        let half = SharedItems.mostBytes / 2
        try database.writeBlocking { change throws in
            try change.shared.add(item(1, bytes: half))
            try change.shared.add(item(2, bytes: half))
            #expect(throws: StateRefusal.shelfIsFull) { try change.shared.add(item(3, bytes: 1)) }
            try change.shared.remove(id(1))
            try change.shared.add(item(3, bytes: 1))
        }
    }
}
