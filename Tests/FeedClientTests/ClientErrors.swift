import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// What a feed says of itself when something is wrong.
@Suite(.timeLimit(.minutes(2))) struct ClientErrors {
    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
    }

    private static let snapshot = ScriptedTransport.Answer.response(
        200,
        [:],
        """
        {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":0,"order":"00000000",\
        "sections":[]}
        """
    )

    private static func problem(_ status: Int, _ type: String) -> ScriptedTransport.Answer {
        let body = #"{"type":"/problems/\#(type)","detail":"words of the server"}"#
        return .response(status, ["Content-Type": "application/problem+json"], body)
    }

    private static func page(_ status: Int) -> ScriptedTransport.Answer {
        .response(status, ["Content-Type": "text/html"], "<p>Another site")
    }

    /// Servers that answered, with something else than the feed.
    private static let failures: [ScriptedTransport.Answer] = [
        problem(401, "key"), problem(403, "rights"), problem(429, "rate"), problem(503, "busy"),
        page(200), page(404), page(500), page(502), .response(200, [:], "{}"),
    ]

    @Test(arguments: failures.indices)
    func aServerThatAnsweredIsNotOffline(_ index: Int) async throws {
        let answer = ClientErrors.failures[index]
        let transport = ScriptedTransport(answers: [answer, ClientErrors.snapshot, answer])
        let feed = Feed(name, of: transport.service())
        for freshness in ["neverLoaded", "cached"] {
            await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
            #expect(await feed.state == .failed)
            #expect(await feed.problem != nil)
            #expect("\(await feed.freshness)".hasPrefix(freshness))
            guard transport.remaining > 0 else { continue }
            try await feed.refresh()
            #expect(await feed.state == .idle)
            #expect(await feed.problem == nil)
        }
    }

    @Test func aFeedThatIsNotThereIsNothingWrong() async throws {
        let transport = ScriptedTransport(ClientErrors.problem(404, "not-found"))
        let feed = Feed(name, of: transport.service())
        try await feed.refresh()
        #expect(await feed.state == .idle)
        #expect(await feed.problem == nil)
        #expect(await feed.freshness == .missing)
    }

    @Test func aCopyIsNotCurrentWhileItIsOffline() async throws {
        let transport = ScriptedTransport(
            ClientErrors.snapshot,
            .failure(.unreachable("the server cannot be reached (no route)")),
            .response(304)
        )
        let feed = Feed(name, of: transport.service())
        try await feed.refresh()
        guard case .current(let date) = await feed.freshness else {
            Issue.record("not current")
            return
        }
        await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        #expect(await feed.state == .offline)
        #expect(await feed.freshness == .cached(asOf: date))
        try await feed.refresh()
        guard case .current = await feed.freshness else {
            Issue.record("not current again")
            return
        }
    }

    @Test func aFollowedCopyIsNotCurrentWhileItIsOffline() async throws {
        let transport = ScriptedTransport(ClientErrors.snapshot)
        let service = transport.service()
        let feed = Feed(name, of: service)
        try await feed.refresh()
        var timing = FollowTiming()
        timing.firstRetry = .seconds(600)
        timing.longestRetry = .seconds(600)
        let following = Task { [timing] in for try await _ in service.follow([feed], timing) {} }
        while await feed.state != .offline { await Task.yield() }
        guard case .cached = await feed.freshness else {
            Issue.record("it is still current")
            return
        }
        following.cancel()
    }

    @Test(arguments: ["", "/", "//", "/sub", "/sub/"])
    func aBaseMayEndInSlashes(_ end: String) async throws {
        let transport = ScriptedTransport(ClientErrors.snapshot)
        let base = try #require(URL(string: "http://127.0.0.1:1\(end)"))
        try await Feed(name, of: FeedService(baseURL: base, transport: transport)).refresh()
        let path = end.hasPrefix("/sub") ? "/sub/feeds/news" : "/feeds/news"
        #expect(transport.seen.map(\.target) == [path])
    }

    @Test(arguments: [
        "127.0.0.1:8080", "localhost:8080", "feeds.example.org", "ftp://feeds.example.org",
        "http://",
        "https:///path", "http://feeds.example.org/?a=b", "http://feeds.example.org/#a",
    ])
    func anAddressThatIsNoneFailsAtOnce(_ address: String) async throws {
        guard let base = URL(string: address) else { return }
        let transport = ScriptedTransport()
        let service = FeedService(baseURL: base, transport: transport)
        let feed = Feed(name, of: service)
        let error = await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        #expect(error?.description.hasPrefix("no address of a server: \(address)") == true)
        #expect(await feed.state == .failed)
        #expect(await feed.problem == error)
        // Trying again is of no use.
        await #expect(throws: FeedServiceError.self) { for try await _ in feed.live() {} }
        await #expect(throws: FeedServiceError.self) {
            try await service.replace(name, withItems: [["id": "1"]])
        }
        #expect(transport.seen.isEmpty)
    }

    private static let words: [(FeedServiceError, String, String?, String)] = [
        (
            .unreachable("the server cannot be reached (Couldn't connect (7))"),
            "the server cannot be reached", "Couldn't connect (7)",
            "the server cannot be reached (Couldn't connect (7))"
        ),
        (.unreachable("it is offline."), "it is offline.", nil, "it is offline."),
        (
            .problem(status: 401, type: "/problems/key", detail: "the key is not known"),
            "the key is not known (401)", "401 /problems/key", "the key is not known (401)"
        ),
        (
            .unexpected("no feed server answers there (200 with text/html)"),
            "no feed server answers there", "200 with text/html",
            "no feed server answers there (200 with text/html)"
        ),
        (.noKey("signed out"), "there is no key: signed out", nil, "there is no key: signed out"),
    ]

    @Test(arguments: words.indices)
    func wordsAreForPeopleAndCausesForLogs(_ index: Int) {
        let (error, words, cause, line) = ClientErrors.words[index]
        #expect(error.description == words)
        #expect(error.localizedDescription == words)
        #expect(error.cause == cause)
        #expect(String(reflecting: error) == line)
    }
}
