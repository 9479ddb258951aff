import PortolanValues

/// Expected number of bytes.
enum ProgressTotal: Hashable, Sendable {
    case unknown
    /// At least so many: they are still being counted.
    case counting(UInt64)
    case known(UInt64)

    init(_ bytes: UInt64?) { self = bytes.map { .known($0) } ?? .unknown }

    init(found bytes: UInt64, isAll: Bool) { self = isAll ? .known(bytes) : .counting(bytes) }

    var bytes: UInt64? {
        switch self {
        case .unknown: nil
        case .counting(let bytes), .known(let bytes): bytes
        }
    }

    var isCounting: Bool { if case .counting = self { true } else { false } }
}

/// A line that says how far a transfer is, its rate and the time left. It draws nothing itself: bytes and the time in,
/// a line out, at most ten a second.
struct ProgressBar {
    /// A terminal shows no more than this anyway, and a slow one is not flooded.
    static let redrawInterval = Duration.milliseconds(100)
    /// Window of the rate; a longer one is used if nothing has moved within it.
    private static let rateWindow = Duration.seconds(3)
    /// A transfer has stalled that has not moved for so long: one with a low limit of its rate moves every few seconds.
    private static let stall = Duration.seconds(10)

    private struct Sample {
        let time: ContinuousClock.Instant
        let transferred: UInt64
    }

    private let title: String
    /// Text in place of rate and time left once all bytes have moved.
    private let ending: String
    /// Expected total, in bytes; grows while the sender walks the source.
    var total: ProgressTotal
    private let start: ContinuousClock.Instant
    private var bytes: UInt64 = 0
    private var samples: [Sample]
    private var drawn: ContinuousClock.Instant
    /// Time of the last change in the number of bytes.
    private var moved: ContinuousClock.Instant

    /// - Parameters:
    ///   - title: already fit to be shown.
    ///   - ending: text in place of rate and time left once all bytes have moved, such as `being stored`.
    init(title: String, ending: String, total: ProgressTotal, now: ContinuousClock.Instant) {
        self.title = title
        self.ending = ending
        self.total = total
        start = now
        // The first line is delayed, so that a short transfer draws no line that flashes.
        drawn = now
        moved = now
        samples = [Sample(time: now, transferred: 0)]
    }

    /// The line to draw, or `nil` while the last one is fresh.
    ///
    /// - Parameters:
    ///   - bytes: bytes of the item that are done.
    ///   - transferred: part of these bytes that crossed the network; the rate is made of it.
    mutating func update(
        bytes: UInt64, transferred: UInt64, width: Int, now: ContinuousClock.Instant
    ) -> String? {
        if bytes != self.bytes || transferred != samples.last?.transferred { moved = now }
        self.bytes = bytes
        if now - drawn < Self.redrawInterval { return nil }
        drawn = now
        samples.append(Sample(time: now, transferred: transferred))
        // A sample older than the window is kept, and the last one before bytes moved, so that a rate can always be
        // computed.
        let hasStalled = now - moved >= Self.stall
        while samples.count > 2, now - samples[1].time > Self.rateWindow,
            hasStalled || samples[1].transferred < transferred
        {
            samples.removeFirst()
        }
        return line(width: width, now: now)
    }

    /// The line at a moment at which nothing new is known: a transfer that has stalled shows that.
    mutating func update(width: Int, now: ContinuousClock.Instant) -> String? {
        update(bytes: bytes, transferred: samples.last?.transferred ?? 0, width: width, now: now)
    }

    /// Returns duration and average rate of a finished transfer; nil if no bytes crossed the network, since there is no
    /// rate then.
    ///
    /// - Parameter transferred: bytes that crossed the network.
    func summary(transferred: UInt64, now: ContinuousClock.Instant) -> String? {
        guard transferred > 0 else { return nil }
        let seconds = (now - start).inSeconds
        let rate = Human.rate(Double(transferred) / max(seconds, 0.001))
        return "\(Human.size(transferred)) in \(Human.duration(seconds)), \(rate)"
    }

    private var rate: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time,
            last.transferred > first.transferred
        else { return 0 }
        return Double(last.transferred - first.transferred) / (last.time - first.time).inSeconds
    }

    /// `2.50 MB/s`, or `stalled for 0:12`.
    private func pace(_ now: ContinuousClock.Instant) -> String {
        let still = now - moved
        return still >= Self.stall ? "stalled for \(Human.time(still.inSeconds))" : Human.rate(rate)
    }

    private func line(width: Int, now: ContinuousClock.Instant) -> String {
        let pace = pace(now)
        let figures: String
        var bar = ""
        switch total {
        case .known(let total) where total > 0:
            // A sender that lies about the size must not draw beyond the end.
            let share = min(1, Double(bytes) / Double(total))
            let left = rate > 0 ? Human.time(Double(total - min(bytes, total)) / rate) : "--:--"
            let percent = Int(share * 100)
            let rest = bytes >= total ? ending : "\(pace)  \(left) left"
            figures = "\(percent < 10 ? "  " : percent < 100 ? " " : "")\(percent)%  \(rest)"
            let filled = Int(share * 20)
            bar = "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled) + "]"
        case .counting(let total):
            figures = "\(Human.size(bytes)) of \(Human.size(total)) or more  \(pace)"
        case .known, .unknown:
            figures = "\(Human.size(bytes))  \(pace)"
        }
        // The last column stays free: filling it makes some terminals wrap.
        let room = width - 1 - CellWidth.of(figures) - 2
        if room < 8 { return CellWidth.fitting(figures, into: max(0, width - 1)) }
        let barRoom = room - CellWidth.of(bar) >= 8 ? bar : ""
        return CellWidth.fitting(title, into: room - CellWidth.of(barRoom)) + barRoom + "  " + figures
    }
}
