import Portolan
import Synchronization

/// Lets one of many progress reports through, so that programs which read them are not flooded.
final class Throttle: Sendable {
    private struct State {
        var last: [TransferID: ContinuousClock.Instant] = [:]
    }

    private let interval: Duration
    private let state = Mutex(State())

    init(_ interval: Duration) { self.interval = interval }

    func allows(_ transfer: TransferID, now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if let before = state.last[transfer], now - before < interval { return false }
            state.last[transfer] = now
            return true
        }
    }

    /// Removes the entry of a transfer that has ended.
    func forget(_ transfer: TransferID) {
        state.withLock { state in
            if !state.last.isEmpty { state.last[transfer] = nil }
        }
    }
}
