import PortolanConcurrency
import PortolanTrust
import Synchronization

/// Keeps a hidden device findable by its teams, and advertises it anew from time to time, so that nobody can follow it.
///
/// The new records are on the air before the old ones go: there is no moment at which a member could not find the device.
package final class HiddenPresence: Sendable {
    /// When it is advertised anew.
    package struct Timing: Sendable {
        /// How long records stay, about.
        package var interval: Duration
        /// By how much of `interval` that is longer or shorter, by chance: the moment shall not tell devices apart.
        package var spread: Double
        /// How long the old records stay beside the new ones, for those that are just connecting; bounds, too, how often
        /// anything changes (RFC 6762 §8.4 asks for less than ten times a minute).
        package var overlap: Duration
        /// How long the network may take to accept new records before they count as accepted.
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
        /// Somebody has asked for new records since the last were made.
        var isDue = false
        var bell: OneShot<Void, Never>?
    }

    private let port: UInt16
    private let timing: Timing
    private let seals: @Sendable () -> [PresenceSeal]
    private let state = Mutex(State())

    /// - Parameter seals: makes the seals for new records, with the secrets as they are at that moment. It is called before
    ///   they are on the air: from then on handshakes that name their nonce are to be answered, beside that of the seals
    ///   before. None takes the device off the network until ``renew()``.
    package init(port: UInt16, timing: Timing = Timing(), seals: @escaping @Sendable () -> [PresenceSeal]) {
        self.port = port
        self.timing = timing
        self.seals = seals
    }

    /// Asks for new records now: the secrets have changed, or somebody wishes it.
    package func renew() {
        let bell = state.withLock { state in
            state.isDue = true
            return state.bell
        }
        bell?.settle()
    }

    /// Advertises until the task is cancelled, and then withdraws everything.
    ///
    /// - Throws: when the first records cannot be advertised, or discovery is shut down. Later failures leave the old records
    ///   in place until the next attempt.
    package func run(on discovery: any Discovery) async throws(DiscoveryError) {
        var shown = try await advertise(makeSeals(), on: discovery)
        while await isDue() {
            // Made once for all attempts: while the old records stay, their nonce has to be the one before these.
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

    /// Returns when the new records are on the air.
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

    /// Waits for the next time, or for ``renew()``; false if the task was cancelled instead.
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
