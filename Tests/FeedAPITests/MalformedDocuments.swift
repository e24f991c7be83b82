import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Ids and values" and "Errors": what is refused, with the place, and changes
/// nothing.
@Suite(.bothWays) struct MalformedDocuments {
    /// Bytes that are no JSON at all.
    static let noJSON = [
        "", " ", "{", "}", "[", "]", "nul", "tru", "falsee", "NaN", "Infinity", "undefined",
        "{'items':[]}", "{items:[]}", #"{"items":[],}"#, #"{"items":[,]}"#, #"{"items":[1,]}"#,
        #"{"items":[]"#, #"{"items":[]}}"#, #"{"items":[]} x"#, #"{"items":[]}{}"#,
        #"{"items" []}"#, #"{"items":}"#, #"{"items":[]/*c*/}"#, "//c\n{\"items\":[]}",
        #"{"items":[{"id":"x","n":01}]}"#, #"{"items":[{"id":"x","n":+1}]}"#,
        #"{"items":[{"id":"x","n":1.}]}"#, #"{"items":[{"id":"x","n":.5}]}"#,
        #"{"items":[{"id":"x","n":1e}]}"#, #"{"items":[{"id":"x","n":-}]}"#,
        #"{"items":[{"id":"x","n":0x1}]}"#, #"{"items":[{"id":"x","n":1 2}]}"#,
        #"{"items":[{"id":"\x"}]}"#, #"{"items":[{"id":"\u12"}]}"#, #"{"items":[{"id":"\u12g4"}]}"#,
        #"{"items":[{"id":"x"#, #"{"items":[{"id":"\"#, "{\"items\":[{\"id\":\"a\nb\"}]}",
        "{\"items\":[{\"id\":\"a\u{0}b\"}]}", "\u{feff}{\"items\":[]}",
        #"{"items":[{"id":"\ud800"}]}"#, #"{"items":[{"id":"\udc00\ud800"}]}"#,
        #"{"items":[{"id":"x","s":"\ud83dx"}]}"#, "\u{0b}{\"items\":[]}", "{\"items\":[]}\u{0}",
    ]

    /// JSON that is no feed, and what the detail names.
    static let noFeed: [(String, String)] = [
        ("[]", ""), ("null", ""), ("7", ""), (#""x""#, ""), ("{}", ""),
        (#"{"title":"x"}"#, ""), (#"{"items":{}}"#, "items"), (#"{"items":null}"#, "items"),
        (#"{"items":"x"}"#, "items"), (#"{"items":[1]}"#, "items[0]"),
        (#"{"items":[null]}"#, "items[0]"), (#"{"items":[[]]}"#, "items[0]"),
        (#"{"items":[{"id":"a"},{}]}"#, "items[1]"), (#"{"items":[{"id":7}]}"#, "items[0].id"),
        (#"{"items":[{"id":null}]}"#, "items[0].id"), (#"{"items":[{"id":""}]}"#, "items[0].id"),
        (#"{"items":[{"id":"."}]}"#, "items[0].id"), (#"{"items":[{"id":".."}]}"#, "items[0].id"),
        (#"{"items":[{"id":"a\u0000b"}]}"#, "items[0].id"),
        (#"{"items":[{"id":"a\tb"}]}"#, "items[0].id"),
        (#"{"items":[{"id":"\u007f"}]}"#, "items[0].id"),
        (#"{"items":[{"id":"\u0085"}]}"#, "items[0].id"),
        (#"{"items":[{"id":"x","id":"x"}]}"#, "items[0]"),
        (#"{"items":[{"id":"x","n":{"a":1,"\u0061":2}}]}"#, "items[0].n"),
        (#"{"items":[{"id":"x","kind":1}]}"#, "items[0].kind"),
        (#"{"items":[{"id":"x","kind":null}]}"#, "items[0].kind"),
        (#"{"title":1,"items":[]}"#, "title"), (#"{"title":null,"items":[]}"#, "title"),
        (#"{"a":1,"a":2,"items":[]}"#, "a"), (#"{"items":[],"items":[]}"#, "items"),
        (#"{"sections":{}}"#, "sections"), (#"{"sections":[1]}"#, "sections[0]"),
        (#"{"sections":[{}]}"#, "sections[0]"), (#"{"sections":[{"id":""}]}"#, "sections[0].id"),
        (#"{"sections":[{"id":"a","items":{}}]}"#, "sections[0].items"),
        (#"{"sections":[{"id":"a","title":1}]}"#, "sections[0].title"),
        (#"{"sections":[{"id":"a","index":[]}]}"#, "sections[0].index"),
        (#"{"sections":[{"id":"a","items":[{"id":"x"},7]}]}"#, "sections[0].items[1]"),
        (#"{"sections":[],"items":[]}"#, "items"), (#"{"maxAge":-1,"items":[]}"#, "maxAge"),
    ]

    /// What stands twice: the second place, and the first.
    static let twice: [(String, String, String)] = [
        (#"{"items":[{"id":"x"},{"id":"y"},{"id":"x"}]}"#, "items[2]", "items[0]"),
        (#"{"items":[{"id":"x"},{"id":"\u0078"}]}"#, "items[1]", "items[0]"),
        (#"{"sections":[{"id":"a"},{"id":"a"}]}"#, "sections[1]", "sections[0]"),
        (
            #"{"sections":[{"id":"a","items":[{"id":"x"}]},{"id":"b","items":[{"id":"x"}]}]}"#,
            "sections[1].items[0]", "sections[0].items[0]"
        ),
    ]

    private func expectRefusal(
        _ body: [UInt8],
        naming place: String = "",
        _ kind: String = "malformed"
    ) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        for feed in ["news", "other"] {
            let answer = try await api.send(
                "PUT",
                "/feeds/\(feed)",
                bytes: body,
                ["Content-Type": "application/json"]
            )
            #expect(answer.status == 400, "\(String(decoding: body, as: UTF8.self))")
            #expect(answer.problem == kind)
            #expect(!answer.detail.isEmpty)
            #expect(answer.detail.contains(place), "\(answer.detail)")
        }
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
        #expect(try await api.get("/feeds/other").status == 404)
    }

    @Test(arguments: noJSON)
    func whatIsNoJSON(_ body: String) async throws {
        try await expectRefusal(Array(body.utf8))
    }

    @Test(arguments: noFeed)
    func whatIsNoFeed(_ body: String, _ place: String) async throws {
        try await expectRefusal(Array(body.utf8), naming: place)
    }

    @Test(arguments: twice)
    func idsThatStandTwice(_ body: String, _ second: String, _ first: String) async throws {
        try await expectRefusal(Array(body.utf8), naming: second, "duplicate-id")
        try await expectRefusal(Array(body.utf8), naming: first, "duplicate-id")
    }

    /// An overlong slash, a lone continuation, a cut sequence, a surrogate, beyond U+10FFFF.
    @Test(
        arguments: [
            [0xc0, 0xaf], [0x80], [0xc3], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff],
        ] as [[UInt8]]
    )
    func whatIsNoUTF8(_ bytes: [UInt8]) async throws {
        try await expectRefusal(Array(#"{"items":[{"id":"x"#.utf8) + bytes + Array(#""}]}"#.utf8))
    }

    @Test(arguments: [(1, 201), (256, 201), (257, 400)])
    func idsHaveOneToTwoHundredAndFiftySixBytes(_ count: Int, _ status: Int) async throws {
        let id = String(repeating: "é", count: count / 2) + (count % 2 == 1 ? "x" : "")
        let item = #"{"items":[{"id":"\#(id)"}]}"#
        #expect(try await API().send("PUT", "/feeds/news", item).status == status)
        let section = #"{"sections":[{"id":"\#(id)"}]}"#
        #expect(try await API().send("PUT", "/feeds/news", section).status == status)
    }

    /// Levels of an item (its object is the first), of a feed's and of a section's member.
    @Test(arguments: [(64, 201), (65, 400)])
    func anItemHasSixtyFourLevels(_ depth: Int, _ status: Int) async throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let bodies = [
            #"{"items":[{"id":"x","n":\#(nested(depth - 1))}]}"#,
            #"{"n":\#(nested(depth)),"items":[]}"#,
            #"{"sections":[{"id":"a","n":\#(nested(depth))}]}"#,
        ]
        for body in bodies {
            let answer = try await API().send("PUT", "/feeds/news", body)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test(arguments: [
        "A", "news.json", "news.atom", "news.rss", "-a", ".a", "_a", "a%2Fb", "%C3%A9", "",
        "a%20b", String(repeating: "a", count: 129),
    ])
    func namesThatNoFeedCanHave(_ name: String) async throws {
        let api = API()
        let answer = try await api.send("PUT", "/feeds/\(name)", #"{"items":[]}"#)
        #expect(answer.status == 400)
        #expect(try await api.get("/feeds/\(name)").status == 404)
    }

    @Test(arguments: ["a", "0", "a.b-c_d", "a.jso", "a.json.x", String(repeating: "a", count: 128)])
    func namesThatAFeedCanHave(_ name: String) async throws {
        #expect(try await API().send("PUT", "/feeds/\(name)", #"{"items":[]}"#).status == 201)
    }
}
