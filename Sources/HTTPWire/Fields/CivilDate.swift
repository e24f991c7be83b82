/// A day of the Gregorian calendar and a time of the day, in UTC.
///
/// The arithmetic is Howard Hinnant's ("chrono-Compatible Low-Level Date Algorithms"): years begin
/// in March, so that a leap day is a year's last, and 400 years have 146,097 days.
package struct CivilDate: Equatable, Sendable {
    package var year: Int
    /// The month, from 1.
    package var month: Int
    /// The day, from 1.
    package var day: Int
    package var secondOfDay: Int
    /// The day of the week, from 0 for Sunday.
    package var weekday: Int

    /// Makes the date of a moment.
    ///
    /// - Parameter seconds: The seconds since 1970.
    package init(seconds: Int) {
        let days = Self.quotient(seconds, 86_400)
        secondOfDay = seconds - days * 86_400
        weekday = (days % 7 + 11) % 7
        let shifted = days + 719_468
        let era = Self.quotient(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Appends the date as in RFC 3339, up to the second: "2026-11-21T16:21:00", for the years 0 to
    /// 9999.
    ///
    /// - Parameters:
    ///   - text: The array to append to.
    ///   - end: The byte after it, such as "Z".
    package func appendRFC3339(to text: inout [UInt8], then end: UInt8) {
        text.append(year, digits: 4, then: UInt8(ascii: "-"))
        text.append(month, digits: 2, then: UInt8(ascii: "-"))
        text.append(day, digits: 2, then: UInt8(ascii: "T"))
        text.append(secondOfDay / 3600, digits: 2, then: .colon)
        text.append(secondOfDay / 60 % 60, digits: 2, then: .colon)
        text.append(secondOfDay % 60, digits: 2, then: end)
    }

    /// Returns a moment as in RFC 3339: "2026-11-21T16:21:00Z".
    ///
    /// - Parameter seconds: The seconds since 1970, in the years 0 to 9999.
    package static func rfc3339(_ seconds: Int) -> String {
        var text: [UInt8] = []
        CivilDate(seconds: seconds).appendRFC3339(to: &text, then: UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the days from 1970 to a day.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = quotient(year, 400)
        let yearOfEra = year - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the number of days of a month.
    static func length(ofMonth month: Int, year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return days(year: next.0, month: next.1, day: 1) - days(year: year, month: month, day: 1)
    }

    /// Returns the quotient rounded down.
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number + 1) / divisor - 1
    }
}
