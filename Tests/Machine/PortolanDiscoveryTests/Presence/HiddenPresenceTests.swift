import PortolanCrypto
import PortolanDiscovery
import PortolanValues
import Synchronization
import Testing

/// A network that accepts all advertisements, or rejects them, and records them.
private final class ScriptedDiscovery: Discovery {
    struct State {
        var shown: [Advertisement] = []
        var history: [Advertisement] = []
        /// Number of published advertisements after each change.
        var counts: [Int] = []
        var failures: [DiscoveryError] = []
        var refusesFromCount = Int.max
    }

    let backend = DiscoveryBackend.avahi
    let state = Mutex(State())

    func browse() -> AsyncStream<DiscoveryEvent> { AsyncStream { $0.finish() } }

    func seek(_ instance: String) -> AsyncStream<DiscoveryEvent> { browse() }

    func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle {
        let failure = state.withLock { state -> DiscoveryError? in
            if !state.failures.isEmpty { return state.failures.removeFirst() }
            if state.history.count >= state.refusesFromCount { return .publishingFailed(reason: "full") }
            state.shown.append(advertisement)
            state.history.append(advertisement)
            state.counts.append(state.shown.count)
            return nil
        }
        if let failure { throw failure }
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        stream.yield(advertisement.name)
        return AdvertisementHandle(names: names) { [self] in
            state.withLock { state in
                state.shown.removeAll { $0.name == advertisement.name }
                state.counts.append(state.shown.count)
            }
        }
    }

    func shutdown() async {}

    /// Waits until `condition` holds; false if it does not in time.
    func waitUntil(_ condition: (State) -> Bool) async -> Bool {
        let deadline = ContinuousClock.Instant.now + .seconds(300)
        while ContinuousClock.Instant.now < deadline {
            if condition(state.withLock { $0 }) { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return false
    }
}

struct HiddenPresenceTests {
    private let quick = HiddenPresence.Intervals(interval: .milliseconds(20), overlap: .milliseconds(5))
    private let slow = HiddenPresence.Intervals(interval: .seconds(3600), overlap: .milliseconds(5))

    @Test func renewedRecordsShareNothingAndOverlapTheOldOnes() async throws {
        let network = ScriptedDiscovery()
        let presence = HiddenPresence(port: 47217, timing: quick) { [seal(1, for: 1)] }
        let task = Task { try await presence.run(on: network) }
        #expect(await network.waitUntil { $0.history.count >= 5 })
        task.cancel()
        try await task.value
        let (history, counts, shown) = network.state.withLock { ($0.history, $0.counts, $0.shown) }
        #expect(shown.isEmpty)
        #expect(counts.dropLast().allSatisfy { (1...2).contains($0) } && counts.last == 0, "\(counts)")
        let values = history.flatMap { advertisement in
            [Array(advertisement.name.utf8), Array((advertisement.host ?? "").utf8)]
                + advertisement.txt.filter { ["n", "t"].contains($0.key) }.map(\.value)
        }
        #expect(Set(values).count == history.count * 4)
        #expect(history.allSatisfy { $0.port == 47217 })
    }

    @Test func renewalOnRequestIsImmediate() async throws {
        let network = ScriptedDiscovery()
        let presence = HiddenPresence(port: 47217, timing: slow) { [seal(1, for: 1)] }
        let task = Task { try await presence.run(on: network) }
        for round in 1...4 {
            #expect(await network.waitUntil { $0.history.count == round && $0.shown.count == 1 })
            presence.renew()
        }
        #expect(await network.waitUntil { $0.history.count == 5 })
        task.cancel()
        try await task.value
    }

    @Test func numberOfRecordsFollowsTheNumberOfTeams() async throws {
        let network = ScriptedDiscovery()
        let count = Mutex(3)
        let presence = HiddenPresence(port: 47217, timing: slow) {
            (0..<count.withLock(\.self)).map { _ in seal(1, for: 1) }
        }
        let task = Task { try await presence.run(on: network) }
        #expect(await network.waitUntil { $0.shown.count == 3 })
        count.withLock { $0 = 0 }
        presence.renew()
        #expect(await network.waitUntil { $0.shown.isEmpty })
        count.withLock { $0 = 1 }
        presence.renew()
        #expect(await network.waitUntil { $0.shown.count == 1 })
        task.cancel()
        try await task.value
    }

    @Test func firstFailureIsThrownAndLaterOnesKeepTheOldRecords() async throws {
        let network = ScriptedDiscovery()
        network.state.withLock { $0.failures = [.publishingFailed(reason: "no")] }
        let presence = HiddenPresence(port: 47217, timing: quick) { [seal(1, for: 1)] }
        await #expect(throws: DiscoveryError.publishingFailed(reason: "no")) { try await presence.run(on: network) }

        let task = Task { try await presence.run(on: network) }
        #expect(await network.waitUntil { $0.history.count == 1 })
        network.state.withLock { $0.failures = Array(repeating: .publishingFailed(reason: "no"), count: 3) }
        #expect(await network.waitUntil { $0.failures.isEmpty && $0.history.count >= 3 })
        #expect(network.state.withLock { $0.counts.allSatisfy { $0 > 0 } })

        network.state.withLock { $0.failures = [.shutDown] }
        await #expect(throws: DiscoveryError.shutDown) { try await task.value }
    }

    @Test func partialFailureWithdrawsThePublishedHalf() async throws {
        let network = ScriptedDiscovery()
        let presence = HiddenPresence(port: 47217, timing: quick) {
            // After the first of two has gone out, the network refuses.
            network.state.withLock { $0.refusesFromCount = $0.history.count + 1 }
            return [seal(1, for: 1), seal(1, for: 1)]
        }
        await #expect(throws: DiscoveryError.publishingFailed(reason: "full")) { try await presence.run(on: network) }
        #expect(network.state.withLock { $0.history.count == 1 && $0.shown.isEmpty })
    }
}
