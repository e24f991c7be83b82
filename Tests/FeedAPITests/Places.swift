import FeedModel
import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Errors": where a fault is in the body.
@Suite(.bothWays) struct Places {
    struct Faulty: Sendable, CustomTestStringConvertible {
        let request: String
        /// A body, with `▸` before the byte at fault.
        let body: String
        let pointer: String

        init(_ request: String, _ body: String, _ pointer: String) {
            (self.request, self.body, self.pointer) = (request, body, pointer)
        }

        /// The byte at fault, and its line.
        var place: (offset: Int, line: Int)? {
            guard let mark = body.firstRange(of: "▸") else { return nil }
            let before = body[..<mark.lowerBound]
            return (before.utf8.count, before.count { $0 == "\n" } + 1)
        }

        var testDescription: String { "\(request) \(body)" }
    }

    private static let put = "PUT /feeds/news application/json"
    private static let edits = "PATCH /feeds/news application/json"
    private static let patch = "PATCH /feeds/news application/json-patch+json"
    private static let post = "POST /feeds/news/items application/json"
    private static let item = "PUT /feeds/news/items/a1 application/json"
    private static let events = "POST /events application/json"
    private static let merge = "PATCH /feeds/news/items/a1 application/merge-patch+json"

    static let faulty = [
        Faulty(put, "▸", ""), Faulty(put, "\n\n  ▸x", ""), Faulty(put, " ▸[]", ""),
        Faulty(put, " ▸{\"a\": 1}", ""), Faulty(put, "{\"items\": [▸", "/items/0"),
        Faulty(put, "{\n\"items\":\n[] ▸x", ""),
        // With a mark behind it, a slash is part of another character of Swift's.
        Faulty(
            put,
            "{\"items\":[{\"id\":\"a\",\"x/\u{301}~\u{301}\":{\"k\":1,\"k\":▸2}}]}",
            "/items/0/x~1\u{301}~0\u{301}/k"
        ),
        Faulty(put, "{\"items\": [{\"id\": \"x\", \"n\": ▸tru}]}", "/items/0/n"),
        Faulty(put, "{\"items\": [{\"id\": ▸\"a\\u0000\"}]}", "/items/0/id"),
        Faulty(put, "{\"items\": [{\"id\": \"x\", \"s/~\": ▸\"a\\x\"}]}", "/items/0/s~1~0"),
        Faulty(put, "{\"items\": [\n{\"id\": \"x\"},\n{\"id\": ▸\"x\"}]}", "/items/1/id"),
        Faulty(put, "{\"items\": [{\"id\": \"é\"}, ▸{}]}", "/items/1"),
        Faulty(put, "{\"sections\": [{\"id\": \"s\", \"title\": ▸1}]}", "/sections/0/title"),
        Faulty(put, "{\"title\": ▸{}, \"items\": []}", "/title"),
        Faulty(put, "{\"items\": [], \"sections\": ▸[]}", "/sections"),
        Faulty(events, "{\"match\": [\"x*\"], \"token\": ▸1}", "/token"),
        Faulty(put, "{\"items\": [], \"maxAge\": ▸-1}", "/maxAge"),
        Faulty(
            put,
            "{\"items\": [], \"collate\": {\"by\": \"n\", \"locale\": ▸7}}",
            "/collate/locale"
        ),
        Faulty(put, "{\"items\": [], \"collate\": ▸{\"by\": \"n\"}}", "/collate"),
        Faulty(
            put,
            "{\"items\": [], \"collate\": {\"[-1]\": ▸1, \"\": [1]}}",
            "/collate/[-1]"
        ),
        Faulty(edits, "▸[]", ""), Faulty(edits, "▸{}", ""),
        Faulty(edits, "{\"edits\": [{\"remove\": \"a1\"}, ▸{}]}", "/edits/1"),
        Faulty(edits, "{\"edits\": [{\"remove\": ▸1}]}", "/edits/0/remove"),
        Faulty(edits, "{\"edits\" : [{\"a\" :1, \"remove\"\n\t: ▸1}]}", "/edits/0/remove"),
        Faulty(
            edits,
            "{\"edits\": [{\"insert\": {\"id\": \"x\"},\n \"at\": ▸\"top\"}]}",
            "/edits/0/at"
        ),
        Faulty(
            edits,
            "{\"edits\": [{\"set\": {\"a\": {\"x\": [1, {}]}}, \"item\": \"a1\", \"unset\": [\"b\", ▸\"a\"]}]}",
            "/edits/0/unset/1"
        ),
        Faulty(
            edits,
            "{\"edits\": [{\"insertSection\": {\"id\": \"s\", \"items\": [{\"id\": \"x\"}, {\"id\": ▸\"x\"}]}}]}",
            "/edits/0/insertSection/items/1/id"
        ),
        Faulty(edits, "{\"edits\": [{\"setFeed\": {\"a\": 1}, \"b.c\": ▸1}]}", "/edits/0/b.c"),
        Faulty(patch, "▸{}", ""),
        Faulty(patch, "[{\"op\": \"test\", \"path\": \"\", \"value\": 1}, ▸7]", "/1"),
        Faulty(patch, "[{\"op\": ▸\"put\", \"path\": \"/a\"}]", "/0/op"),
        Faulty(patch, "[▸{\"op\": \"remove\"}]", "/0"),
        Faulty(post, "[{\"id\": \"x\"},\n {\"id\": ▸\"x\"}]", "/1/id"),
        Faulty(post, "[{\"id\": \"x\"}, ▸3]", "/1"), Faulty(post, "▸7", ""),
        Faulty(post, "{\"id\": \"x\", \"kind\": ▸1}", "/kind"),
        Faulty(item, "{\"n\": 1, \"id\": ▸\"other\"}", "/id"),
        Faulty(merge, "{\"n\": ▸}", "/n"),
    ]

    /// Items in edits, and what they ask of their members.
    static let edited = [
        Faulty(
            edits,
            "{\"edits\":[\n{\"insert\":\n{\"id\":\"z\",\n\"kind\":▸5}}]}",
            "/edits/0/insert/kind"
        ),
        Faulty(
            edits,
            "{\"edits\": [\n{\"replace\": { \"id\" : ▸[\"z\"]}}]}",
            "/edits/0/replace/id"
        ),
        Faulty(edits, "{\"edits\": [{\"insert\": {\"kind\":\n ▸null}}]}", "/edits/0/insert/kind"),
        Faulty(edits, "{\"edits\": [\n{\"insert\": ▸\"z\"}]}", "/edits/0/insert"),
        Faulty(
            edits,
            """
            {"edits": [{"remove": "a1"},
              {"insertSection": {"id": "s", "items": [{"id": "x"},
                {"id": "y", "é": [], "kind": ▸{}}]}}]}
            """,
            "/edits/1/insertSection/items/1/kind"
        ),
        Faulty(
            edits,
            "{\"edits\": [{\"insertSection\": {\"id\": \"s\", \"items\": [\n▸7]}}]}",
            "/edits/0/insertSection/items/0"
        ),
    ]

    /// Of a member that stands twice the second value is at fault.
    static let twice = [
        Faulty(put, "{\"items\":[],\n\"items\":▸[]}", "/items"),
        Faulty(put, "{\"items\": [], \"a\": 1, \"\\u0061\"\n:\n ▸{}}", "/a"),
        Faulty(put, "{\"items\": [{\"id\": \"x\",\n\"id\": ▸\"x\"}]}", "/items/0/id"),
        Faulty(
            put,
            "{\"sections\": [{\"id\": \"s\", \"x\": [{\"é\": 1, \"é\": ▸}",
            "/sections/0/x/0/é"
        ),
        Faulty(put, "{\"a\": 1, \"a\": ▸", "/a"), Faulty(put, "{\"a\": 1, \"a\" ▸, 2}", "/a"),
        Faulty(edits, "{\"edits\": [],\n\"edits\":▸[]}", "/edits"),
        Faulty(
            edits,
            "{\"edits\": [{\"insert\":\n{\"id\": \"x\", \"n\": 1, \"n\":\n▸2}}]}",
            "/edits/0/insert/n"
        ),
        Faulty(patch, "[{\"op\": \"remove\", \"path\": \"/a\", \"op\": ▸\"add\"}]", "/0/op"),
        Faulty(post, "[{\"id\": \"x\", \"n\": {\"m\": 1, \"m\": ▸2}}]", "/0/n/m"),
        Faulty(item, "{\"n\": 1, \"n\": ▸1}", "/n"),
        Faulty(merge, "{\"n\": 1, \"n\": ▸null}", "/n"),
        Faulty(events, "{\"feeds\": {\"news\": null,\n\"news\": ▸null}}", "/feeds/news"),
        Faulty(events, "{\"match\": [], \"match\": ▸[\"x\"]}", "/match"),
    ]

    static let failing = [
        Faulty(edits, "{\"edits\": [{\"remove\": \"a1\"},\n ▸{\"remove\": \"none\"}]}", "/edits/1"),
        Faulty(patch, "[ ▸{\"op\": \"remove\", \"path\": \"/none\"}]", "/0"),
        Faulty(post, "[{\"id\": \"x\"}, {\"id\": ▸\"a1\"}]", "/1/id"),
    ]

    @Test(arguments: faulty + edited + twice)
    func isSent(_ faulty: Faulty) async throws {
        try await expect(400, faulty)
    }

    /// What the detail says in words is the same place.
    @Test(arguments: edited + twice)
    func isToldInWordsToo(_ faulty: Faulty) async throws {
        let answer = try await send(faulty)
        let (offset, line) = try #require(faulty.place)
        #expect(answer.detail.hasSuffix("at byte \(offset) (line \(line))"), "\(answer.detail)")
    }

    /// The form is right; the feed's state is another.
    @Test(arguments: failing)
    func isToldOfWhatDidNotApply(_ faulty: Faulty) async throws {
        try await expect(409, faulty)
    }

    private func expect(_ status: Int, _ faulty: Faulty) async throws {
        let answer = try await send(faulty)
        let (offset, line) = try #require(faulty.place)
        #expect(answer.status == status)
        #expect(answer.json["pointer"]?.string == faulty.pointer, "\(answer.text)")
        #expect(answer.json["offset"]?.int == offset, "\(answer.text)")
        #expect(answer.json["line"]?.int == line)
    }

    private func send(_ faulty: Faulty) async throws -> TestResponse {
        let parts = faulty.request.split(separator: " ").map(String.init)
        let body = faulty.body.replacing("▸", with: "")
        let api = API()
        try await api.put("news", Patching.sample)
        return try await api.send(parts[0], parts[1], body, ["Content-Type": parts[2]])
    }

    @Test func theOffsetIsThatOfTheDecodedBody() async throws {
        let api = API()
        let body = [UInt8](#"{"items": [{}]}"#.utf8)
        let coded = ContentCoding.gzip.compress(body)
        let headers = ["Content-Encoding": "gzip", "Content-Type": "application/json"]
        let answer = try await api.send("PUT", "/feeds/news", bytes: coded, headers)
        #expect(answer.status == 400)
        #expect(answer.json["offset"]?.int == 11)
    }

    /// What comes of a patch has not been sent.
    @Test(arguments: [
        (patch, #"[{"op":"add","path":"/sections/0/items/-","value":{"id":"z","kind":5}}]"#),
        (patch, #"[{"op":"add","path":"/sections/0/items/-","value":5}]"#),
        (patch, #"[{"op":"replace","path":"/title","value":null}]"#),
        (merge, #"{"kind":5}"#), (merge, "5"),
    ])
    func whatComesOfAPatchHasNoPlace(_ request: String, _ body: String) async throws {
        let answer = try await send(Faulty(request, body, ""))
        #expect(answer.status == 422)
        #expect(answer.json["offset"] == nil)
        #expect(answer.detail.contains("expected") || answer.detail.contains("must be"))
        #expect(!answer.detail.contains("at byte"), "\(answer.detail)")
    }

    @Test(arguments: [
        ("GET", "/feeds/news?limit=x"), ("PUT", "/feeds/NEWS"), ("GET", "/feeds/gone"),
        ("PATCH", "/feeds/news/items/a1"),
    ])
    func whatHasNoPlaceInABodyHasNone(_ method: String, _ target: String) async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let answer = try await api.send(method, target, method == "GET" ? nil : #"{"id":"b"}"#)
        #expect(answer.status >= 400)
        #expect(answer.json["pointer"] == nil)
        #expect(answer.json["offset"] == nil)
    }

    @Test(arguments: [
        ("GET", "/feeds/news/items?id=%ff", "\"id\""), ("GET", "/feeds/news?since=%", "\"since\""),
        ("GET", "/feeds/news?x=1&li%6dit=%zz", "\"limit\""),
        ("GET", "/feeds/news?other=%c3", "\"other\""),
        ("GET", "/feeds/news?%ff=1", "name of a query parameter"), ("GET", "/feeds/%ff", "path"),
        ("PUT", "/feeds/News", "a-z"), ("PUT", "/feeds/-x", "begins"),
        ("PUT", "/feeds/a.json", ".json"),
        ("PUT", "/feeds/" + String(repeating: "x", count: 129), "128"),
        ("PUT", "/feeds/news/items/%00", "control"),
        ("PUT", "/feeds/news/items/" + String(repeating: "x", count: 257), "256"),
        ("PUT", "/feeds/news/items/%2e%2e", ".."),
    ])
    func theDetailNamesTheRule(_ method: String, _ target: String, _ words: String) async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let answer = try await api.send(method, target, method == "PUT" ? "{}" : nil)
        #expect(answer.status == 400)
        #expect(answer.detail.contains(words), "\(answer.detail)")
    }
}
