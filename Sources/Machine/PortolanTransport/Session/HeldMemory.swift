import Synchronization

/// Memory that a peer makes this side hold before its offer is accepted: unread large messages, rosters, and the
/// undecided offer. In bytes.
///
/// Reported to the listener of an incoming session, which ends sessions when strangers together hold more than their
/// limit.
final class HeldMemory: Sendable {
    /// Called with the change.
    ///
    /// - Returns: false if the session must end.
    typealias Limit = @Sendable (_ difference: Int) -> Bool

    /// Smaller differences are not reported: each session has some small messages, which its place accounts for.
    private static let worthTelling = 4096

    private struct State {
        var bytes = 0
        var told = 0
        var limit: Limit?

        /// Returns the limit and the unreported difference; nil while that is small.
        mutating func takeNews() -> (Limit, Int)? {
            let difference = bytes - told
            guard let limit, abs(difference) >= worthTelling || (bytes == 0 && told > 0) else { return nil }
            told = bytes
            return (limit, difference)
        }
    }

    private let state = Mutex(State())

    deinit {
        // The rest is released with the session.
        let (limit, told) = state.withLock { ($0.limit, $0.told) }
        if let limit, told != 0 { _ = limit(-told) }
    }

    /// - Parameter limit: called from now on; at once if there is anything to report.
    func limit(by limit: @escaping Limit) {
        let news = state.withLock { state in
            state.limit = limit
            return state.takeNews()
        }
        if let (limit, difference) = news { _ = limit(difference) }
    }

    /// - Returns: false if the session must end because of it.
    @discardableResult
    func add(_ bytes: Int) -> Bool { change(by: bytes) }

    func remove(_ bytes: Int) { _ = change(by: -bytes) }

    private func change(by difference: Int) -> Bool {
        let news = state.withLock { state in
            state.bytes += difference
            return state.takeNews()
        }
        guard let (limit, difference) = news else { return true }
        return limit(difference)
    }
}
