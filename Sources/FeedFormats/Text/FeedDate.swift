/// A time as feeds write it.
package struct FeedDate: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    package let milliseconds: Int

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    package init(seconds: Int) { milliseconds = seconds * 1000 }

    package static func < (left: FeedDate, right: FeedDate) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time in RFC 3339's form in UTC, with a fraction only if there is one.
    package var text: String {
        let (days, time) = milliseconds.flooredDivision(by: 86_400_000)
        let date = CalendarDay(daysSince1970: days)
        let seconds = time / 1000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(date.year, digits: 4, before: "-")
        text.append(date.month, digits: 2, before: "-")
        text.append(date.day, digits: 2, before: "T")
        text.append(seconds / 3600, digits: 2, before: ":")
        text.append(seconds / 60 % 60, digits: 2, before: ":")
        text.append(seconds % 60, digits: 2, before: time % 1000 > 0 ? "." : "Z")
        if time % 1000 > 0 { text.append(time % 1000, digits: 3, before: "Z") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The time in RFC 822's form with a year of four digits, as RSS 2.0 has it.
    package var mailText: String {
        let (days, time) = milliseconds.flooredDivision(by: 86_400_000)
        let date = CalendarDay(daysSince1970: days)
        let seconds = time / 1000
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][
            days.flooredDivision(by: 7).1
        ]
        let month = CalendarDay.monthNames[date.month - 1]
        return "\(weekday), \(date.day.padded(2)) \(month) \(date.year.padded(4))"
            + " \((seconds / 3600).padded(2)):\((seconds / 60 % 60).padded(2))"
            + ":\((seconds % 60).padded(2)) GMT"
    }
}

/// A day of the Gregorian calendar.
struct CalendarDay {
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let year: Int
    let month: Int
    let day: Int

    /// - Returns: `nil` for a day that the calendar does not have, or outside the years 1 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Returns: `nil` for a day that the year does not have.
    init?(year: Int, dayOfYear: Int) {
        guard dayOfYear >= 1, let first = CalendarDay(year: year, month: 1, day: 1) else {
            return nil
        }
        self.init(daysSince1970: first.daysSince1970 + dayOfYear - 1)
        if self.year != year { return nil }
    }

    /// Finds the day by eras of 400 years that begin in March.
    init(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * part + 2) / 5 + 1
        month = part < 10 ? part + 3 : part - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension [UInt8] {
    /// Appends a number of two to four digits, padded with zeros, and the mark behind it.
    fileprivate mutating func append(_ number: Int, digits: Int, before mark: Unicode.Scalar) {
        var divisor = digits > 3 ? 1000 : digits > 2 ? 100 : 10
        if 0..<10 * divisor ~= number {
            while divisor > 0 {
                append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                divisor /= 10
            }
        } else {
            append(contentsOf: number.padded(digits).utf8)
        }
        append(UInt8(ascii: mark))
    }
}

extension Int {
    func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
