/// Detector of packet losses that are independent of the load of the path: pure, fed with times and numbers.
///
/// CUBIC takes each lost packet for a sign that a queue is full, and carries little on a path that loses one of a
/// hundred. A fast path with losses, such as one within a room, needs no change.
struct RandomLossDetector: Sendable {
    /// Time between two looks.
    static let interval = Duration.milliseconds(200)
    /// Fewest packets for a measurement.
    static let fewest: UInt32 = 200
    /// Share of lost packets above which the path counts as lossy.
    static let share = 0.005
    /// Packets in a second that a quick path carries: some 16 MB.
    static let quick = 11_000.0

    private struct Look {
        let time: ContinuousClock.Instant
        let sent: UInt32
        let again: UInt32
    }

    private var last: Look?

    /// Returns true if a look is due.
    func isDue(at now: ContinuousClock.Instant) -> Bool { last.map { now - $0.time >= Self.interval } ?? true }

    /// Adds a measurement.
    ///
    /// - Parameters:
    ///   - sent: packets with data that were sent since the beginning, including retransmissions. May overflow.
    ///   - again: retransmitted packets since the beginning.
    /// - Returns: true if the path loses packets and is slow because of that.
    mutating func loses(sent: UInt32, again: UInt32, at now: ContinuousClock.Instant) -> Bool {
        guard let last else {
            self.last = Look(time: now, sent: sent, again: again)
            return false
        }
        let (count, lost) = (sent &- last.sent, again &- last.again)
        guard isDue(at: now), count >= Self.fewest else { return false }
        self.last = Look(time: now, sent: sent, again: again)
        let rate = Double(count) / ((now - last.time) / .seconds(1))
        return rate < Self.quick && Double(lost) >= Double(count) * Self.share
    }
}
