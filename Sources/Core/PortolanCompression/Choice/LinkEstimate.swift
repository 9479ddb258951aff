/// Estimate of the link's time per byte, from the bytes that a lane writes and those that the kernel has not sent yet.
///
/// While the kernel has unsent bytes, the link is saturated, and its rate can be measured. Without unsent bytes the
/// link is at least as fast as the lane, by an unknown factor: the estimate then sinks, until bytes queue up again.
struct LinkEstimate: Sendable {
    /// Seconds per byte on the link; nil until it has been saturated for a while.
    private(set) var secondsPerByte: Double?

    /// Shortest interval for a measurement, in seconds.
    private static let shortest = 0.01

    /// Factor for the estimate after an interval without saturation: it sinks faster with each in a row.
    private static let sinking = 0.9
    private var left = 1.0

    private struct Interval {
        let begin: Double
        let queued: Int
        var bytes = 0
        var isBusy = true
    }
    private var interval: Interval?

    /// Reports that `count` bytes were written until `now`.
    ///
    /// - Parameter queued: bytes that the kernel has not sent yet.
    /// - Parameter waited: true if the lane had to wait for room.
    mutating func sent(_ count: Int, queued: Int, waited: Bool, now: Double) {
        guard var interval else {
            interval = Interval(begin: now, queued: queued)
            return
        }
        interval.bytes += count
        // The link was idle if all earlier bytes had been sent when these were written.
        if !waited, queued <= count { interval.isBusy = false }
        self.interval = interval
        let seconds = now - interval.begin
        let carried = interval.bytes + interval.queued - queued
        guard seconds >= Self.shortest, carried > 0 else { return }
        take(seconds / Double(carried), isExact: interval.isBusy)
        self.interval = Interval(begin: now, queued: queued)
    }

    /// - Parameter isExact: false if the link may be faster than measured.
    private mutating func take(_ measured: Double, isExact: Bool) {
        if isExact {
            left = 1
            // An old estimate that is far off is replaced.
            let known = secondsPerByte.flatMap { measured / 2...measured * 2 ~= $0 ? $0 : nil }
            secondsPerByte = ((known ?? measured) + measured) / 2
        } else if let known = secondsPerByte {
            left *= Self.sinking
            secondsPerByte = min(known, measured) * left
        }
    }
}
