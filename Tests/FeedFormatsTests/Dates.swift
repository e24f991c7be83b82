import FeedDiff
import Platform
import TestSupport
import Testing

@testable import FeedFormats

/// Dates of every kind that feeds have been seen to use.
@Suite struct Dates {
    @Test(arguments: [
        ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z"),
        ("2003-12-31T10:14:55-08:00", "2003-12-31T18:14:55Z"),
        ("2003-12-31T10:14:55.5+01:00", "2003-12-31T09:14:55.500Z"),
        ("2003-12-31 10:14:55", "2003-12-31T10:14:55Z"),
        // No offset has two signs, so none is known.
        ("2003-12-31T10:14:55+-100", "2003-12-31T10:14:55Z"),
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
        ("mar., 05 janv. 2021 10:00:00 +0100", "2021-01-05T09:00:00Z"),
        ("mar, 05 ene 2021", "2021-01-05T00:00:00Z"), ("mar 2 mar 2021", "2021-03-02T00:00:00Z"),
        ("mar. 9 février 2021", "2021-02-09T00:00:00Z"), ("Mar 5, 2021", "2021-03-05T00:00:00Z"),
        ("2004-07-08 오후 11:57:03", "2004-07-08T23:57:03Z"),
        ("2004-07-08 오전 12:57:03", "2004-07-08T00:57:03Z"),
        ("2004년 05월 28일  01:31:15", "2004-05-28T01:31:15Z"),
        ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"),
        ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"),
        ("2003-365", "2003-12-31T00:00:00Z"), ("2004-366T10:00Z", "2004-12-31T10:00:00Z"),
        ("2003365", "2003-12-31T00:00:00Z"),
        ("03-12-31", "2003-12-31T00:00:00Z"), ("2021-W01-1", "2021-01-04T00:00:00Z"),
        ("2020-W53-7T10:00:00Z", "2021-01-03T10:00:00Z"), ("2021-W01", "2021-01-04T00:00:00Z"),
        ("20031231101455", "2003-12-31T10:14:55Z"), ("200312311014", "2003-12-31T10:14:00Z"),
        ("1700000000.5", "2023-11-14T22:13:20.500Z"), ("Sat,07Sep2002", "2002-09-07T00:00:00Z"),
        ("Sat,07Sep2002 00:01:00 GMT", "2002-09-07T00:01:00Z"),
        ("Thu, 01 Jan 2004 10.30.00", "2004-01-01T10:30:00Z"),
        ("2004-01-01 10.30.00", "2004-01-01T10:30:00Z"),
        ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53Z"),
        ("Friday 2006-09-15 08:19:53", "2006-09-15T08:19:53Z"),
        ("August 19, 2009 at 5:00pm", "2009-08-19T17:00:00Z"),
        ("Wed, 19 Aug 2009 12:05am", "2009-08-19T00:05:00Z"),
        ("2009-08-19 6:28PM", "2009-08-19T18:28:00Z"),
        ("2018-02-12T23:42:14+01:00[Europe/Paris]", "2018-02-12T22:42:14Z"),
        ("2018-02-12T23:42:14[Europe/Paris]", "2018-02-12T22:42:14Z"),
        ("2018-07-12T23:42:14 [Europe/Paris]", "2018-07-12T21:42:14Z"),
        ("2018-02-12T23:42:14Z[UTC]", "2018-02-12T23:42:14Z"),
        // A name after a number says nothing new, and may be that of several zones.
        ("Tue, 02 Jan 2024 03:04:05 +0800 (CST)", "2024-01-01T19:04:05Z"),
        ("Tue, 02 Jan 2024 03:04:05 +0200 (IST)", "2024-01-02T01:04:05Z"),
        ("2024-01-02 03:04:05 +0800 CST", "2024-01-01T19:04:05Z"),
        ("2024-01-02T03:04:05+08:00 (CST)", "2024-01-01T19:04:05Z"),
        ("Tue, 02 Jan 2024 03:04:05 GMT+0800 (CST)", "2024-01-01T19:04:05Z"),
        ("Tue, 02 Jan 2024 03:04:05 +0100 Europe/Kyiv", "2024-01-02T02:04:05Z"),
        ("Tue, 02 Jan 2024 03:04:05 GMT +0200", "2024-01-02T01:04:05Z"),
        ("Tue, 02 Jan 2024 03:04:05 (CST)", "2024-01-02T09:04:05Z"),
        ("2024-01-02 12.30", "2024-01-02T12:30:00Z"), ("2024-01-02 9.05", "2024-01-02T09:05:00Z"),
        ("2024-01-02 123015.25", "2024-01-02T12:30:15.250Z"),
        ("Sat, 18 Mar 2023 20:21:00 America/Los_Angeles", "2023-03-19T03:21:00Z"),
        ("Sat, 11 Mar 2023 20:21:00 America/Los_Angeles", "2023-03-12T04:21:00Z"),
        ("Sun, 26 Mar 2023 01:59:00 Europe/Berlin", "2023-03-26T00:59:00Z"),
        ("Sun, 26 Mar 2023 03:00:00 Europe/Berlin", "2023-03-26T01:00:00Z"),
        ("Sun, 29 Oct 2023 03:00:00 Europe/Berlin", "2023-10-29T02:00:00Z"),
        ("Mon, 02 Jan 2023 12:00:00 Australia/Sydney", "2023-01-02T01:00:00Z"),
        ("Mon, 03 Jul 2023 12:00:00 Australia/Sydney", "2023-07-03T02:00:00Z"),
        // Summer time was shorter until 2006, and in Australia until 2007.
        ("Mon, 28 Mar 2005 12:00:00 America/New_York", "2005-03-28T17:00:00Z"),
        ("Mon, 04 Apr 2005 12:00:00 America/New_York", "2005-04-04T16:00:00Z"),
        ("Mon, 31 Oct 2005 12:00:00 America/New_York", "2005-10-31T17:00:00Z"),
        ("Mon, 10 Mar 2008 12:00:00 America/New_York", "2008-03-10T16:00:00Z"),
        ("Mon, 28 Mar 2005 12:00:00 Australia/Sydney", "2005-03-28T02:00:00Z"),
        ("Mon, 10 Oct 2005 12:00:00 Australia/Sydney", "2005-10-10T02:00:00Z"),
        ("Tue, 01 Nov 2005 12:00:00 Australia/Sydney", "2005-11-01T01:00:00Z"),
        ("026, 26 Mar 2023 22:43:38 +0000", "2023-03-26T22:43:38Z"),
        ("Tue, 02 Jan 024 10:00:00 GMT", "2024-01-02T10:00:00Z"),
        ("Tue, 02 Jan 124 10:00:00 GMT", "2024-01-02T10:00:00Z"),
        ("5 września 2023 10:00", "2023-09-05T10:00:00Z"), ("1 maja 2023", "2023-05-01T00:00:00Z"),
        ("pon., 02 paź 2023 10:00:00 +0200", "2023-10-02T08:00:00Z"),
        ("05 Şubat 2023 10:00", "2023-02-05T10:00:00Z"), ("5 Ara 2023", "2023-12-05T00:00:00Z"),
        ("05 三月 2024 10:00:00", "2024-03-05T10:00:00Z"),
        ("05 十二月 2024", "2024-12-05T00:00:00Z"), ("05 3월 2024", "2024-03-05T00:00:00Z"),
    ])
    func areRead(_ text: String, as expected: String) {
        #expect(FeedDate(parsing: text)?.text == expected)
    }

    @Test(arguments: [
        "", "yesterday", "2004-02-30", "30 Feb 2004", "2003-13-01", "Thu, 01 Foo 2004 00:00:00 GMT",
        "2003-12-31T25:00:00Z", "2024-01-01T24:00:59Z", "2024-01-01T24:00:00.5Z",
        "99999999999999", "0000-00-00T00:00:00Z",
        String(repeating: "1", count: 200), "-----", "T", "12:30", "Jan", "1 Jan",
        "2003-366", "2003-000", "2021-W54-1", "2021-W53-1", "2021-W01-8", "2021-W",
        "20031331101455",
        "03-13-31", "2004-foo-13", "mar", "mar, 05", "Sat,07Foo2002", "1700000000.", "10.30.00",
        // In UTC they are in the years 0 and 10000.
        "0001-01-01T00:00:00+00:20", "9999-12-31T23:59:59-00:01",
    ])
    func whatIsNoneIsNone(_ text: String) {
        #expect(FeedDate(parsing: text) == nil)
    }

    /// Another date of the same feed shows which number is the day.
    @Test(arguments: [
        (["05/06/2023 09:30", "16/05/2023 09:30"], ["2023-06-05", "2023-05-16"], false),
        (["16/05/2023", "05/06/2023"], ["2023-05-16", "2023-06-05"], false),
        (["05/06/2023", "05/16/2023"], ["2023-05-06", "2023-05-16"], false),
        (
            ["05/06/2023", "05/16/2023", "16/05/2023"], ["2023-05-06", "2023-05-16", "2023-05-16"],
            true
        ),
        (["05-06-2023", "16-05-2023"], ["2023-06-05", "2023-05-16"], false),
        (["05-06-2023", "2023-05-16"], ["2023-05-06", "2023-05-16"], true),
        (["05/06/2023", "05/05/2023"], ["2023-05-06", "2023-05-05"], true),
        (["05/05/2023"], ["2023-05-05"], false),
    ])
    func oneShowsHowAnotherIsMeant(_ dates: [String], _ days: [String], _ isNoted: Bool) throws {
        let items = dates.map { "<item><pubDate>\($0)</pubDate></item>" }.joined()
        let objects = dates.map { "{\"id\":\"\($0)\",\"date_published\":\"\($0)\"}" }
            .joined(separator: ",")
        let json = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(objects)]}"
        var reader = FeedReader()
        reader.mapping = JSONMapping(
            items: try #require(JSONPointer("/items")),
            members: [
                "id": try #require(JSONPointer("/id")),
                "published": try #require(JSONPointer("/date_published")),
            ]
        )
        let feeds = [
            try feed("<rss><channel>\(items)</channel></rss>"), try feed(json),
            try reader.read(Array(json.utf8)),
        ]
        for feed in feeds {
            #expect(feed.entries.map { String($0.published?.text.prefix(10) ?? "") } == days)
            #expect(feed.notes.isEmpty == !isNoted)
        }
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

/// The forms that are read by the byte, which other readers know as well.
@Suite struct UsualDates {
    @Test(arguments: [
        "Tue, 02 Jan 2024 03:04:05 GMT", "2 Jan 2024 03:04:05 +0130", "2 Jan 2024 03:04 UTC",
        "Wed, 31 Dec 1969 23:59:59 -1100", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05-08:00",
        "2024-01-02T03:04+0100",
    ])
    func meanTheSame(_ text: String) throws {
        let date = try #require(FeedDate.usual(text))
        #expect(date == FeedDate.any(text))
    }

    /// Dates with parts of others in them, cut and doubled.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func areNeverMistaken(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "Tue, ", "Sun,", "Mon ", "02 ", "2 ", "31 ", "32 ", "Jan ", "Feb ", "jan ", "Xyz ",
            "2024 ",
            "24 ", "0000 ", "03:04:05 ", "23:59 ", "24:00:00 ", "24:01 ", "3:4 ", "03:04:60 ",
            "GMT", "+0100", "-1260", "+1:00", "+01:00", "Z", "2024-", "02-", "30", "T", "T03:04:05",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            guard let date = FeedDate.usual(text) else { continue }
            #expect(date == FeedDate.any(text), "\(text)")
        }
        for _ in 0..<200 {
            let seconds = Int.random(in: -40_000_000_000...200_000_000_000, using: &random)
            let date = FeedDate(seconds: seconds)
            #expect(FeedDate.usual(date.text) == date && FeedDate.any(date.text) == date)
            #expect(FeedDate.usual(date.mailText) == date)
            #expect(FeedDate.any(date.mailText) == date, "\(date.mailText)")
        }
    }
}
