import FeedModel
import HTTPServer
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Many feeds in one request", and docs/READING.md, "Streams": `QUERY`
/// (RFC 10008), which answers as a `GET` with the names of its body would.
@Suite(.timeLimit(.minutes(2))) struct Querying {
    private static let one = #"{"items":[{"id":"a","n":1},{"id":"b"},{"id":"c"},{"id":"d"}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"b"},{"id":"c"},{"id":"d"}]}"#

    private func withServer(
        _ configure: (inout APIConfiguration) -> Void = { _ in },
        _ body: (LiveAPI, Int) async throws -> Void
    ) async throws {
        let live = try LiveAPI(configure)
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 2, handler: live.api)
        server.start()
        do {
            try await body(live, server.port)
        } catch {
            await server.stopped(within: .zero)
            throw error
        }
        await server.stopped(within: .zero)
    }

    private func query(
        _ client: RawClient,
        _ target: String,
        _ body: String,
        _ fields: String = "Content-Type: application/json\r\n"
    ) throws -> RawResponse {
        try client.send(
            "QUERY \(target) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try client.receive()
    }

    @Test(arguments: ["", "&limit=1", "&section=main", "&as=changes"])
    func aPullIsThatOfTheSameNames(_ view: String) async throws {
        try await withServer { live, port in
            let old = try live.put("news", Self.one)
            try live.put("news", Self.two)
            let same = try live.put("sports", Self.one)
            let client = try RawClient(port: port)
            let feeds = "feed=news@\(old)&feed=gone&feed=sports@\(same)&feed=No%20Name"
            let target = "/pull?\(feeds)\(view)"
            try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            let plain = try client.receive()
            let names =
                #"{"feeds":{"news":"\#(old)","gone":null,"sports":"\#(same)","No Name":null}}"#
            let answer = try query(client, "/pull?" + view.dropFirst(), names)
            #expect(answer.status == 200)
            #expect(answer.body == plain.body)
            #expect(answer["etag"] == plain["etag"])
            #expect(answer["cache-control"] == "no-store")
            let tag = try #require(answer["etag"])
            let fields = "Content-Type: application/json\r\nIf-None-Match: \(tag)\r\n"
            let again = try query(client, "/pull?" + view.dropFirst(), names, fields)
            #expect(again.status == 304)
            #expect(again["cache-control"] == "no-store")
        }
    }

    @Test(arguments: ["?wait=60", ""]) func aPullWaits(_ wait: String) async throws {
        try await withServer { live, port in
            let token = try live.put("news", Self.one)
            let fields =
                "Content-Type: application/json\r\n" + (wait.isEmpty ? "Prefer: wait=60\r\n" : "")
            let body = #"{"feeds":{"news":"\#(token)"}}"#
            let client = try RawClient(port: port)
            try client.send(
                "QUERY /pull\(wait) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n"
                    + body
            )
            let name = try #require(FeedName("news"))
            // Held until then: a topic is its subscribers' alone.
            let topic = live.api.service.topics.topic(of: name)
            while topic.subscriberCount == 0 { await Task.yield() }
            withExtendedLifetime(topic) {}
            let new = try live.put("news", Self.two)
            let answer = try client.receive()
            #expect(answer.status == 200)
            #expect(answer.text.contains("\(new)"))
            #expect(answer["preference-applied"] == (wait.isEmpty ? "wait=60" : nil))
        }
    }

    @Test func aStreamIsThatOfTheSameNames() async throws {
        try await withServer { live, port in
            let old = try live.put("news", Self.one)
            let new = try live.put("news", Self.two)
            let sports = try live.put("sports", Self.one)
            let events = try EventReader(
                port,
                "/events",
                "Content-Type: application/json\r\n",
                body: #"{"feeds":{"sports":null,"gone":null,"news":"\#(old)"}}"#,
                method: "QUERY"
            )
            #expect(try events.next().id == "\(sports),,\(old)")
            #expect(try events.next().name == "missing")
            let last = try events.next()
            #expect(last.name == "changes")
            #expect(last.id == "\(sports),,\(new)")
            let resumed = try EventReader(
                port,
                "/events",
                "Content-Type: application/json\r\nLast-Event-ID: \(sports),,\(old)\r\n",
                body: #"{"feeds":{"sports":null,"gone":null,"news":null}}"#,
                method: "QUERY"
            )
            #expect(try resumed.next().name == "unchanged")
            #expect(try resumed.next().name == "missing")
            #expect(try resumed.next().data["since"]?.string == "\(old)")
        }
    }

    @Test func patternsNeedTheRightToFollow() async throws {
        try await withServer { live, port in
            try live.put("sports-1", Self.one)
            let body = #"{"match":["sports-*"]}"#
            let client = try RawClient(port: port)
            #expect(try query(client, "/events", body).status == 401)
            let events = try EventReader(
                port,
                "/events",
                "Authorization: Bearer \(API.key)\r\nContent-Type: application/json\r\n",
                body: body,
                method: "QUERY"
            )
            #expect(try events.next().data["feed"] == "sports-1")
            #expect(try events.next().name == "ready")
        }
    }

    /// A body that is long once it is decoded is taken on a thread, as one without a coding is; such
    /// a stream says when all has been sent.
    @Test(arguments: [false, true])
    func aLongBodyIsThatOfManyFeeds(_ isCoded: Bool) async throws {
        try await withServer { live, port in
            try live.put("sports-1", Self.one)
            let events = try EventReader(
                port,
                "/events",
                "Authorization: Bearer \(API.key)\r\nContent-Type: application/json\r\n",
                body: #"{"feeds":{"sports-1":null}}"# + String(repeating: " ", count: 70_000),
                isCoded: isCoded,
                method: "QUERY"
            )
            #expect(try events.next().data["feed"] == "sports-1")
            #expect(try events.next().name == "ready")
        }
    }

    @Test(
        arguments: [
            ("/pull", "", #"{"feeds":{"a":null}}"#, 400, nil),
            ("/events", "", #"{"feeds":{"a":null}}"#, 400, nil),
            ("/pull", "Content-Type: text/plain\r\n", "{}", 415, #""application/json""#),
            ("/events", "Content-Type: application/xml\r\n", "{}", 415, #""application/json""#),
            ("/pull", "Content-Type: application/json\r\n", "{", 400, nil),
            ("/pull", "Content-Type: application/json\r\n", "{}", 400, nil),
            ("/pull", "Content-Type: application/json\r\n", #"{"match":["*"]}"#, 400, nil),
            ("/pull", "Content-Type: application/json\r\n", #"{"feeds":{"a":"x"}}"#, 400, nil),
            (
                "/pull?wait=x", "Content-Type: application/json\r\n", #"{"feeds":{"a":null}}"#, 400,
                nil
            ),
            ("/feeds/news", "Content-Type: application/json\r\n", "{}", 405, nil),
            ("/feeds", "Content-Type: application/json\r\n", "{}", 405, nil),
            ("/index.html", "Content-Type: application/json\r\n", "{}", 404, nil),
        ] as [(String, String, String, Int, String?)]
    )
    func otherQueriesAreRefused(
        _ target: String,
        _ fields: String,
        _ body: String,
        _ status: Int,
        _ accepted: String?
    ) async throws {
        try await withServer { _, port in
            let client = try RawClient(port: port)
            let answer = try query(client, target, body, fields)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer["accept-query"] == accepted)
        }
    }

    @Test func moreNamesThanAPullHasAreRefused() async throws {
        try await withServer { live, port in
            let client = try RawClient(port: port)
            let names = (0..<101).map { #""f\#($0)":null"# }.joined(separator: ",")
            #expect(try query(client, "/pull", "{\"feeds\":{\(names)}}").status == 400)
            let long = #"{"feeds":{"\#(String(repeating: "x", count: 70_000))":null}}"#
            #expect(try query(client, "/pull", long).status == 413)
        }
    }

    @Test(arguments: [
        ("/pull", "GET, HEAD, QUERY, OPTIONS"), ("/events", "GET, HEAD, QUERY, POST, OPTIONS"),
    ])
    func optionsSayWhatIsTaken(_ target: String, _ methods: String) async throws {
        let answer = try await API().send("OPTIONS", target)
        #expect(answer["Allow"] == methods)
        #expect(answer["Access-Control-Allow-Methods"] == methods)
        #expect(answer["Accept-Query"] == #""application/json""#)
    }
}
