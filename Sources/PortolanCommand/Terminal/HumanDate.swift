import Foundation

extension Human {
    /// `2026-03-09`, where this machine is.
    static func day(_ date: Date) -> String { String(local(date).prefix(10)) }

    /// `2026-03-09 14:05`, where this machine is.
    static func minute(_ date: Date) -> String { String(local(date).prefix(16)) }

    /// How far off a moment is, roughly: `88 days`, `5 hours`, `less than an hour`.
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

extension JSONValue {
    /// A moment as RFC 3339 writes it: `2026-03-09T13:05:00Z`.
    static func date(_ date: Date) -> JSONValue { .string(date.writable.formatted(.iso8601)) }
}

extension Date {
    /// The nearest moment with a year of four digits: others can be in a roster, and mean never or always.
    fileprivate var writable: Date {
        // The seconds from 1970 to the beginning of year 1 and to the end of year 9999, a day short of each.
        let seconds = min(max(timeIntervalSince1970, -62_135_510_400), 253_402_214_400)
        return Date(timeIntervalSince1970: seconds)
    }
}
