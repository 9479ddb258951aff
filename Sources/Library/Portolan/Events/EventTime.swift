/// A moment in an event, to the second, as RFC 3339 writes it: `2026-03-09T13:05:00Z`.
public struct EventTime: Hashable, Sendable {
    public let date: Date

    public init(_ date: Date) {
        self.date = Date(timeIntervalSince1970: date.writable.timeIntervalSince1970.rounded(.down))
    }
}

extension EventTime: Codable, CustomStringConvertible {
    public var description: String { date.formatted(.iso8601) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = try? Date(container.decode(String.self), strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A moment is written as in 2026-03-09T13:05:00Z.")
        }
        self.init(date)
    }

    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}

extension Date {
    /// The nearest moment whose year has four digits. A roster may contain others, which mean "never" or "always".
    package var writable: Date {
        // The seconds from 1970 to the beginning of year 1 and to the end of year 9999, a day short of each.
        let seconds = min(max(timeIntervalSince1970, -62_135_510_400), 253_402_214_400)
        return Date(timeIntervalSince1970: seconds)
    }
}
