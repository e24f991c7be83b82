import FeedAPI
import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Who may do what": every key with every feed and every request.
@Suite(.bothWays) struct RightsMatrix {
    /// What a caller may do with a feed.
    enum Right {
        case nothing, read, write
    }

    /// A caller, and what it may do with the feeds that are there.
    struct Caller: Sendable, CustomStringConvertible {
        let description: String
        let read: [String]
        let write: [String]
        let rights: [String: Right]
    }

    static let callers = [
        Caller(description: "reader", read: ["sports-*"], write: [], rights: ["sports-1": .read]),
        Caller(description: "writer", read: [], write: ["sports-*"], rights: ["sports-1": .write]),
        Caller(
            description: "both",
            read: ["news"],
            write: ["sports-1"],
            rights: ["news": .read, "sports-1": .write]
        ),
        Caller(
            description: "auditor",
            read: ["*"],
            write: [],
            rights: ["news": .read, "sports-1": .read]
        ),
        Caller(
            description: "other",
            read: ["elsewhere"],
            write: ["elsewhere-*"],
            rights: [:]
        ),
    ]

    static let feeds = ["news", "sports-1", "open"]

    static let reads = [
        "", "?since=aaaaaaaa.1", "/items", "/items/a1", "/outline", "/sections/week",
    ]

    static let writes: [(method: String, path: String, body: String?)] = [
        ("PUT", "", #"{"items":[]}"#), ("PATCH", "", #"{"edits":[]}"#),
        ("POST", "/items", #"{"id":"x"}"#), ("PUT", "/items/a1", "{}"),
        ("PATCH", "/items/a1", "[]"), ("DELETE", "/items/a1", nil), ("POST", "/refresh", nil),
        ("DELETE", "", nil),
    ]

    private func makeAPI() async throws -> API {
        let open = try #require(FeedPattern("open*"))
        let keys = try Self.callers.map { caller in
            AccessKey(
                caller.description,
                read: try caller.read.map { try #require(FeedPattern($0)) },
                write: try caller.write.map { try #require(FeedPattern($0)) }
            )
        }
        let api = API {
            $0.openFeeds = [open]
            $0.keys += keys
        }
        for feed in Self.feeds { try await api.put(feed, sampleFeed) }
        return api
    }

    private func isSame(_ left: TestResponse, _ right: TestResponse) -> Bool {
        func fields(_ response: TestResponse) -> [String] {
            response.headers.map { "\($0.0.lowercased()): \($0.1)" }
                .filter { !$0.hasPrefix("date:") }
        }
        return left.status == right.status && left.body == right.body
            && fields(left) == fields(right)
    }

    @Test(arguments: callers, ["GET", "HEAD"])
    func aKeyReadsWhatItMay(_ caller: Caller, _ method: String) async throws {
        let api = try await makeAPI()
        let headers = ["Authorization": "Bearer \(caller)"]
        for feed in Self.feeds {
            let mayRead = feed == "open" || caller.rights[feed] != nil
            for path in Self.reads {
                let answer = try await api.send(method, "/feeds/\(feed)\(path)", nil, headers)
                #expect(answer.status == (mayRead ? 200 : 404), "\(feed)\(path)")
                #expect((answer["Vary"]?.contains("Authorization") ?? false) == (feed != "open"))
                #expect(answer["Cache-Control"]?.contains("public") != true)
                guard !mayRead else { continue }
                let absent = try await api.send(method, "/feeds/absent\(path)", nil, headers)
                #expect(isSame(answer, absent))
            }
        }
        let list = try await api.get("/feeds", headers).json["feeds"]?.list ?? []
        let expected = Self.feeds.filter { $0 == "open" || caller.rights[$0] != nil }
        #expect(list.map { $0["id"]?.string } == expected.sorted())
    }

    @Test(arguments: callers)
    func aKeyChangesWhatItMay(_ caller: Caller) async throws {
        let api = try await makeAPI()
        let headers = ["Authorization": "Bearer \(caller)"]
        for feed in Self.feeds {
            let right = caller.rights[feed] ?? (feed == "open" ? .read : .nothing)
            for (method, path, body) in Self.writes {
                let answer = try await api.send(method, "/feeds/\(feed)\(path)", body, headers)
                switch right {
                case .write: #expect(answer.status != 401 && answer.status != 403)
                case .read: #expect(answer.status == 403, "\(method) \(feed)\(path)")
                case .nothing:
                    #expect(answer.status == 404, "\(method) \(feed)\(path)")
                    let absent = try await api.send(method, "/feeds/absent\(path)", body, headers)
                    #expect(isSame(answer, absent))
                }
                if feed != "open" {
                    #expect(answer["Vary"]?.contains("Authorization") == true, "\(method) \(path)")
                }
            }
        }
        // What it may not change is as it was.
        for feed in Self.feeds where caller.rights[feed] != .write {
            let answer = try await api.get("/feeds/\(feed)", ["Authorization": "Bearer " + API.key])
            #expect(answer.json["count"]?.int == 6)
        }
    }

    @Test func withoutAKeyThereIsWhatIsOpen() async throws {
        let api = try await makeAPI()
        for feed in Self.feeds + ["absent"] {
            for path in Self.reads {
                let answer = try await api.get("/feeds/\(feed)\(path)")
                #expect(answer.status == (feed == "open" ? 200 : 401))
            }
            for (method, path, body) in Self.writes {
                let headers = ["Authorization": ""]
                let answer = try await api.send(method, "/feeds/\(feed)\(path)", body, headers)
                #expect(answer.status == 401)
                #expect(answer["WWW-Authenticate"] != nil)
            }
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"])
    func anUnknownKeyIsRefusedWhateverItAsks(_ method: String) async throws {
        let api = try await makeAPI()
        let headers = ["Authorization": "Bearer nobody"]
        for path in ["/feeds", "/pull", "/events", "/feeds/open/nothing/at/all", "/feeds/Open"]
            + Self.feeds.flatMap({ feed in Self.reads.map { "/feeds/\(feed)\($0)" } })
        {
            let answer = try await api.send(method, path, nil, headers)
            #expect(answer.status == 401, "\(method) \(path)")
            #expect(answer["Vary"]?.contains("Authorization") == true)
        }
        for path in ["/healthz", "/readyz", "/problems/key"] where method == "GET" {
            #expect(try await api.send(method, path, nil, headers).status == 200)
        }
        #expect(try await api.send("OPTIONS", "/feeds/news", nil, headers).status == 204)
    }

    @Test func aFeedThatIsNotOpenIsPrivate() async throws {
        let api = try await makeAPI()
        let headers = ["Authorization": "Bearer auditor"]
        let answer = try await api.get("/feeds/news", headers)
        #expect(answer["Cache-Control"] == "private, no-cache")
        let tag = try #require(answer["ETag"])
        let same = try await api.get("/feeds/news", headers.merging(["If-None-Match": tag]) { $1 })
        #expect(same.status == 304)
        #expect(same["Cache-Control"] == "private, no-cache")
        #expect(same["Vary"] == "Accept-Encoding, Prefer, Authorization")
        #expect(try await api.get("/feeds/open")["Cache-Control"] == "no-cache")
    }
}
