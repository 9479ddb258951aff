/// How long the link takes for a byte, measured by what a lane hands to the kernel and what of it has not gone out yet.
///
/// While the kernel has something left to send, the link carries what it can, and how much that is shows. When it runs out the link is at
/// least as fast as what it is given, and nobody knows how much faster: the estimate then sinks, until the kernel cannot keep up again.
struct LinkEstimate: Sendable {
    /// Seconds for a byte on the link; nil until it has been kept busy for a while.
    private(set) var secondsPerByte: Double?

    /// Seconds that are enough to measure by.
    private static let shortest = 0.01

    /// What is left of the estimate when the link was not kept busy: the more often in a row, the faster it sinks.
    private static let sinking = 0.9
    private var left = 1.0

    private struct Interval {
        let begin: Double
        let queued: Int
        var bytes = 0
        var isBusy = true
    }
    private var interval: Interval?

    /// `count` bytes were handed to the kernel until `now`.
    ///
    /// - Parameter queued: what the kernel has left to send.
    /// - Parameter waited: whether the lane had to wait before it could go on.
    mutating func sent(_ count: Int, queued: Int, waited: Bool, now: Double) {
        guard var interval else {
            interval = Interval(begin: now, queued: queued)
            return
        }
        interval.bytes += count
        // Was anything of what came before left when this was handed over?
        if !waited, queued <= count { interval.isBusy = false }
        self.interval = interval
        let seconds = now - interval.begin
        let carried = interval.bytes + interval.queued - queued
        guard seconds >= Self.shortest, carried > 0 else { return }
        take(seconds / Double(carried), isExact: interval.isBusy)
        self.interval = Interval(begin: now, queued: queued)
    }

    /// - Parameter isExact: else the link may be faster than that.
    private mutating func take(_ measured: Double, isExact: Bool) {
        if isExact {
            left = 1
            // What is far off is of another time.
            let known = secondsPerByte.flatMap { measured / 2...measured * 2 ~= $0 ? $0 : nil }
            secondsPerByte = ((known ?? measured) + measured) / 2
        } else if let known = secondsPerByte {
            left *= Self.sinking
            secondsPerByte = min(known, measured) * left
        }
    }
}
