/// Limits a transfer to a number of bytes a second: a token bucket, pure, shared by all lanes of a transfer (each asks
/// under one lock).
///
/// Lanes get their turns in the order of their calls. The result is the time at which the lane may continue, and the
/// number of bytes, which are deducted at once. A late lane may catch up, but a burst is at most the bytes of 100 ms.
package struct RateLimit: Sendable {
    /// Turn: `count` bytes may go after `wait` seconds.
    package struct Turn: Hashable, Sendable {
        package let count: Int
        package let wait: Double
    }

    private let bytesPerSecond: Double

    /// Longest turn, in seconds; together with the time to catch up it is the longest burst.
    private static let turn = 0.02
    private static let madeUpFor = 0.08

    /// Time at which the next byte is due.
    private var due: Double?

    /// - Parameter bytesPerSecond: 1 or more.
    package init(bytesPerSecond: UInt64) {
        precondition(bytesPerSecond > 0)
        self.bytesPerSecond = Double(bytesPerSecond)
    }

    /// Returns a turn for some of `wanted` bytes (1 or more).
    ///
    /// - Parameter now: seconds since any fixed moment, by a clock that does not go back.
    package mutating func next(_ wanted: Int, now: Double) -> Turn {
        precondition(wanted > 0)
        let count = max(1, min(wanted, Int(min(bytesPerSecond * Self.turn, 0x1p53))))
        let start = max(due ?? now, now - Self.madeUpFor)
        due = start + Double(count) / bytesPerSecond
        return Turn(count: count, wait: max(0, start - now))
    }
}
