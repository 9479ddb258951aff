import PortolanTrust

/// A length of time as people write it: `90s`, `10m`, `1h`.
enum DurationArgument {
    static let shortest = Duration.seconds(10)
    static let longest = Duration.seconds(86400)

    /// - Throws: `ArgumentFailure` that says what would have been understood.
    static func parse(_ text: String) throws(ArgumentFailure) -> Duration {
        // Five digits are more than the longest time has in the smallest unit.
        guard let match = text.wholeMatch(of: /([0-9]{1,5})([smh])/), let count = Int64(match.1) else {
            throw ArgumentFailure(
                "“\(DisplayText(text, limit: 40))” is no length of time; write 90s, 10m or 1h, \(bounds).")
        }
        let unit: Int64 = match.2 == "s" ? 1 : match.2 == "m" ? 60 : 3600
        let duration = Duration.seconds(count * unit)
        guard (shortest...longest).contains(duration) else {
            throw ArgumentFailure("\(text) is too \(duration < shortest ? "short" : "long"); a time is \(bounds).")
        }
        return duration
    }

    private static let bounds = "from 10s to 24h"
}

extension Duration {
    /// Whole seconds, for programs.
    var wholeSeconds: Int64 { components.seconds }

    /// As ``DurationArgument`` reads it, in the largest unit that leaves no rest.
    var asArgument: String {
        let seconds = components.seconds
        if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        return seconds > 0 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
