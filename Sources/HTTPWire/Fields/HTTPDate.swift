import Platform

/// Writes and parses the dates of HTTP fields (RFC 9110 §5.6.7).
package enum HTTPDate {
    private static let longDayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// Returns a date in the form "Sun, 06 Nov 1994 08:49:37 GMT" (IMF-fixdate), 29 bytes.
    ///
    /// - Parameter seconds: The seconds since 1970, in UTC. A time outside the years 1 to 9999,
    ///   which this form cannot express, is written as the nearest time inside them.
    package static func format(_ seconds: Int) -> [UInt8] {
        CivilDate(seconds: seconds).mailText
    }

    /// Parses a date in any of the three forms of RFC 9110; names are case-sensitive.
    ///
    /// The name of the day must be valid, but need not be the name of that day. A year of two
    /// digits is the latest year with these last digits such that the date is at most 50 years
    /// ahead.
    ///
    /// - Parameter now: The current time in seconds since 1970.
    /// - Returns: The seconds since 1970; `nil` if `text` is not a date.
    package static func parse(_ text: String, now: Int) -> Int? {
        var scanner = FieldScanner(text)
        let day = scanner.letters()
        let date: DateFields? =
            if CalendarDay.weekdayNames.contains(day) {
                scanner.skip(",") ? scanner.fixedDate() : scanner.asctimeDate()
            } else if longDayNames.contains(day), scanner.skip(",") {
                scanner.datedDate()
            } else {
                nil
            }
        guard let date, scanner.isAtEnd,
            let month = CalendarDay.monthNames.firstIndex(of: date.month)
        else { return nil }
        return date.hasShortYear
            ? date.secondsInCentury(month: month + 1, now: now) : date.seconds(month: month + 1)
    }
}

/// Reads the parts of a date (RFC 9110 §5.6.7).
extension FieldScanner {
    /// Takes the longest run of letters, which may be empty.
    fileprivate mutating func letters() -> String { text(where: \.isLetter) ?? "" }

    /// Skips `text`, and returns whether it was there.
    fileprivate mutating func skip(_ text: String) -> Bool {
        text.utf8.allSatisfy { skip($0) }
    }

    /// Takes a number of exactly `count` digits; `nil` if none follows.
    private mutating func number(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = next, digit.isDigit, skip(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Takes hour ":" minute ":" second, and returns the second of the day; the second may be 60,
    /// a leap second.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Takes the rest of an IMF-fixdate: " 06 Nov 1994 08:49:37 GMT".
    fileprivate mutating func fixedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip(" ") else { return nil }
        let month = letters()
        guard skip(" "), let year = number(digits: 4), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, day: day, secondOfDay: time)
    }

    /// Takes the rest of an rfc850-date: " 06-Nov-94 08:49:37 GMT".
    fileprivate mutating func datedDate() -> DateFields? {
        guard skip(" "), let day = number(digits: 2), skip("-") else { return nil }
        let month = letters()
        guard skip("-"), let year = number(digits: 2), skip(" "), let time = secondOfDay(),
            skip(" GMT")
        else { return nil }
        return DateFields(month: month, year: year, hasShortYear: true, day: day, secondOfDay: time)
    }

    /// Takes the rest of an asctime-date: " Nov  6 08:49:37 1994".
    fileprivate mutating func asctimeDate() -> DateFields? {
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
    /// The name of the month, perhaps not a valid one.
    var month: String
    var year: Int
    /// Whether the year has two digits.
    var hasShortYear = false
    var day: Int
    var secondOfDay: Int

    /// Returns the seconds since 1970; `nil` if the month, from 1, does not have that day.
    func seconds(month: Int) -> Int? {
        CalendarDay(year: year, month: month, day: day).map {
            $0.daysSince1970 * 86_400 + secondOfDay
        }
    }

    /// Returns the seconds since 1970 for a year of two digits: the latest date with these digits
    /// that is at most 50 years after `now`, also in seconds; `nil` if the month, from 1, does not
    /// have that day.
    func secondsInCentury(month: Int, now: Int) -> Int? {
        let now = CivilDate(seconds: now)
        let today = now.day
        let daysAhead = CalendarDay.days(year: today.year + 50, month: today.month, day: today.day)
        let latest = daysAhead * 86_400 + now.secondOfDay
        var full = self
        full.year += (today.year / 100 + 1) * 100
        while CalendarDay.days(year: full.year, month: month, day: day) * 86_400 + secondOfDay
            > latest
        {
            full.year -= 100
        }
        return full.seconds(month: month)
    }
}
