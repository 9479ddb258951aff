import PortolanProtocol

/// Number of lanes of a transfer, chosen by measuring: pure, fed with times and numbers of bytes.
///
/// The choice begins with one lane, and adds one while that raises the total rate by more than a twentieth. The first
/// lane without such a gain is left idle, and tried again later, since the network's speed changes. A transfer that is
/// too small for a measurement keeps one lane.
///
/// Lanes with a low rate wait for the network, for example if packets are lost: then their number is doubled, even
/// beyond the number of processors. Faster lanes would only compete for the processors.
package struct LaneChoice: Sendable {
    /// A transfer with fewer bytes, in total or remaining, is not worth another connection.
    package static let worthwhile: UInt64 = 16 << 20

    /// Length of a measurement.
    static let window = Duration.milliseconds(150)
    /// Time before a measurement: for connecting, and for the network to reach its speed.
    static let settling = Duration.milliseconds(50)
    /// Time before a measurement of slow lanes: several have to connect.
    static let slowSettling = Duration.milliseconds(200)
    /// Relative gain of the total rate that an added lane must bring.
    private static let gain = 0.05
    /// Rate of a slow lane, which waits for the network, in bytes a second: a fraction of the rate at which any
    /// processor seals.
    static let slow = 16e6
    private static let shortestPause = Duration.seconds(2)
    private static let longestPause = Duration.seconds(32)

    /// Number of lanes with work. Further lanes are idle.
    package private(set) var lanes = 1

    private let most: Int
    private let processors: Int
    private let worthwhile: UInt64
    private let size: UInt64?
    private var phase: Phase
    /// Rate in bytes a second, and number of lanes, before the present attempt.
    private var before: (rate: Double, lanes: Int)?
    private var pause = LaneChoice.shortestPause

    private enum Phase {
        case settling(until: ContinuousClock.Instant)
        case measuring(since: ContinuousClock.Instant, bytes: UInt64)
        /// A further lane did not help.
        case pausing(until: ContinuousClock.Instant)
        /// The number of lanes is final.
        case settled
    }

    /// - Parameters:
    ///   - allowed: the most that the receiver's answer allows.
    ///   - processors: number of busy lanes that this machine can serve.
    ///   - size: number of bytes to send; nil if it is unknown.
    ///   - worthwhile: number of bytes that are worth another connection.
    ///   - start: when the first lane begins to send.
    package init(
        allowed: Int, processors: Int, size: UInt64?, worthwhile: UInt64 = LaneChoice.worthwhile,
        start: ContinuousClock.Instant
    ) {
        self.worthwhile = worthwhile
        self.processors = processors
        most = max(1, min(allowed, Limits.lanes))
        self.size = size
        phase = most > 1 && (size ?? .max) >= worthwhile ? .settling(until: start + Self.settling) : .settled
    }

    /// Updates the choice with the progress, preferably every 50 ms.
    ///
    /// - Parameter bytes: number of bytes sent on all lanes since the start.
    /// - Returns: the number of lanes that now have work, equal to `lanes`.
    @discardableResult
    package mutating func sent(_ bytes: UInt64, at now: ContinuousClock.Instant) -> Int {
        switch phase {
        case .settling(let end):
            // Before the first lane has sent anything it may not even be connected.
            if now >= end, bytes > 0 { phase = .measuring(since: now, bytes: bytes) }
        case .measuring(let start, let before):
            let time = now - start
            // If the size is unknown, the choice is judged by the bytes so far.
            guard time >= Self.window, size != nil || bytes >= worthwhile else { break }
            judge(Double(bytes - min(before, bytes)) / (time / .seconds(1)), bytes, now)
        case .pausing(let end):
            if now >= end {
                before = nil
                phase = .measuring(since: now, bytes: bytes)
            }
        case .settled: break
        }
        return lanes
    }

    private mutating func judge(_ rate: Double, _ bytes: UInt64, _ now: ContinuousClock.Instant) {
        if let before, rate <= before.rate * (1 + Self.gain * Double(lanes - before.lanes)) {
            lanes = before.lanes
            phase = .pausing(until: now + pause)
            pause = min(pause * 2, Self.longestPause)
        } else if next(at: rate) == lanes {
            phase = .settled
        } else if let size, size - min(size, bytes) < worthwhile {
            phase = .settled
        } else {
            let settling = isSlow(rate, lanes) ? Self.slowSettling : Self.settling
            before = (rate, lanes)
            lanes = next(at: rate)
            phase = .settling(until: now + settling)
        }
    }

    /// Returns the number of lanes to try next, after the current ones reached this total rate.
    private func next(at rate: Double) -> Int {
        if isSlow(rate, lanes) { return min(lanes * 2, most) }
        return min(lanes < processors ? lanes + 1 : lanes, most)
    }

    private func isSlow(_ rate: Double, _ lanes: Int) -> Bool { rate < Self.slow * Double(lanes) }
}
