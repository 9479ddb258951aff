import Synchronization

/// Memory that a peer makes this side hold before anything of its offer was accepted: unread large messages, rosters,
/// and the offer that is to be decided. In bytes.
///
/// The listener of an accepted session is told, and ends sessions when strangers together hold more than their limit.
final class HeldMemory: Sendable {
    /// Told how much more or less it is.
    ///
    /// - Returns: false if the session has to end.
    typealias Limit = @Sendable (_ difference: Int) -> Bool

    /// Smaller differences are not told: each session has some small messages, which its place stands for.
    private static let worthTelling = 4096

    private struct State {
        var bytes = 0
        var told = 0
        var limit: Limit?

        /// Takes the limit and the difference that it has not been told; nil as long as that is small.
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

    /// - Parameter limit: told from here on, and at once if there is anything.
    func limit(by limit: @escaping Limit) {
        let news = state.withLock { state in
            state.limit = limit
            return state.takeNews()
        }
        if let (limit, difference) = news { _ = limit(difference) }
    }

    /// - Returns: false if the session has to end because of it.
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
