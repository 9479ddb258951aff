import Portolan

/// Day of the week, as written in a policy.
package enum PolicyDay: String, CaseIterable, Sendable, Hashable {
    case mon, tue, wed, thu, fri, sat, sun

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Local date and time of day of an offer, to the minute.
package struct PolicyTime: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let weekday: PolicyDay
    /// Minute of the day, from 0.
    package let minute: Int

    /// - Parameter zone: time zone of this device.
    package init(_ date: Date, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute], from: date)
        year = parts.year ?? 1970
        month = parts.month ?? 1
        day = parts.day ?? 1
        // Foundation's week begins on Sunday, with number 1.
        weekday = PolicyDay.allCases[((parts.weekday ?? 1) + 5) % 7]
        minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }

    /// Parses `2026-11-25 14:30`.
    ///
    /// - Throws: `ValueError` for anything else, and for a day that does not exist.
    package static func parse(_ text: String) throws(ValueError) -> PolicyTime {
        let wrong = ValueError("“\(DisplayText(text, limit: 40))” is no time; write it as 2026-11-25 14:30.")
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2}) ([0-9]{2}:[0-9]{2})/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let minute = PolicyHours.minute(match.4), minute < PolicyHours.dayLength,
            let zone = TimeZone(secondsFromGMT: 0)
        else { throw wrong }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(year: year, month: month, day: day, hour: minute / 60, minute: minute % 60)
        guard let date = calendar.date(from: parts) else { throw wrong }
        let time = PolicyTime(date, in: zone)
        // Foundation takes the 31st of February for a day in March.
        guard time.year == year, time.month == month, time.day == day else { throw wrong }
        return time
    }

    /// `2026-11-25`
    var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    /// `14:30`
    var clock: String { "\(Self.padded(minute / 60, 2)):\(Self.padded(minute % 60, 2))" }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Range of the day, such as `22:00-06:00`, with its beginning and without its end. It may span midnight.
package struct PolicyHours: Sendable, Hashable {
    static let dayLength = 24 * 60

    let start: Int
    let end: Int

    package static func parse(_ text: String) throws(ValueError) -> PolicyHours {
        guard let match = text.wholeMatch(of: /([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2})/),
            let start = minute(match.1), let end = minute(match.2), start != end, start < dayLength
        else {
            throw ValueError(
                "“\(DisplayText(text, limit: 40))” is no range of hours; write it as 09:00-17:30 or 22:00-06:00.")
        }
        return PolicyHours(start: start, end: end)
    }

    /// Parses a minute of the day; nil for an invalid time. `24:00` is the end of the day.
    static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60,
            hours * 60 + minutes <= dayLength
        else { return nil }
        return hours * 60 + minutes
    }

    func contains(_ minute: Int) -> Bool {
        start < end ? minute >= start && minute < end : minute >= start || minute < end
    }
}

/// Days of the week: `sat`, or `mon-fri`; a range may span the end of the week.
package enum PolicyDays {
    package static func parse(_ text: String) throws(ValueError) -> Set<PolicyDay> {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = PolicyDay(rawValue: String(parts[0])),
            let last = parts.count > 1 ? PolicyDay(rawValue: String(parts[1])) : first
        else {
            throw ValueError("“\(DisplayText(text, limit: 40))” is no day; write mon, or mon-fri.")
        }
        let count = (last.index - first.index + 7) % 7 + 1
        return Set((0..<count).map { PolicyDay.allCases[(first.index + $0) % 7] })
    }
}
