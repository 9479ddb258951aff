import Glibc
import PortolanCompression
import Synchronization

/// Limits the total rate of all lanes of one side.
///
/// A task is suspended and holds no thread. Only the thread of a lane may be blocked, since it serves one peer. The
/// limit applies to one session or one sending; no two peers share one.
package final class Pacer: Sendable {
    /// The longest sleep of a thread, in seconds, so that a stopped thread ends soon.
    private static let nap = 0.1

    private let limit: Mutex<RateLimit>

    /// - Parameter bytesPerSecond: 1 or more.
    package init(bytesPerSecond: UInt64) {
        limit = Mutex(RateLimit(bytesPerSecond: bytesPerSecond))
    }

    /// Suspends the task until `count` bytes are allowed.
    ///
    /// - Parameter check: throws when the bytes are not needed any more.
    /// - Throws: the error of `check`; `CancellationError`.
    func suspend(for count: Int, check: () throws -> Void = {}) async throws {
        var rest = count
        while rest > 0 {
            try check()
            let turn = next(rest)
            if turn.wait > 0 { try await Task.sleep(for: .seconds(turn.wait)) }
            rest -= turn.count
        }
    }

    /// Blocks the thread until `count` bytes are allowed. Only for the thread of a lane, never for a shared one.
    ///
    /// - Parameter check: throws when the bytes are not needed any more.
    func blockLane(for count: Int, check: () throws -> Void) throws {
        var rest = count
        while rest > 0 {
            try check()
            let turn = next(rest)
            var wait = turn.wait
            while wait > 0 {
                usleep(UInt32(min(wait, Self.nap) * 1_000_000))
                try check()
                wait -= Self.nap
            }
            rest -= turn.count
        }
    }

    private func next(_ count: Int) -> RateLimit.Turn {
        limit.withLock { $0.next(count, now: secondsOfMonotonicClock()) }
    }
}
