import Portolan

extension Human {
    /// `2026-03-09`, where this machine is.
    static func day(_ date: Date) -> String { String(local(date).prefix(10)) }

    /// `2026-03-09 14:05`, where this machine is.
    static func minute(_ date: Date) -> String { String(local(date).prefix(16)) }

    /// Formats a time difference roughly: `88 days`, `5 hours`, `less than an hour`.
    static func distance(_ seconds: Double) -> String {
        let hours = Int(min(abs(seconds), 1e12) / 3600)
        if hours >= 48 { return count(hours / 24, "day") }
        return hours == 0 ? "less than an hour" : count(hours, "hour")
    }

    private static func local(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
        return date.writable.formatted(style.year().month().day().time(includingFractionalSeconds: false))
    }
}
