import Glibc
import PortolanCompression
import Synchronization

/// Holds all lanes of a side together to a rate, by making their threads wait.
package final class Pacing: Sendable {
    /// The longest sleep, in seconds, so that whoever is stopped is not kept.
    private static let nap = 0.1

    private let limit: Mutex<RateLimit>

    /// - Parameter bytesPerSecond: 1 or more.
    package init(bytesPerSecond: UInt64) {
        limit = Mutex(RateLimit(bytesPerSecond: bytesPerSecond))
    }

    /// Blocks until `count` bytes may go.
    ///
    /// - Parameter check: throws when nobody wants them any more.
    func wait(for count: Int, check: () throws -> Void) throws {
        var rest = count
        while rest > 0 {
            try check()
            let turn = limit.withLock { $0.next(rest, now: secondsOfMonotonicClock()) }
            var wait = turn.wait
            while wait > 0 {
                usleep(UInt32(min(wait, Self.nap) * 1_000_000))
                try check()
                wait -= Self.nap
            }
            rest -= turn.count
        }
    }
}
