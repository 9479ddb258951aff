import GRDB
import Portolan
import PortolanProtocol
import Synchronization
import TestSupport
import Testing

@testable import PortolanAgent

private struct UnexpectedOutcome: Error {
    let text: String
}

@Suite("Trouble while an agent runs", .serialized)
struct TroubleTests {
    @Test("a service manager is told that the state's disk is full, and when that is over; nothing is lost meanwhile")
    func fullDiskIsReportedToTheManager() async throws {
        let inbox = try NotifySocket(at: nil)
        let tested = try await AgentUnderTest(manager: ServiceManager(socket: inbox.name))
        let database = tested.agent.database
        // The agent listens, and has reported it.
        _ = try await tested.port()
        let before = try await database.read { try $0.journal.range().newest }
        try await database.write { change in
            let pages = try Int.fetchOne(change.database, sql: "PRAGMA page_count") ?? 0
            try change.database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        // More than the rest of a page.
        let large = String(repeating: "x", count: 64 << 10)
        await #expect(throws: AgentStateError.self) {
            try await tested.agent.health.writing {
                try await database.write { try $0.journal.append(.nodeWarning, values: ["message": .text(large)]) }
            }
        }
        // There is no room for the decision on an offer either, so that nothing is accepted.
        for _ in 0..<1000 {
            do {
                _ = try await database.write { change in
                    try change.journal.append(.nodeWarning, values: ["message": .text("full")])
                }
            } catch {
                break
            }
        }
        let declined = try await tested.send("hello")
        guard case .declined(let decline, _) = declined.first?.outcome else {
            throw UnexpectedOutcome(text: "\(declined)")
        }
        #expect(decline.reason == .notInTime && decline.detail.contains("cannot record offers"), "\(decline)")

        var told: [String] = []
        func wait(for text: String) async throws {
            while !told.contains(where: { $0.contains(text) }) {
                told += inbox.drain().flatMap(\.self)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        try await wait(for: "STATUS=The agent cannot write its state")
        #expect(tested.warnings.all.contains { $0.contains("no room") }, "\(tested.warnings.all)")

        told = []
        try await database.write { try $0.database.execute(sql: "PRAGMA max_page_count = 1073741823") }
        _ = try await tested.agent.health.writing {
            try await database.write { try $0.journal.append(.nodeWarning, values: ["message": .text(large)]) }
        }
        try await wait(for: "STATUS=\(tested.agent.runningStatus)")
        #expect(tested.agent.health.problem == nil)
        let after = try await database.read { try $0.journal.entries(after: before, limit: .max) }
        #expect(after.map(\.cursor) == Array(before + 1...(after.last?.cursor ?? before)))
        try await tested.stop()
    }

    @Test("each fault is reported once, and its end once, by a transaction that has changed something")
    func faultIsReportedOnce() async throws {
        let folder = TemporaryFolder()
        let (faults, telling) = AsyncStream.makeStream(of: String?.self)
        let changes = Mutex(0)
        let health = StateHealth(changes: { changes.withLock(\.self) }) { telling.yield($0) }
        let fault = AgentStateError(.full, path: folder.path)
        for _ in 0..<3 {
            await #expect(throws: fault) { try await health.writing { throw fault } }
        }
        // The transaction has nothing to write.
        try await health.writing {}
        #expect(health.problem == fault.description)
        for _ in 0..<3 { try await health.writing { changes.withLock { $0 += 1 } } }
        telling.finish()
        var told: [String?] = []
        for await fault in faults { told.append(fault) }
        #expect(told == [fault.description, nil])
    }
}
