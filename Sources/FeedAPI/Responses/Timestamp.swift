/// Times as RFC 3339 writes them.
enum Timestamp {
    /// "2026-11-21T16:21:00Z".
    ///
    /// The date is counted from 1 March of year 0, so that the leap day is a year's last: 400
    /// years have 146,097 days, and the months from March have 153 days in each five.
    ///
    /// - Parameter seconds: Since 1970, in the years 0 to 9999.
    /// - Returns: 20 characters, in UTC.
    static func rfc3339(_ seconds: Int) -> String {
        let (day, second) = seconds.floored(by: 86_400)
        let (era, dayOfEra) = (day + 719_468).floored(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let date = [
            padded(year, 4), padded(month, 2),
            padded(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2),
        ]
        let time = [padded(second / 3600, 2), padded(second / 60 % 60, 2), padded(second % 60, 2)]
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    /// The quotient rounded down, and what remains, from 0.
    fileprivate func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
