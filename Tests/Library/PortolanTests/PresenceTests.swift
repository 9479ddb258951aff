import PortolanDiscovery
import Synchronization
import Testing

@testable import Portolan

/// Discovery that is shared by all concurrent operations of a node.
@Suite struct PresenceTests {
    /// A discovery that counts its calls.
    private final class Ledger: Sendable {
        private let counts = Mutex((starts: 0, shutdowns: 0))
        var starts: Int { counts.withLock(\.starts) }
        var shutdowns: Int { counts.withLock(\.shutdowns) }

        func started() -> any Discovery {
            counts.withLock { $0.starts += 1 }
            return Counted(ledger: self)
        }

        fileprivate func shutDown() { counts.withLock { $0.shutdowns += 1 } }
    }

    private struct Counted: Discovery {
        let ledger: Ledger
        var backend: DiscoveryBackend { .embedded }
        func browse() -> AsyncStream<DiscoveryEvent> { AsyncStream { $0.finish() } }
        func seek(_ instance: String) -> AsyncStream<DiscoveryEvent> { browse() }
        func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle {
            throw .shutDown
        }
        func shutdown() async { ledger.shutDown() }
    }

    private struct Refused: Error {}

    @Test func concurrentUsersShareTheResourceAndTheLastEndsIt() async throws {
        let ledger = Ledger()
        let presence = Presence { ledger.started() }
        try await presence.withDiscovery { _ in
            try await presence.withDiscovery { _ in }
            #expect(ledger.starts == 1 && ledger.shutdowns == 0)
        }
        #expect(ledger.starts == 1 && ledger.shutdowns == 1)
        try await presence.withDiscovery { _ in #expect(ledger.starts == 2) }
        #expect(ledger.shutdowns == 2)
    }

    @Test func concurrentUsersStartTheResourceOnce() async throws {
        let ledger = Ledger()
        let presence = Presence {
            await Task.yield()
            return ledger.started()
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<200 {
                tasks.addTask {
                    try await presence.withDiscovery { _ in
                        for _ in 0..<number % 7 { await Task.yield() }
                        #expect(ledger.starts == ledger.shutdowns + 1)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(ledger.starts == ledger.shutdowns)
    }

    @Test func failedStartFailsItsWaitersAndTheNextUserRetries() async throws {
        let ledger = Ledger()
        let isRefused = Mutex(true)
        let presence = Presence {
            await Task.yield()
            if isRefused.withLock(\.self) { throw Refused() }
            return ledger.started()
        }
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask {
                    await #expect(throws: Refused.self) {
                        try await presence.withDiscovery { _ in Issue.record("there is no discovery") }
                    }
                }
            }
        }
        isRefused.withLock { $0 = false }
        await #expect(throws: Refused.self) { try await presence.withDiscovery { _ in throw Refused() } }
        #expect(ledger.starts == 1 && ledger.shutdowns == 1)
    }
}
