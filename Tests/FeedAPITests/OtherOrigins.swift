import FeedAPI
import FeedModel
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Who may do what", browsers.
@Suite(.bothWays) struct OtherOrigins {
    static let exposed = [
        "ETag", "Location", "Link", "Refresh-After", "Retry-After", "Allow", "Accept-Patch",
        "Preference-Applied", "IM", "WWW-Authenticate", "RateLimit", "RateLimit-Policy",
        "Vary",
    ]

    @Test(arguments: [
        ("GET", "/feeds/news", 200), ("GET", "/feeds", 200), ("GET", "/feeds/gone", 404),
        ("GET", "/feeds/news?limit=x", 400), ("PUT", "/feeds/news", 400), ("BREW", "/feeds", 501),
        ("POST", "/feeds/news", 405), ("GET", "/healthz", 200), ("GET", "/problems/key", 200),
        ("GET", "/feeds/news/items/a1", 200), ("GET", "/feeds/news/items/gone", 404),
        ("DELETE", "/feeds/news", 204), ("OPTIONS", "/feeds/news", 204), ("GET", "/%zz", 400),
    ])
    func everyAnswerIsForAll(_ method: String, _ target: String, _ status: Int) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.send(
            method,
            target,
            method == "PUT" ? "{" : nil,
            ["Origin": "https://example.org"]
        )
        #expect(answer.status == status)
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        #expect(answer["Access-Control-Allow-Credentials"] == nil)
        #expect(answer["Access-Control-Expose-Headers"] == "*")
    }

    @Test func onlyListedOriginsAreNamed() async throws {
        let api = API { $0.origins = .list(["https://a.example", "https://b.example"]) }
        let token = try await api.put("news", sampleFeed)
        for target in ["/feeds/news", "/feeds/news?since=\(token)", "/feeds/news/items", "/feeds"] {
            for _ in 0..<2 {
                for origin in ["https://a.example", "https://b.example"] {
                    let answer = try await api.get(target, ["Origin": origin])
                    #expect(answer["Access-Control-Allow-Origin"] == origin)
                    let exposed = Self.exposed.joined(separator: ", ")
                    #expect(answer["Access-Control-Expose-Headers"] == exposed)
                    #expect(answer["Vary"]?.hasSuffix("Origin") == true)
                }
                for headers in [[:], ["Origin": "https://c.example"], ["Origin": "null"]] {
                    let answer = try await api.get(target, headers)
                    #expect(answer["Access-Control-Allow-Origin"] == nil)
                    #expect(answer["Access-Control-Expose-Headers"] == nil)
                    #expect(answer["Vary"]?.hasSuffix("Origin") == true)
                }
            }
        }
        let refused = try await api.get("/feeds/gone", ["Origin": "https://b.example"])
        #expect(refused["Access-Control-Allow-Origin"] == "https://b.example")
        let same = try await api.get(
            "/feeds/news",
            ["Origin": "https://b.example", "If-None-Match": "\"\(token)\""]
        )
        #expect(same.status == 304)
        #expect(same["Access-Control-Allow-Origin"] == "https://b.example")
    }

    @Test(arguments: [
        ("/feeds", "GET, HEAD, OPTIONS"),
        ("/feeds/news", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("/feeds/news/items", "GET, HEAD, POST, OPTIONS"),
        ("/feeds/news/items/a%2Fb", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("/feeds/news/outline", "GET, HEAD, OPTIONS"),
        ("/feeds/news/sections/x", "GET, HEAD, OPTIONS"),
        ("/feeds/news/refresh", "POST, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"),
    ])
    func optionsNameMethodsAndHeaders(_ target: String, _ methods: String) async throws {
        let answer = try await API().send(
            "OPTIONS",
            target,
            nil,
            [
                "Origin": "https://example.org", "Access-Control-Request-Method": "PUT",
                "Access-Control-Request-Headers": "authorization, if-match",
            ]
        )
        #expect(answer.status == 204)
        #expect(answer["Allow"] == methods)
        #expect(answer["Access-Control-Allow-Methods"] == methods)
        let headers = answer["Access-Control-Allow-Headers"] ?? ""
        let needed = [
            "Authorization", "Content-Type", "Content-Encoding", "If-Match", "If-None-Match",
            "Idempotency-Key", "Prefer", "Last-Event-ID", "A-IM", "If-Modified-Since",
            "If-Unmodified-Since", "X-Requested-With", "traceparent", "tracestate", "baggage",
            "sentry-trace",
        ]
        for name in needed {
            #expect(headers.split(separator: ", ").contains { $0 == name })
        }
        #expect(answer["Access-Control-Max-Age"].flatMap { Int($0) } ?? 0 > 0)
        #expect(answer.body.isEmpty)
    }

    /// An error that comes before the request was read names the origin if that was read by then.
    @Test(arguments: ["https://a.example", "https://c.example"], [true, false])
    func earlyRefusalsAreForListedOriginsThatWereRead(
        _ origin: String,
        _ isFirst: Bool
    ) async throws {
        let api = try LiveAPI { $0.origins = .list(["https://a.example"]) }.api
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 1, handler: api)
        server.start()
        let line = "Origin: \(origin)\r\n"
        let many = (0..<200).map { "x-\($0): y\r\n" }.joined()
        for (fault, status) in [
            (many, 431), ("x: \(String(repeating: "y", count: 60_000))\r\n", 431),
        ] {
            let client = try RawClient(port: server.port)
            let fields = isFirst ? line + fault : fault + line
            try client.send("GET /feeds HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            let answer = try RawResponse(head: try client.readHead())
            #expect(answer.status == status)
            let isNamed = isFirst && origin == "https://a.example"
            #expect(answer["access-control-allow-origin"] == (isNamed ? origin : nil))
            #expect((answer["access-control-expose-headers"] != nil) == isNamed)
            #expect(answer["vary"]?.hasSuffix("Origin") == true)
        }
        await server.stopped(within: .zero)
    }

    @Test func optionsOfTheServerAsAWhole() async throws {
        #expect(try await API().send("OPTIONS", "*").status == 204)
    }

    /// Errors are for all; the files themselves are the server's own pages'.
    @Test(arguments: [
        ("GET", "/nosuch", 404, true), ("HEAD", "/nosuch", 404, true), ("BREW", "/", 501, true),
        ("POST", "/", 405, true), ("DELETE", "/a.txt", 405, true),
        ("CONNECT", "example.org:80", 405, true), ("GET", "/%ff", 400, true),
        ("GET", "/a.txt/", 404, true), ("GET", "/a.txt", 200, false), ("GET", "/", 200, false),
        ("GET", "/folder", 308, false), ("OPTIONS", "/", 204, false),
    ])
    func errorsOutsideOfFeedsAreForAll(
        _ method: String,
        _ target: String,
        _ status: Int,
        _ isForAll: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("a", to: "a.txt")
        try folder.write("<p>a</p>", to: "index.html")
        try folder.write("b", to: "folder/b.txt")
        let files = FileHandler(folder: try Folder(path: folder.path), problem: FeedAPI.fileProblem)
        let open = API(fallback: files)
        let listed = API(fallback: files) { $0.origins = .list(["https://a.example"]) }
        let closed = API(fallback: nil)
        // The second answer may be from memory.
        for _ in 0..<2 {
            let any = try await open.send(method, target, nil, ["Origin": "https://x.example"])
            #expect(any.status == status)
            #expect(any["Access-Control-Allow-Origin"] == (isForAll ? "*" : nil))
            #expect((any["Access-Control-Expose-Headers"] != nil) == isForAll)
            #expect((any["Allow"] != nil) == [204, 405].contains(status))
            for origin in ["https://a.example", "https://x.example", ""] {
                let fields = origin.isEmpty ? [:] : ["Origin": origin]
                let answer = try await listed.send(method, target, nil, fields)
                #expect(answer.status == status)
                let named = isForAll && origin == "https://a.example" ? origin : nil
                #expect(answer["Access-Control-Allow-Origin"] == named)
                if isForAll { #expect(answer["Vary"]?.hasSuffix("Origin") == true) }
            }
        }
        let bare = try await closed.send(method, target, nil, ["Origin": "https://x.example"])
        #expect(bare.status == 204 || bare.status >= 400)
        #expect(bare["Access-Control-Allow-Origin"] == "*")
    }

    @Test(arguments: [("Range", "bytes=9-", 416), ("If-Match", "\"x\"", 412)])
    func filesThatAreRefusedAreErrorsToo(
        _ name: String,
        _ value: String,
        _ status: Int
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("a", to: "a.txt")
        let files = FileHandler(folder: try Folder(path: folder.path), problem: FeedAPI.fileProblem)
        let answer = try await API(fallback: files).get("/a.txt", [name: value])
        #expect(answer.status == status)
        #expect(answer["Access-Control-Allow-Origin"] == "*")
    }
}

/// Reports to the operator of pages that may not read.
@Suite struct ReportedOrigins {
    /// The origins that a configuration was told of.
    private final class Told: Sendable {
        let origins = Mutex<[String]>([])
    }

    /// Browsers tell the page, but not the operator, that it may not read an answer.
    @Test(arguments: [
        ("https://a.example", false), ("https://c.example", true), ("null", true),
        ("http://feeds.test:81", false), ("https://feeds.test", true),
        ("https://own.example", false), ("https://own.example.evil", true), ("", true),
    ])
    func refusedOriginsAreReported(_ origin: String, _ isReported: Bool) async throws {
        for list in [["https://a.example"], []] {
            let told = Told()
            let api = API { configuration in
                configuration.origins = .list(list)
                configuration.publicURL = "https://own.example/feeds"
                configuration.reportRefusedOrigin = { [told] origin in
                    told.origins.withLock { $0.append(origin) }
                }
            }
            try await api.put("news", sampleFeed)
            let fields = ["Origin": origin, "Host": "feeds.test:81"]
            for method in ["GET", "OPTIONS"] {
                _ = try await api.send(method, "/feeds/news", nil, fields)
            }
            let isListed = list.contains(origin)
            let expected = isReported || origin == "https://a.example" && !isListed
            let origins = told.origins.withLock(\.self)
            #expect(origins == (expected ? [origin, origin] : []))
        }
    }

    /// Any page may load files, whatever origins are listed.
    @Test func originsThatLoadFilesAreNotReported() async throws {
        let told = Told()
        let folder = try TemporaryFolder()
        try folder.write("a", to: "a.txt")
        let files = FileHandler(folder: try Folder(path: folder.path), problem: FeedAPI.fileProblem)
        let api = API(fallback: files) { configuration in
            configuration.origins = .list(["https://a.example"])
            configuration.reportRefusedOrigin = { [told] origin in
                told.origins.withLock { $0.append(origin) }
            }
        }
        let fields = ["Origin": "https://c.example"]
        #expect(try await api.get("/a.txt", fields).status == 200)
        #expect(told.origins.withLock(\.self).isEmpty)
        #expect(try await api.get("/feeds", fields).status == 200)
        #expect(told.origins.withLock(\.self) == ["https://c.example"])
    }

    @Test func whereAnyOriginMayReadNoneIsReported() async throws {
        let told = Told()
        let api = API { configuration in
            configuration.reportRefusedOrigin = { [told] origin in
                told.origins.withLock { $0.append(origin) }
            }
        }
        _ = try await api.get("/feeds", ["Origin": "https://a.example"])
        #expect(told.origins.withLock(\.self).isEmpty)
    }
}
