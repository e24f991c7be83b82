import FeedDiff
import FeedModel
import Testing

@testable import FeedFormats

/// JSON Feed, the protocol's own form, and any other JSON.
@Suite struct ReadingJSON {
    @Test(arguments: [
        ("[\"a\",\"b c\"]", ["a", "b c"]), ("\"a, b c,,d\"", ["a", "b c", "d"]), ("7", ["7"]),
        ("[[\"a\"],\"b\",null]", ["b"]), ("{}", []), ("null", []),
    ])
    func tagsMayBeOneText(_ tags: String, _ expected: [String]) throws {
        let item = "{\"id\":\"1\",\"tags\":\(tags)}"
        let document = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(item)]}"
        #expect(try feed(document).entries.first?.tags == expected)
    }

    @Test(arguments: [
        ("{\"url\":\"https://a.example/a.jpg\"}", "image/jpeg"),
        ("[{\"url\":\"https://a.example/a.mp3?x=1\"}]", "audio/mpeg"),
        ("{\"url\":\"https://a.example/a.jpg\",\"mime_type\":\"video/mp4\"}", "video/mp4"),
    ])
    func anAttachmentMayStandAlone(_ files: String, _ type: String) throws {
        let item = "{\"id\":\"1\",\"attachments\":\(files)}"
        let document = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[\(item)]}"
        let entry = try #require(try feed(document).entries.first)
        #expect(entry.attachments.map(\.type) == [type])
        #expect((entry.image != nil) == (type == "image/jpeg"))
    }

    @Test func jsonFeedHasItsMembers() throws {
        let feed = try feed(
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"T","home_page_url":"/","icon":"/i.png",
             "hubs":[{"type":"WebSub","url":"https://hub.example/"}],"items":[
             {"id":12,"url":"/1","title":"How to  use <script> &amp; if x<y",
              "summary":"<b> is bold","content_html":"<p>x<script>y</script></p>",
              "date_published":"2004-01-01T00:00:00Z","author":{"name":"Ann"},"tags":["a",""],
              "attachments":[{"url":"/a.mp3","mime_type":"audio/mpeg","duration_in_seconds":6.5}]},
             {"id":"2","content_text":"plain","authors":[{"name":"Bo","url":"/bo"},{"name":"Cy"}]}]}
            """
        )
        #expect(feed.format == .jsonFeed)
        #expect(feed.url == "https://example.com/")
        #expect(feed.hub == "https://hub.example/")
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "12")
        #expect(entry.title == "How to use <script> &amp; if x<y")
        #expect(entry.summary == "<b> is bold")
        #expect(entry.contentHTML == "<p>x</p>")
        #expect(entry.authors.map(\.name) == ["Ann"])
        #expect(entry.tags == ["a"])
        #expect(entry.attachments.first?.seconds == 6)
        #expect(feed.entries.last?.content == "plain")
        #expect(feed.entries.last?.authors.count == 2)
    }

    @Test func noTextHasControls() throws {
        let words = "\"a\\u0007\\u0000b\""
        let feed = try feed(
            """
            {"version":"https://jsonfeed.org/version/1.1","title":\(words),"items":[
             {"id":\(words),"title":\(words),"summary":\(words),"content_text":"a\\u001bbc",
              "authors":[{"name":\(words)}],"tags":[\(words)]}]}
            """
        )
        let entry = try #require(feed.entries.first)
        #expect([feed.title, entry.title, entry.summary] == ["ab", "ab", "ab"])
        #expect(entry.content == "abc")
        #expect(entry.authors.map(\.name) + entry.tags == ["ab", "ab"])
        #expect(entry.guid == "a\u{7}\u{0}b")
    }

    @Test func aFeedWithoutItsVersionIsKnownByItsItems() throws {
        let feed = try feed(
            "{\"items\":[{\"id\":\"1\",\"date_published\":\"2004-01-01T00:00:00Z\"}]}"
        )
        #expect(feed.format == .jsonFeed)
    }

    @Test(arguments: ["{\"items\":[{\"id\":\"a\",\"x\":1}]}", "{\"sections\":[]}"])
    func theOwnFormIsLeftAsItIs(_ text: String) throws {
        #expect(try feed(text).nativeDocument == Array(text.utf8))
    }

    /// A site that is not the operator's may change from one form to another.
    @Test(arguments: [
        ("\"content_html\":\"<p>x<script>alert(1)</script></p>\"", "\"content_html\":\"<p>x</p>\""),
        ("\"content_html\":\"<p>x</p>\",\"n\":1.50", "\"content_html\":\"<p>x</p>\",\"n\":1.50"),
        ("\"url\":\"javascript:x\",\"n\":1", "\"n\":1"),
        ("\"image\":\" Java\\tScript:x\",\"n\":1", "\"n\":1"),
        ("\"url\":\"app://x\"", "\"url\":\"app://x\""),
        ("\"external_url\":\"/a:b\"", "\"external_url\":\"/a:b\""),
        ("\"author\":{\"name\":\"A\",\"url\":\"data:x\"}", "\"author\":{\"name\":\"A\"}"),
        ("\"attachments\":[{\"url\":\"vbscript:x\"}]", "\"attachments\":[{}]"),
        ("\"image\":{\"url\":\"javascript:x\"}", "\"image\":{}"),
        ("\"links\":[{\"href\":\"data:x\"}]", "\"links\":[{}]"),
        ("\"of\":{\"maxAge\":1,\"items\":[1]}", "\"of\":{\"maxAge\":1,\"items\":[1]}"),
    ])
    func whatRunsIsLeftOutOfTheOwnForm(_ member: String, _ kept: String) throws {
        for list in ["\"items\":[ITEM]", "\"sections\":[{\"id\":\"s\",\"items\":[ITEM]}]"] {
            func text(_ member: String, more: String = "") -> String {
                "{\(more)\(list.replacing("ITEM", with: "{\"id\":\"a\",\(member)}"))}"
            }
            let found = try feed(text(member, more: "\"maxAge\":31536000,"))
            #expect(String(decoding: found.nativeDocument ?? [], as: UTF8.self) == text(kept))
            #expect(!found.isEmpty)
        }
    }

    @Test func aMemberOfTheFeedThatIsNoListHasNoItems() throws {
        #expect(try feed("{\"items\":[],\"of\":{\"items\":[1]}}").isEmpty)
    }

    @Test func whatRelativeAddressesComeToHasAnEnd() throws {
        let base = "https://example.com/" + String(repeating: "a", count: 2000) + "/"
        let items = (0..<8000).map { "{\"id\":\"\($0)\",\"content_html\":\"<a href=x>\"}" }
        let document = "{\"items\":[\(items.joined(separator: ","))]}"
        let feed = try FeedReader(address: base).read(Array(document.utf8))
        #expect((feed.nativeDocument?.count ?? 0) < 10 * document.utf8.count + 8 << 20)
        #expect(feed.notes.contains { $0.contains("later ones stay relative") })
        let end = String(decoding: feed.nativeDocument?.suffix(80) ?? [], as: UTF8.self)
        #expect(end.contains("{\"id\":\"7999\",\"content_html\":\"<a href=\\\"x\\\""))
    }

    @Test func titlesHaveAnEnd() throws {
        let long = String(repeating: "ä", count: 5000)
        let document = "<rss><channel><title>\(long)</title><item><title>\(long)</title></item>"
        let feed = try FeedReader().read(Array((document + "</channel></rss>").utf8))
        #expect(feed.title?.count == 2000)
        #expect(feed.entries.map { $0.title?.count } == [2000])
        let strange = "<\(String(repeating: "x", count: 100_000))/>"
        #expect {
            try FeedReader().read(Array(strange.utf8))
        } throws: {
            "\($0)".utf8.count < 300
        }
    }

    /// With a mark behind it, a slash or a tilde is part of another character of Swift's.
    @Test func pointersAreReadByScalars() throws {
        let inner = JSONValue.object([.init(name: "~\u{301}", value: .array([]))])
        let value = JSONValue.object([.init(name: "\u{301}a", value: inner)])
        let pointer = try #require(JSONPointer("/\u{301}a/~0\u{301}"))
        guard case .array = pointer.value(in: value) else {
            Issue.record("it leads elsewhere")
            return
        }
        var options = SyndicatedFeed.Options(name: "all")
        options.derived = ["all"]
        let origin = options.origin(of: "news/\u{301}x")
        #expect(origin.feed == "news")
        #expect(origin.id.utf8.elementsEqual("\u{301}x".utf8))
    }

    /// RFC 6901 §4.
    @Test(
        arguments: [
            ("/0", "a"), ("/1", "b"), ("/00", nil), ("/01", nil), ("/+1", nil), ("/-0", nil),
            ("/-", nil), ("/2", nil), ("/", nil), ("/ 1", nil), ("/99999999999999999999", nil),
        ] as [(String, String?)]
    )
    func indicesAreDigitsWithoutLeadingZeros(_ text: String, _ found: String?) throws {
        let list = try JSONValue(parsing: Array("[\"a\",\"b\"]".utf8))
        #expect(try #require(JSONPointer(text)).value(in: list)?.scalar == found)
    }

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("-5", nil), ("\"+5\"", nil), ("\"x\"", nil),
        ] as [(String, Int?)]
    )
    func sizesAreDigits(_ size: String, _ byteCount: Int?) throws {
        let feed = try feed(
            "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"1\","
                + "\"attachments\":[{\"url\":\"/a.mp3\",\"size_in_bytes\":\(size)}]}]}"
        )
        #expect(feed.entries.first?.attachments.first?.byteCount == byteCount)
    }

    @Test func anyJSONIsReadByAMapping() throws {
        var reader = FeedReader(address: "https://example.com/api")
        func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }
        reader.mapping = try JSONMapping(
            items: pointer("/data/list"),
            members: [
                "id": pointer("/key"), "title": pointer("/f/a~1b"), "url": pointer("/path"),
                "published": pointer("/at"),
                "tags": pointer("/labels"), "score": pointer("/n"),
            ],
            title: pointer("/name")
        )
        let text = """
            {"name":"N","data":{"list":[{"key":7,"f":{"a/b":"T"},"path":"/x?utm_source=a","at":1072915200,
             "labels":["l"],"n":1.50},{"nothing":true}]}}
            """
        let feed = try reader.read(Array(text.utf8))
        #expect(feed.title == "N")
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "7")
        #expect(entry.title == "T")
        #expect(entry.url == "https://example.com/x")
        #expect(entry.published?.text == "2004-01-01T00:00:00Z")
        #expect(entry.tags == ["l"])
        #expect(entry.members.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["1.50"])
        #expect(feed.notes == ["element 1 has neither id nor url nor title"])
        #expect(throws: FeedFormatError.malformed("the mapping's “items” leads to no list")) {
            try reader.read(Array("{}".utf8))
        }
    }

    @Test(arguments: [
        "{\"items\":[{]}", "{\"items\":[", "{\"items\":[]} x", "{\"items\" []}", "{\"a",
    ])
    func faultsSayWhereTheyAre(_ text: String) {
        #expect(throws: FeedFormatError.self) { try feed(text) }
    }

    @Test func aFaultInAMemberIsSaidAfterItsPath() {
        #expect {
            try feed("{\"x\":")
        } throws: { error in
            "\(error)".hasPrefix("the document is malformed: x: expected a value")
        }
    }

    /// What is wrong in one member costs at most that.
    @Test(arguments: [
        ("\"a\\ud83d b\"", "a\u{FFFD} b"), ("\"\\udE00x\"", "\u{FFFD}x"),
        ("\"\\ud83d\\ud83d\\ude00\"", "\u{FFFD}😀"), ("\"a\tb\nc\"", "a b c"),
        ("\"first\",\"title\":\"last\"", "last"), ("\"x\",", "x"), ("\"\\q\\u12\"", "qu12"),
        ("\"a\u{1}b\"", "ab"), ("01", "01"),
    ])
    func anIllFormedMemberIsRead(_ value: String, _ title: String) throws {
        let feed = try feed(
            "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":["
                + "{\"id\":\"1\",\"title\":\(value)},"
                + "{\"id\":\"2\",\"title\":\"Two\"},]}"
        )
        #expect(feed.entries.map(\.title) == [title, "Two"])
        #expect(feed.notes.count == 1)
    }

    @Test func theOwnFormIsMendedToo() throws {
        let feed = try feed("{\"items\":[{\"id\":\"a\",\"x\":\"\\ud83d\",},],\"n\":1.50}")
        let text = String(decoding: feed.nativeDocument ?? [], as: UTF8.self)
        #expect(text == "{\"items\":[{\"id\":\"a\",\"x\":\"\u{FFFD}\"}],\"n\":1.50}")
    }

    @Test func deepJSONIsRefused() {
        let deep = "{\"items\":" + String(repeating: "[", count: 100_000)
        #expect(throws: FeedFormatError.self) { try feed(deep) }
        #expect(throws: FeedFormatError.self) {
            try feed(deep + String(repeating: ",]", count: 100_000))
        }
    }

    @Test func aContentThatIsTheSummaryIsNotSaidTwice() throws {
        let feed = try feed(
            "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":["
                + "{\"id\":\"1\",\"summary\":\"S\",\"content_text\":\"S\"}]}"
        )
        #expect(feed.entries.first?.summary == "S")
        #expect(feed.entries.first?.content == nil)
    }

    /// What a mapping takes is what somebody else made of it.
    @Test(arguments: [
        ("7", "\"kind\":\"7\""), ("\"a\"", "\"kind\":\"a\""), ("[1]", nil), ("null", nil),
    ])
    func aMappedKindIsAText(_ value: String, _ member: String?) throws {
        var reader = FeedReader()
        func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }
        reader.mapping = try JSONMapping(
            items: pointer(""),
            members: ["id": pointer("/id"), "kind": pointer("/kind"), "deep": pointer("/deep")]
        )
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        let text = "[{\"id\":1,\"kind\":\(value)},{\"id\":2,\"deep\":{\"a\":{\"b\":\(deep)}}}]"
        let feed = try reader.read(Array(text.utf8))
        let now = FeedDate(seconds: 1_700_000_000)
        let snapshot = SourceSnapshot.make(feed, current: nil, options: .init(), now: now)
        let items = snapshot.sections.flatMap { Array($0.items) }
        #expect(items.map(\.id) == ["1", "2"])
        let json = String(decoding: items[0].json.bytes, as: UTF8.self)
        #expect(member.map(json.contains) ?? !json.contains("kind"), "\(json)")
    }

    @Test func aPageInPlaceOfMappedJSONIsAPage() throws {
        var reader = FeedReader()
        let pointer = try #require(JSONPointer(""))
        reader.mapping = JSONMapping(items: pointer, members: ["id": pointer])
        #expect(throws: FeedFormatError.page(title: "Log in")) {
            try reader.read(Array("<!DOCTYPE html><title>Log in</title>".utf8))
        }
    }

    @Test func contentOfAMappingIsRelativeToItsEntry() throws {
        var reader = FeedReader(address: "https://api.example/v1/list")
        func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text)) }
        reader.mapping = try JSONMapping(
            items: pointer(""),
            members: ["content_html": pointer("/body"), "url": pointer("/link")]
        )
        let text = "[{\"link\":\"https://example.com/a/\",\"body\":\"<img src='b.png'>\"}]"
        let entry = try reader.read(Array(text.utf8)).entries.first
        #expect(entry?.contentHTML == "<img src=\"https://example.com/a/b.png\">")
    }
}
