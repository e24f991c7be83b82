import HTTPServer
import HTTPTypes
import TestSupport
import Testing

/// RFC 9110 §13: conditions on documents.
///
/// `TAG` stands for the current entity tag with its quotes.
@Suite struct ConditionalRequests {
    private static let feed = SampleFeed(name: "conditional", itemCount: 3)

    private func answer(_ method: String, _ fields: String) throws -> RawResponse {
        let fields = fields.replacing("TAG", with: try Self.feed.tag())
        return try Subject.api.answer(
            "\(method) \(Self.feed.target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n",
            isHead: method == "HEAD"
        )
    }

    /// §13.1.2: weak comparison, lists, `*`.
    @Test(arguments: [
        ("If-None-Match: TAG", 304), ("If-None-Match: W/TAG", 304), ("If-None-Match: *", 304),
        ("If-None-Match: \"x\", TAG", 304), ("If-None-Match: \"x\",W/TAG,\"y\"", 304),
        ("If-None-Match: , ,TAG ,", 304), ("If-None-Match: \"x\"\r\nIf-None-Match: TAG", 304),
        ("If-None-Match: \"a,b\", TAG", 304), ("If-None-Match:\tTAG\t", 304),
        ("If-None-Match: \"x\"", 200), ("If-None-Match: \"\"", 200), ("If-None-Match:", 200),
        ("If-None-Match: w/TAG", 200), ("If-None-Match: \"TAG\"", 200),
        ("If-None-Match: TAG x", 200),
        ("If-None-Match: \"*\"", 200), ("If-None-Match: TAGx", 200), ("If-None-Match: \"x", 200),
    ])
    func conditionsTellWhenThereIsNothingNew(_ field: String, _ status: Int) throws {
        for method in ["GET", "HEAD"] {
            let answer = try answer(method, field)
            #expect(answer.status == status)
            #expect(answer["etag"] == (try Self.feed.tag()))
            #expect(answer["cache-control"] != nil)
            #expect(answer["vary"] != nil)
            if status == 304 { #expect(answer["content-length"] == nil) }
        }
    }

    /// §13.1.1: strong comparison, before If-None-Match (§13.2.2).
    @Test(arguments: [
        ("If-Match: TAG", 200), ("If-Match: *", 200), ("If-Match: \"x\", TAG", 200),
        ("If-Match: TAG\r\nIf-None-Match: TAG", 304),
    ])
    func conditionsOnReadsHoldForTheDocumentAsItIs(_ field: String, _ status: Int) throws {
        for method in ["GET", "HEAD"] {
            #expect(try answer(method, field).status == status)
        }
    }

    @Test(arguments: [
        "If-Match: \"x\"", "If-Match: W/TAG", "If-Match: \"x\", \"y\"",
        "If-Match: \"x\"\r\nIf-None-Match: TAG",
    ])
    func conditionsOnReadsFailWhenTheDocumentIsAnother(_ field: String) throws {
        for method in ["GET", "HEAD"] {
            let answer = try answer(method, field)
            #expect(answer.status == 412)
        }
    }

    @Test(arguments: [
        ("If-Match: TAG\r\n", 200), ("If-Match: *\r\n", 200), ("If-Match: \"x\", TAG\r\n", 200),
        ("If-Match: \"x\"\r\n", 412), ("If-Match: W/TAG\r\n", 412), ("If-None-Match: *\r\n", 412),
        ("If-None-Match: TAG\r\n", 412), ("If-None-Match: W/TAG\r\n", 412),
        ("If-None-Match: \"x\"\r\n", 200), ("If-Match: TAG\r\nIf-None-Match: \"x\"\r\n", 200),
        ("If-Match: \"x\"\r\nIf-None-Match: \"x\"\r\n", 412),
        ("If-Match: TAG\r\nIf-None-Match: TAG\r\n", 412),
    ])
    func conditionsOnWritesKeepOthersWork(_ fields: String, _ status: Int) throws {
        let feed = SampleFeed(name: "written", itemCount: 1)
        let fields = fields.replacing("TAG", with: try feed.tag())
        let answer = try Subject.api.answer(feed.put(#"{"items":[{"id":"item-0"}]}"#, fields))
        #expect(answer.status == status)
    }

    @Test(arguments: [("If-Match: *\r\n", 412), ("If-Match: \"x\"\r\n", 412)])
    func conditionsOnWritesNeedWhatIsNotThere(_ fields: String, _ status: Int) throws {
        let feed = SampleFeed(name: "absent", itemCount: 0)
        #expect(try Subject.api.answer(feed.put(Subject.content, fields)).status == status)
    }

    /// §13.2.1: what would fail anyway fails as it would.
    @Test(arguments: ["If-None-Match: *", "If-Match: *", "If-Match: \"x\""])
    func conditionsDoNotChangeOtherFailures(_ field: String) throws {
        let absent = try Subject.api.answer(Subject.get("/feeds/absent", field + "\r\n"))
        #expect(absent.status == 404)
        let bad = try Subject.api.answer(Subject.get("/feeds/conditional?since=x", field + "\r\n"))
        #expect(bad.status == 400)
    }

    /// §14.2: ranges are not offered, and so not looked at.
    @Test(arguments: [
        "Range: bytes=0-1", "Range: bytes=-1", "Range: bytes=9999999-", "Range: x",
        "Range: bytes=5-1",
        "Range: bytes=0-1\r\nIf-Range: \"x\"", "Range: bytes=0-,0-,0-,0-,0-",
    ])
    func conditionsOnRangesAreIgnored(_ field: String) throws {
        let answer = try answer("GET", field)
        #expect(answer.status == 200)
        #expect(answer["content-range"] == nil)
    }
}
