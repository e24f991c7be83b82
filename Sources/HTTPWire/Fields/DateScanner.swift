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
