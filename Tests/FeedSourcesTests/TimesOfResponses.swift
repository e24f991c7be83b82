import HTTPClient
import HTTPTypes
import Testing

@testable import FeedSources

/// The times that responses state: for how long they are fresh, and when to ask again.
@Suite struct TimesOfResponses {
    private func response(_ fields: HTTPFields) -> HTTPClient.Response {
        var head = HTTPClient.Response.Head()
        (head.status, head.fields) = (200, fields)
        return HTTPClient.Response(head: head, body: [])
    }

    /// RFC 9111 §4.2.1: `max-age` counts before `Expires`, whatever it says.
    @Test(
        arguments: [
            (nil, 3600), ("public", 3600), ("s-maxage=5", 3600), ("max-age=60", 60),
            ("public, Max-Age = 60", 60), ("max-age=60, max-age=90", 60), ("max-age=0", nil),
            ("max-age=0, must-revalidate", nil), ("max-age=-1", nil), ("max-age=+60", nil),
            ("max-age=x", nil), ("max-age", nil), ("max-age=", nil),
            ("max-age=99999999999999999999", 86_400 * 365),
        ] as [(String?, Int?)]
    )
    func anAgeCountsBeforeADate(_ control: String?, _ freshness: Int?) {
        var fields: HTTPFields = [
            .date: "Thu, 01 Jan 2004 00:00:00 GMT", .expires: "Thu, 01 Jan 2004 01:00:00 GMT",
        ]
        fields[.cacheControl] = control
        #expect(SourceFetch.freshness(response(fields)) == freshness)
    }

    /// RFC 9110 §10.2.3: digits alone, or a date.
    @Test(
        arguments: [
            ("120", 120), (" 0 ", 0), ("+120", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
            ("99999999999999999999", 86_400 * 365), ("Thu, 01 Jan 2004 00:01:00 GMT", 60),
            ("Wed, 31 Dec 2003 00:00:00 GMT", 0),
        ] as [(String, Int?)]
    )
    func aPauseIsDigitsOrADate(_ text: String, _ seconds: Int?) {
        let response = response([.retryAfter: text])
        #expect(SourceFetch.retryAfter(response, now: 1_072_915_200) == seconds)
    }
}
