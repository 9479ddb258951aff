import Foundation
import PortolanClient
import Testing

@testable import PortolanAgent

@Suite("A wall clock that jumps while an agent runs", .serialized)
struct ClockTests {
    private static let year: TimeInterval = 365 * day

    @Test(
        "A year back loses, forgets and expires nothing, and cursors go on; a year forward expires items and parcels.")
    func clockThatJumpsAYear() async throws {
        let clock = SetClock(Date().timeIntervalSince1970)
        let start = clock.now
        let tested = try await AgentUnderTest(clock: clock)
        let service = AgentOperations(agent: tested.agent)
        let database = tested.agent.database
        func queue(_ text: String, expires: TimeInterval) async throws -> AgentAPI.ID {
            try await service.queue(
                AgentAPI.NewParcel(target: "nobody", text: text, expires: clock.now + expires)
            ).id
        }
        func state(_ id: AgentAPI.ID) async throws -> AgentAPI.Parcel.State { try await service.parcel(id).state }

        let first = try await queue("one", expires: day)
        let before = try await database.read { try $0.journal.range() }
        clock.advance(-Self.year)
        let second = try await queue("two", expires: day)
        _ = try await database.write { change in try change.outbox.expire() }
        try await database.trimJournal()
        #expect(try await state(first) == .waiting)
        #expect(try await state(second) == .waiting)
        // In the order of their arrival, independent of the clock.
        #expect(try await service.outbox(AgentAPI.Query()).parcels.map(\.id) == [first, second])
        let entries = try await database.read { try $0.journal.entries(after: before.newest, limit: .max) }
        #expect(entries.map(\.cursor) == Array(before.newest + 1...before.newest + Int64(entries.count)))
        #expect(entries.contains { $0.kind == .outboxQueued && $0.at < start })
        #expect(try await database.read { try $0.journal.range().oldest } == before.oldest)

        clock.advance(2 * day)
        _ = try await database.write { change in try change.outbox.expire() }
        #expect(try await state(first) == .waiting)
        #expect(try await state(second) == .expired)
        clock.advance(Self.year)
        _ = try await database.write { change in try change.outbox.expire() }
        #expect(try await state(first) == .expired)
        // A parcel that is over already is not taken.
        await #expect(throws: AgentAPI.Problem.self) { try await queue("three", expires: -1) }
        try await tested.stop()
    }
}
