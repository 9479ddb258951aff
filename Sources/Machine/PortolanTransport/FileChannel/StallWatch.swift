import Synchronization

/// Detector of a live peer that makes no progress with the sent or requested content.
///
/// Sans-I/O: samples and the time are arguments, one sample about every ``interval``.
struct StallWatch {
    /// Counts that change whenever something gets across.
    struct Sample: Hashable {
        /// Number of messages and records from the peer, without signs of life.
        var heard = 0
        /// Bytes sent and received.
        var bytes: UInt64 = 0
        /// Bytes that the kernel has taken and not sent yet.
        var queued = 0
    }

    static let interval = Duration.seconds(1)
    /// Bytes a second that any disk can take or give.
    private static let diskRate: UInt64 = 20_000_000

    private let patience: Duration
    private var last: Sample?
    private var looked: ContinuousClock.Instant
    /// Time without a change.
    private var idle = Duration.zero

    init(patience: Duration, now: ContinuousClock.Instant) {
        self.patience = patience
        looked = now
    }

    /// Returns the time that a peer may need without a message to make this many bytes durable, or to compare them with
    /// its own.
    static func storingTime(of bytes: UInt64) -> Duration { .seconds(Int64(clamping: bytes / diskRate)) }

    /// - Parameters:
    ///   - sample: nil while nothing is expected of the peer, because this side is at work or a person decides.
    ///   - extra: additional time for silent work of the peer.
    /// - Returns: true if the sample has not changed for too long.
    mutating func isStalled(
        at sample: Sample?, now: ContinuousClock.Instant, allowing extra: Duration = .zero
    ) -> Bool {
        defer { looked = now }
        guard let sample, sample == last else {
            last = sample
            idle = .zero
            return false
        }
        // A gap in which this process or machine was stopped is not counted against the peer.
        idle += min(looked.duration(to: now), Self.interval * 2)
        return idle >= patience + extra
    }
}

/// Calls of this side that may last, such as reading, storing and waiting for a rate: the peer is not waited for
/// meanwhile.
final class OwnCalls: Sendable {
    private let count = Atomic(0)

    /// True while an operation is under way.
    var isAny: Bool { count.load(ordering: .relaxed) > 0 }

    func begin() { count.wrappingAdd(1, ordering: .relaxed) }

    func end() { count.wrappingSubtract(1, ordering: .relaxed) }

    func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        begin()
        defer { end() }
        return try body()
    }
}
