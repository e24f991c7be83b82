/// A day of the Gregorian calendar.
///
/// The arithmetic is Howard Hinnant's ("chrono-Compatible Low-Level Date Algorithms"): years begin
/// in March, so that a leap day is a year's last, and 400 years have 146,097 days.
package struct CalendarDay: Equatable, Sendable {
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    package let year: Int
    /// The month, from 1.
    package let month: Int
    /// The day, from 1.
    package let day: Int

    /// Makes a day; `nil` for a day that the calendar does not have, or outside the years 0 to
    /// 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1 else { return nil }
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        let first = CalendarDay.days(year: year, month: month, day: 1)
        guard first + day <= CalendarDay.days(year: next.0, month: next.1, day: 1) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Makes a day by its number in the year, from 1; `nil` for a day that the year does not have.
    package init?(year: Int, dayOfYear: Int) {
        guard dayOfYear >= 1, let first = CalendarDay(year: year, month: 1, day: 1) else {
            return nil
        }
        self.init(daysSince1970: first.daysSince1970 + dayOfYear - 1)
        if self.year != year { return nil }
    }

    /// Makes the day that is so many days after 1 January 1970, or before it if the number is
    /// negative.
    ///
    /// The day is found by eras of 400 years that begin in March.
    package init(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int { CalendarDay.days(year: year, month: month, day: day) }

    /// The day of the week, from 0 for Sunday; the first day of 1970 was a Thursday.
    package var weekday: Int { (daysSince1970 + 4).flooredDivision(by: 7).remainder }

    /// Returns the number of days from 1 January 1970 to a day, which may be past the end of its
    /// month.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// A day of the Gregorian calendar and a time of the day, in UTC.
package struct CivilDate: Equatable, Sendable {
    package let day: CalendarDay
    package let secondOfDay: Int

    /// Makes the date of a moment in seconds since 1970; for a time outside the years 1 to 9999,
    /// the nearest date inside them.
    package init(seconds: Int) {
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
        day = CalendarDay(daysSince1970: days)
        self.secondOfDay = secondOfDay
    }

    /// Appends the date as in RFC 3339, up to the second: "2026-11-21T16:21:00", and then an ASCII
    /// character.
    package func appendRFC3339(to text: inout [UInt8], then end: Unicode.Scalar) {
        text.append(day.year, digits: 4, then: "-")
        text.append(day.month, digits: 2, then: "-")
        text.append(day.day, digits: 2, then: "T")
        appendTime(to: &text, then: end)
    }

    /// Returns a moment in seconds since 1970 as in RFC 3339: "2026-11-21T16:21:00Z".
    package static func rfc3339(_ seconds: Int) -> String {
        var text: [UInt8] = []
        CivilDate(seconds: seconds).appendRFC3339(to: &text, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// The date in the format of mail (RFC 5322 §3.3) and of HTTP (RFC 9110 §5.6.7): "Sun, 06 Nov
    /// 1994 08:49:37 GMT", 29 bytes.
    package var mailText: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: CalendarDay.weekdayNames[day.weekday].utf8)
        text.append(contentsOf: ", ".utf8)
        text.append(day.day, digits: 2, then: " ")
        text.append(contentsOf: CalendarDay.monthNames[day.month - 1].utf8)
        text.append(UInt8(ascii: " "))
        text.append(day.year, digits: 4, then: " ")
        appendTime(to: &text, then: " ")
        text.append(contentsOf: "GMT".utf8)
        return text
    }

    private func appendTime(to text: inout [UInt8], then end: Unicode.Scalar) {
        text.append(secondOfDay / 3600, digits: 2, then: ":")
        text.append(secondOfDay / 60 % 60, digits: 2, then: ":")
        text.append(secondOfDay % 60, digits: 2, then: end)
    }
}

extension [UInt8] {
    /// Appends the last `count` decimal digits of a number, at least 0, with leading zeros, and
    /// then an ASCII character.
    package mutating func append(_ number: Int, digits count: Int, then end: Unicode.Scalar) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(number / divisor % 10) + UInt8(ascii: "0"))
            divisor /= 10
        }
        append(UInt8(ascii: end))
    }
}

extension Int {
    /// Returns the quotient rounded down, and the remainder, which is not negative.
    package func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
