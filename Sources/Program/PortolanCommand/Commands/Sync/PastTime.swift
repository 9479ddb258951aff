import Portolan
import PortolanSettings

/// A time that has been, as a user writes it: ISO 8601, or how long ago.
struct PastTime: Hashable, Sendable {
    private enum Meaning: Hashable {
        case date(Date)
        case ago(Duration)
    }

    private let meaning: Meaning

    /// In seconds since 1970.
    func seconds(before now: Date) -> Int64 {
        switch meaning {
        case .date(let date): Int64(date.timeIntervalSince1970)
        case .ago(let duration): Int64(now.timeIntervalSince1970) - duration.components.seconds
        }
    }

    /// Times without a zone are in this machine's zone.
    static func parse(_ text: String) throws(ValueError) -> PastTime {
        if let date = date(text) { return PastTime(meaning: .date(date)) }
        if let duration = try? DurationSyntax.parse(text, within: .zero...(.seconds(366 * 86_400))) {
            return PastTime(meaning: .ago(duration))
        }
        throw ValueError(
            "“\(DisplayText(text, limit: 40))” is no time: write one as 2026-03-09T14:05, or how long ago, as 2h or 3d."
        )
    }

    private static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        let parts = text.replacingOccurrences(of: "T", with: " ").split(separator: " ").map(String.init)
        guard let day = parts.first, parts.count <= 2 else { return nil }
        let time = parts.count == 1 ? "00:00:00" : parts[1]
        let isShort = time.filter { $0 == ":" }.count == 1
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
            .year().month().day().time(includingFractionalSeconds: false)
        return try? Date("\(day) \(time)\(isShort ? ":00" : "")", strategy: style)
    }
}
