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
