import PortolanValues

/// Expected number of bytes.
enum ProgressTotal: Hashable, Sendable {
    case unknown
    /// At least this number: the bytes are still being counted.
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

/// Line with a transfer's progress, rate and remaining time. It does no output: takes bytes and the time, returns a
/// line, at most ten a second.
struct ProgressBar {
    /// Shortest time between two lines, since a terminal shows no more and a slow one must not be flooded.
    static let redrawInterval = Duration.milliseconds(100)
    /// Window of the rate; a longer one is used if nothing was transferred within it.
    private static let rateWindow = Duration.seconds(3)
    /// A transfer has stalled that has not moved for so long: one with a low limit of its rate moves every few seconds.
    private static let stall = Duration.seconds(10)

    private struct Sample {
        let time: ContinuousClock.Instant
        let transferred: UInt64
    }

    private let title: String
    /// Text in place of rate and remaining time after all bytes were transferred.
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
    ///   - title: safe to be shown.
    ///   - ending: text in place of rate and remaining time after all bytes were transferred, such as `being stored`.
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

    /// Returns the line to draw; nil if the last one is recent.
    ///
    /// - Parameters:
    ///   - bytes: finished bytes of the item.
    ///   - transferred: number of these bytes that were transferred; the rate is computed from it.
    mutating func update(
        bytes: UInt64, transferred: UInt64, width: Int, now: ContinuousClock.Instant
    ) -> String? {
        if bytes != self.bytes || transferred != samples.last?.transferred { moved = now }
        self.bytes = bytes
        if now - drawn < Self.redrawInterval { return nil }
        drawn = now
        samples.append(Sample(time: now, transferred: transferred))
        // A sample older than the window is kept, and the last one before a transfer, so that a rate can always be
        // computed.
        let hasStalled = now - moved >= Self.stall
        while samples.count > 2, now - samples[1].time > Self.rateWindow,
            hasStalled || samples[1].transferred < transferred
        {
            samples.removeFirst()
        }
        return line(width: width, now: now)
    }

    /// Returns the line when there is no new progress, so that a stalled transfer shows that.
    mutating func update(width: Int, now: ContinuousClock.Instant) -> String? {
        update(bytes: bytes, transferred: samples.last?.transferred ?? 0, width: width, now: now)
    }

    /// Returns duration and average rate of a finished transfer; nil if no bytes were transferred, since there is no
    /// rate then.
    ///
    /// - Parameter transferred: transferred bytes.
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
            // A sender that states a wrong size must not cause drawing beyond the end.
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
        // The last column stays free, because filling it makes some terminals wrap.
        let room = width - 1 - CellWidth.of(figures) - 2
        if room < 8 { return CellWidth.fitting(figures, into: max(0, width - 1)) }
        let barRoom = room - CellWidth.of(bar) >= 8 ? bar : ""
        return CellWidth.fitting(title, into: room - CellWidth.of(barRoom)) + barRoom + "  " + figures
    }
}
