import PortolanConcurrency
import PortolanTrust
import Synchronization

/// Keeps a hidden device visible to its teams, and renews its advertisement at intervals, so that it cannot be tracked.
///
/// New records are published before the old ones are withdrawn, so that members can always find the device.
package final class HiddenPresence: Sendable {
    /// Intervals of the advertisement.
    package struct Intervals: Sendable {
        /// Mean lifetime of records.
        package var interval: Duration
        /// Random variation of `interval`, as a fraction: equal moments would link records of one device.
        package var spread: Double
        /// Time for which the old records stay beside the new ones, for peers that are just connecting; it also limits
        /// the rate of changes (RFC 6762 §8.4 asks for less than ten a minute).
        package var overlap: Duration
        /// Longest wait for the network to accept new records.
        package var patience: Duration

        package init(
            interval: Duration = .seconds(600), spread: Double = 0.2, overlap: Duration = .seconds(10),
            patience: Duration = .seconds(5)
        ) {
            self.interval = interval
            self.spread = spread
            self.overlap = overlap
            self.patience = patience
        }

        fileprivate var nextInterval: Duration { interval * Double.random(in: (1 - spread)...(1 + spread)) }
    }

    private struct State {
        /// True if new records were requested since the last were made.
        var isDue = false
        var bell: OneShot<Void, Never>?
    }

    private let port: UInt16
    private let timing: Intervals
    private let seals: @Sendable () -> [PresenceSeal]
    private let state = Mutex(State())

    /// - Parameter seals: makes the seals for new records from the present secrets. Called before they are published:
    ///   from then on handshakes with their nonce must be answered, beside those with the nonce before. An empty result
    ///   withdraws the device until ``renew()``.
    package init(port: UInt16, timing: Intervals = Intervals(), seals: @escaping @Sendable () -> [PresenceSeal]) {
        self.port = port
        self.timing = timing
        self.seals = seals
    }

    /// Requests new records now, for example after a change of secrets.
    package func renew() {
        let bell = state.withLock { state in
            state.isDue = true
            return state.bell
        }
        bell?.settle()
    }

    /// Advertises until the task is cancelled, and then withdraws all records.
    ///
    /// - Throws: ``DiscoveryError`` if the first records cannot be advertised, or discovery is shut down. Later
    ///   failures leave the old records in place until the next attempt.
    package func run(on discovery: any Discovery) async throws(DiscoveryError) {
        var shown = try await advertise(makeSeals(), on: discovery)
        while await isDue() {
            // The seals are made once for all attempts: while the old records stay, their nonce must be the one before
            // these.
            let seals = makeSeals()
            while !Task.isCancelled {
                do {
                    let fresh = try await advertise(seals, on: discovery)
                    if !fresh.isEmpty, !shown.isEmpty { try? await Task.sleep(for: timing.overlap) }
                    await Self.withdraw(shown)
                    shown = fresh
                    break
                } catch .shutDown {
                    throw .shutDown
                } catch {
                    try? await Task.sleep(for: timing.overlap)
                }
            }
        }
        await Self.withdraw(shown)
    }

    private func makeSeals() -> [PresenceSeal] {
        state.withLock { $0.isDue = false }
        return seals()
    }

    /// Returns when the new records are published.
    private func advertise(
        _ seals: [PresenceSeal], on discovery: any Discovery
    ) async throws(DiscoveryError) -> [AdvertisementHandle] {
        var handles: [AdvertisementHandle] = []
        do {
            for seal in seals {
                handles.append(try await discovery.advertise(.hidden(seal, port: port)))
            }
        } catch {
            await Self.withdraw(handles)
            throw error
        }
        for handle in handles { await awaitAcceptance(of: handle) }
        return handles
    }

    private func awaitAcceptance(of handle: AdvertisementHandle) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in handle.names { return } }
            group.addTask { [timing] in try? await Task.sleep(for: timing.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    private static func withdraw(_ handles: [AdvertisementHandle]) async {
        for handle in handles { await handle.withdraw() }
    }

    /// Waits for the next renewal, or for ``renew()``; returns false if the task was cancelled instead.
    private func isDue() async -> Bool {
        let bell = OneShot<Void, Never>()
        let isDue = state.withLock { state in
            state.bell = bell
            return state.isDue
        }
        guard !isDue else { return !Task.isCancelled }
        let timer = Task { [duration = timing.nextInterval] in
            try await Task.sleep(for: duration)
            bell.settle()
        }
        await bell.value(ifCancelled: .success(()))
        timer.cancel()
        return !Task.isCancelled
    }
}
