import HTTPWire

/// Times as RFC 3339 writes them.
enum Timestamp {
    /// "2026-11-21T16:21:00Z".
    ///
    /// - Parameter seconds: Since 1970, in the years 0 to 9999.
    /// - Returns: 20 characters, in UTC.
    static func rfc3339(_ seconds: Int) -> String {
        let date = CivilDate(seconds: seconds)
        let second = date.secondOfDay
        let day = [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)]
        let time = [padded(second / 3600, 2), padded(second / 60 % 60, 2), padded(second % 60, 2)]
        return day.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
