import Foundation

/// A moment to the second, as documents write it: `2026-11-25T19:20:00Z`.
///
/// It is counted out here. A calendar for this takes longer to make than the rest of a small document to read.
enum DocumentDate {
    private static let secondsOfDay = 86_400
    /// Days of 400 years, after which the calendar repeats itself.
    private static let daysOfEra = 146_097
    /// Days from the first of March in the year 0 to the beginning of 1970.
    private static let daysTo1970 = 719_468
    private static let template = Array("dddd-dd-ddTdd:dd:ddZ".utf8)

    /// Nil for any other way to write a moment, which may be a right one.
    static func date(_ text: String) -> Date? {
        let text = Array(text.utf8)
        guard text.count == template.count else { return nil }
        var numbers: [Int] = []
        var number: Int?
        for (byte, wanted) in zip(text, template) {
            if wanted == UInt8(ascii: "d") {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
            } else {
                guard byte == wanted, let ended = number else { return nil }
                numbers.append(ended)
                number = nil
            }
        }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard year >= 1, (1...12).contains(month), day >= 1, day <= days(ofMonth: month, in: year), numbers[3] < 24,
            numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        return Date(timeIntervalSince1970: Double(self.days(to: year, month, day) * secondsOfDay + seconds))
    }

    /// Nil for a moment that has no year of four digits. Parts of a second are left out.
    static func text(_ date: Date) -> String? {
        let time = date.timeIntervalSince1970.rounded(.down)
        // The years 1 to 9999.
        guard time >= -62_135_596_800, time < 253_402_300_800 else { return nil }
        let (days, seconds) = divided(Int(time), by: secondsOfDay)
        let (era, dayOfEra) = divided(days + daysTo1970, by: daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Years begin in March here, so that the day that may be missing is their last one.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let parts = [
            (year, 4, "-"), (month, 2, "-"), (dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2, "T"),
            (seconds / 3600, 2, ":"), (seconds / 60 % 60, 2, ":"), (seconds % 60, 2, "Z"),
        ]
        return parts.map { number, width, end in
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits + end
        }.joined()
    }

    /// Days from the beginning of 1970.
    private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
        let (era, yearOfEra) = divided(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysTo1970
    }

    private static func days(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The quotient rounded down, and what is left, which is never negative.
    private static func divided(_ number: Int, by divisor: Int) -> (Int, Int) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// As `iso8601`, and sooner.
    static let document = custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(DocumentDate.text(date) ?? date.formatted(.iso8601))
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// As `iso8601`, and sooner.
    static let document = custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let date = DocumentDate.date(text) { return date }
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no moment.")
        }
        return date
    }
}
