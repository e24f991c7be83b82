import Testing

@testable import FeedFormats

/// Dates of every kind that feeds have been seen to use.
@Suite struct Dates {
    @Test(arguments: [
        ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z"),
        ("2003-12-31T10:14:55-08:00", "2003-12-31T18:14:55Z"),
        ("2003-12-31T10:14:55.5+01:00", "2003-12-31T09:14:55.500Z"),
        ("2003-12-31 10:14:55", "2003-12-31T10:14:55Z"),
        ("2003-12-31T10:14", "2003-12-31T10:14:00Z"),
        ("2003-12-31", "2003-12-31T00:00:00Z"),
        ("2003-12", "2003-12-01T00:00:00Z"), ("2003", "2003-01-01T00:00:00Z"),
        ("20031231", "2003-12-31T00:00:00Z"), ("20031231T101455Z", "2003-12-31T10:14:55Z"),
        ("2020/1/10", "2020-01-10T00:00:00Z"), ("2020/01/10 12:30", "2020-01-10T12:30:00Z"),
        ("10.01.2020 12:30", "2020-01-10T12:30:00Z"), ("1/10/2020", "2020-01-10T00:00:00Z"),
        ("25/12/2020", "2020-12-25T00:00:00Z"),
        ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
        ("Sun, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
        (" Thu, 1 Jan 04 19:48 EST ", "2004-01-02T00:48:00Z"),
        ("01 Jan 2004 19:48:21 +0200", "2004-01-01T17:48:21Z"),
        ("1 Jan 2004 19:48:21 PDT", "2004-01-02T02:48:21Z"),
        ("Thu, 1 January 2004 7:48 PM", "2004-01-01T19:48:00Z"),
        ("January 1st, 2004", "2004-01-01T00:00:00Z"),
        ("Thu Jan  1 19:48:21 2004", "2004-01-01T19:48:21Z"),
        ("12-Jan-2004 10:00:00", "2004-01-12T10:00:00Z"),
        ("Do, 01 März 2018 10:00:00 +0100", "2018-03-01T09:00:00Z"),
        ("1072915200", "2004-01-01T00:00:00Z"), ("1072915200500", "2004-01-01T00:00:00.500Z"),
        ("2004-02-29T00:00:00Z", "2004-02-29T00:00:00Z"),
        ("2004-01-01T24:00:00Z", "2004-01-02T00:00:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("Mon, 5 May 2025 08:00:00 GMT+0200", "2025-05-05T06:00:00Z"),
        ("2024年3月5日", "2024-03-05T00:00:00Z"),
    ])
    func areRead(_ text: String, as expected: String) {
        #expect(FeedDate(parsing: text)?.text == expected)
    }

    @Test(arguments: [
        "", "yesterday", "2004-02-30", "30 Feb 2004", "2003-13-01", "Thu, 01 Foo 2004 00:00:00 GMT",
        "2003-12-31T25:00:00Z", "99999999999999", "0000-00-00T00:00:00Z",
        String(repeating: "1", count: 200), "-----", "T", "12:30", "Jan", "1 Jan",
    ])
    func whatIsNoneIsNone(_ text: String) {
        #expect(FeedDate(parsing: text) == nil)
    }

    @Test func aDateIsWrittenForMailToo() {
        #expect(FeedDate(seconds: 1_072_915_200).mailText == "Thu, 01 Jan 2004 00:00:00 GMT")
        #expect(FeedDate(seconds: -1).mailText == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test func everyDayComesBack() {
        for day in stride(from: -200_000, through: 2_000_000, by: 97) {
            let date = CalendarDay(daysSince1970: day)
            #expect(date.daysSince1970 == day)
            #expect(CalendarDay(year: date.year, month: date.month, day: date.day) != nil)
        }
    }
}
