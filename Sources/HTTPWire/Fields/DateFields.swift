/// The parts of a date as they were written.
struct DateFields {
    var month: String
    var year: Int
    var hasShortYear = false
    var day: Int
    var secondOfDay: Int

    /// Seconds since 1970; nil when the month does not have that day.
    func seconds(month: Int) -> Int? {
        guard 1...CivilDate.length(ofMonth: month, year: year) ~= day else { return nil }
        return CivilDate.days(year: year, month: month, day: day) * 86_400 + secondOfDay
    }

    /// The same for a year of two digits: the latest that is at most 50 years after `now`.
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
