/// A day of the Gregorian calendar, counted without a calendar object, which takes longer to make than a small document
/// takes to read.
///
/// Years begin in March in the arithmetic, so that the day of a leap year is their last one.
package struct CivilDate: Hashable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// Days of 400 years, after which the calendar repeats itself.
    private static let daysOfEra = 146_097
    /// Days from the first of March in the year 0 to the beginning of 1970.
    private static let daysTo1970 = 719_468

    /// - Parameter days: days from the beginning of 1970; negative before it.
    package init(daysSince1970 days: Int) {
        let (era, dayOfEra) = days.advanced(by: Self.daysTo1970).dividedDown(by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// - Returns: nil if the calendar has no such day, or for a year before 1.
    init?(_ year: Int, _ month: Int, _ day: Int) {
        guard year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(ofMonth: month, in: year) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    var daysSince1970: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysTo1970
    }

    private static func days(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDate: CustomStringConvertible {
    /// Form `2026-11-25`, for the years 0 to 9999.
    package var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
}

extension Int {
    /// The quotient, rounded down, and the rest, which is never negative.
    func dividedDown(by divisor: Int) -> (quotient: Int, rest: Int) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The number with leading zeros.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(width - digits.count, 0)) + digits
    }
}
