/// Dates in HTTP (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns a date in the form "Sun, 06 Nov 1994 08:49:37 GMT", 29 bytes.
    ///
    /// - Parameter seconds: The seconds since 1970, in UTC. A time outside the years 1 to 9999,
    ///   which the form cannot express, is written as the nearest one inside.
    /// - Returns: The text.
    package static func format(_ seconds: Int) -> [UInt8] {
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let date = CivilDate(seconds: seconds)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: dayNames[date.weekday].utf8)
        text.append(contentsOf: ", ".utf8)
        text.append(date.day, digits: 2, then: .space)
        text.append(contentsOf: monthNames[date.month - 1].utf8)
        text.append(.space)
        text.append(date.year, digits: 4, then: .space)
        text.append(date.secondOfDay / 3600, digits: 2, then: .colon)
        text.append(date.secondOfDay / 60 % 60, digits: 2, then: .colon)
        text.append(date.secondOfDay % 60, digits: 2, then: .space)
        text.append(contentsOf: "GMT".utf8)
        return text
    }

    /// Parses a date in any of the three forms, exactly; names are case-sensitive.
    ///
    /// The name of the day must be valid, but need not be the right one. A year of two digits is
    /// the latest such year that is at most 50 years ahead.
    ///
    /// - Parameters:
    ///   - text: A date.
    ///   - now: The current time in seconds since 1970.
    /// - Returns: The seconds since 1970; nil if `text` is no date.
    package static func parse(_ text: String, now: Int) -> Int? {
        var scanner = DateScanner(text)
        let day = scanner.letters()
        let date: DateFields? =
            if dayNames.contains(day) {
                scanner.skip(",") ? scanner.fixedDate() : scanner.asctimeDate()
            } else if longDayNames.contains(day), scanner.skip(",") {
                scanner.datedDate()
            } else {
                nil
            }
        guard let date, scanner.isAtEnd, let month = monthNames.firstIndex(of: date.month) else {
            return nil
        }
        return date.hasShortYear
            ? date.secondsInCentury(month: month + 1, now: now) : date.seconds(month: month + 1)
    }
}

/// Reads the text of a date byte by byte (RFC 9110 §5.6.7).
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes the longest run of letters.
    mutating func letters() -> String {
        let letters = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters, as: UTF8.self)
    }

    /// Skips `text`, and returns whether it was there.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes a number of exactly `count` digits.
    private mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Takes hour ":" minute ":" second, and returns the second of the day; a leap second is 60.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Takes a date in the form " 06 Nov 1994 08:49:37 GMT".
    mutating func fixedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip(" ") else { return nil }
        let month = letters()
        guard skip(" "), let year = number(digits: 4), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, day: day, secondOfDay: time)
    }

    /// Takes a date in the form " 06-Nov-94 08:49:37 GMT".
    mutating func datedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip("-") else { return nil }
        let month = letters()
        guard skip("-"), let year = number(digits: 2), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, hasShortYear: true, day: day, secondOfDay: time)
    }

    /// Takes a date in the form " Nov  6 08:49:37 1994".
    mutating func asctimeDate() -> DateFields? {
        guard skip(" ") else { return nil }
        let month = letters()
        guard skip(" "), let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "),
            let time = secondOfDay(), skip(" "), let year = number(digits: 4)
        else { return nil }
        return DateFields(month: month, year: year, day: day, secondOfDay: time)
    }
}

/// The parts of a date as they were written.
struct DateFields {
    var month: String
    var year: Int
    var hasShortYear = false
    var day: Int
    var secondOfDay: Int

    /// Returns the seconds since 1970; nil if the month does not have that day.
    func seconds(month: Int) -> Int? {
        guard 1...CivilDate.length(ofMonth: month, year: year) ~= day else { return nil }
        return CivilDate.days(year: year, month: month, day: day) * 86_400 + secondOfDay
    }

    /// Returns the seconds since 1970 for a year of two digits: the latest such year that is at
    /// most 50 years after `now`.
    func secondsInCentury(month: Int, now: Int) -> Int? {
        let today = CivilDate(seconds: now)
        let daysAhead = CivilDate.days(year: today.year + 50, month: today.month, day: today.day)
        let latest = daysAhead * 86_400 + today.secondOfDay
        var full = self
        full.year += (today.year / 100 + 1) * 100
        while CivilDate.days(year: full.year, month: month, day: day) * 86_400 + secondOfDay
            > latest
        {
            full.year -= 100
        }
        return full.seconds(month: month)
    }
}

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
