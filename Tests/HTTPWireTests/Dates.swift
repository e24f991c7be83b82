import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §5.6.7.
@Suite struct Dates {
    /// 2026-01-01T00:00:00Z.
    private static let now = 1_767_225_600

    private func parse(_ text: String, now: Int = now) -> Int? {
        HTTPDate.parse(text, now: now)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
    func datesAreWrittenAndRead(_ seconds: Int, as text: String) {
        #expect(String(decoding: HTTPDate.format(seconds), as: UTF8.self) == text)
        #expect(parse(text) == seconds)
    }

    @Test func datesAreClampedToWhatTheFormHolds() {
        #expect(HTTPDate.format(.max) == HTTPDate.format(253_402_300_799))
        #expect(HTTPDate.format(.min) == HTTPDate.format(-62_135_596_800))
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Thu, 01 Jan 1970 23:59:60 GMT", 86_400), ("Tuesday, 29-Feb-00 00:00:00 GMT", 951_782_400),
    ])
    func datesAreReadInAllForms(_ text: String, as seconds: Int) {
        #expect(parse(text) == seconds)
    }

    /// A year of two digits is at most 50 years ahead.
    @Test(arguments: [
        ("Wednesday, 01-Jan-76 00:00:00 GMT", now, "Wed, 01 Jan 2076 00:00:00 GMT"),
        ("Wednesday, 01-Jan-76 00:00:01 GMT", now, "Thu, 01 Jan 1976 00:00:01 GMT"),
        ("Wednesday, 31-Dec-75 23:59:59 GMT", now, "Tue, 31 Dec 2075 23:59:59 GMT"),
        ("Friday, 01-Jan-77 00:00:00 GMT", now, "Sat, 01 Jan 1977 00:00:00 GMT"),
        ("Friday, 01-Jan-99 00:00:00 GMT", now, "Fri, 01 Jan 1999 00:00:00 GMT"),
        // 2080-01-01.
        ("Friday, 01-Jan-10 00:00:00 GMT", 3_471_292_800, "Wed, 01 Jan 2110 00:00:00 GMT"),
        ("Friday, 01-Jan-40 00:00:00 GMT", 3_471_292_800, "Sun, 01 Jan 2040 00:00:00 GMT"),
    ])
    func datesHaveACentury(_ text: String, now: Int, _ expected: String) throws {
        let seconds = try #require(parse(text, now: now))
        #expect(String(decoding: HTTPDate.format(seconds), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 gmt", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Xxx 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 29-Feb-99 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT", "Sun Nov  16 08:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sunday Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z",
        "784111777",
        "Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "Sun, ０６ Nov 1994 08:49:37 GMT",
    ])
    func datesAreRefused(_ text: String) {
        #expect(parse(text) == nil)
    }

    /// Counts the days one by one.
    @Test func datesFollowTheCalendar() {
        var day = 0
        var month = 0
        var year = 1970
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for days in 0..<(140 * 365) {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let dayText = day < 9 ? "0\(day + 1)" : "\(day + 1)"
            let text = "\(weekdays[days % 7]), \(dayText) \(months[month]) \(year) 00:00:00 GMT"
            guard HTTPDate.format(days * 86_400) == Array(text.utf8), parse(text) == days * 86_400
            else {
                Issue.record("\(text)")
                return
            }
            day += 1
            if day == lengths[month] + (isLeap && month == 1 ? 1 : 0) {
                day = 0
                month += 1
            }
            if month == 12 {
                month = 0
                year += 1
            }
        }
    }

    @Test func datesAreReadBackWhateverTheTime() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let seconds = Int.random(in: -62_135_596_800...253_402_300_799, using: &random)
            #expect(parse(String(decoding: HTTPDate.format(seconds), as: UTF8.self)) == seconds)
        }
    }
}
