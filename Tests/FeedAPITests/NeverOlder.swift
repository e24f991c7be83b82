import FeedDiff
import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// A server that follows another never answers with less than it is asked for.
@Suite(.bothWays) struct NeverOlder {
    /// What the server follows: does something with the store when it is asked, or says nothing.
    private final class Source: Upstream {
        private struct State {
            var questions: [[String]] = []
            var isAway = false
            var knowsAll = true
            var trouble: String?
        }

        let takesPublishes: Bool
        private let state = Mutex(State())
        private let answer: @Sendable () -> Void

        init(takesPublishes: Bool = false, _ answer: @escaping @Sendable () -> Void = {}) {
            self.takesPublishes = takesPublishes
            self.answer = answer
        }

        func ask(
            _ questions: [(feed: FeedName, token: Token?)],
            completion: @escaping @Sendable (Bool) -> Void
        ) {
            let isAway = state.withLock { state in
                state.questions.append(
                    questions.map { "\($0.feed)@\($0.token?.description ?? "")" }
                )
                return state.isAway
            }
            if !isAway { answer() }
            completion(!isAway)
        }

        var questions: [[String]] { state.withLock(\.questions) }

        var isAway: Bool {
            get { state.withLock(\.isAway) }
            set { state.withLock { $0.isAway = newValue } }
        }

        var cutOffTime: Duration? { isAway ? .seconds(60) : nil }

        var trouble: String? {
            get { state.withLock(\.trouble) }
            set { state.withLock { $0.trouble = newValue } }
        }

        var knowsAllFeeds: Bool {
            get { state.withLock(\.knowsAll) }
            set { state.withLock { $0.knowsAll = newValue } }
        }
    }

    private let store = FeedStore()

    /// Publishes without a request, so many items.
    @discardableResult
    private func put(_ count: Int, in store: FeedStore) throws -> Token {
        let items = (0..<count).map { #"{"id":"i\#($0)"}"# }.joined(separator: ",")
        let body = #"{"items":[\#(items)]}"#
        let snapshot = try Snapshot(publishing: Array(body.utf8))
        let name = try #require(FeedName("news"))
        return store.publishInMemory(name) { _ in snapshot }.current.token
    }

    private func next(_ token: Token) -> Token {
        Token(epoch: token.epoch, version: token.version + 1)
    }

    @Test func aNewerTokenIsAskedAboutInWhicheverField() async throws {
        let token = try put(1, in: store)
        let newer = next(token)
        for (target, headers) in [
            ("/feeds/news?since=\(newer)", [:]), ("/feeds/news?version=\(newer)", [:]),
            ("/feeds/news", ["If-None-Match": "\"\(newer)-gzip\""]),
            ("/feeds/news", ["If-Match": "\"other\", \"\(newer)\""]),
            ("/feeds/news/items?version=\(newer)", [:]),
            ("/feeds/news/outline", ["If-None-Match": "W/\"\(newer)\""]),
            ("/pull?feed=news@\(newer)", [:]),
        ] as [(String, [String: String])] {
            let source = Source()
            let api = API(store: store, upstream: source)
            _ = try await api.get(target, headers)
            #expect(source.questions == [["news@\(newer)"]], "\(target) \(headers)")
        }
    }

    @Test func whatIsKnownIsNotAskedAbout() async throws {
        let first = try put(1, in: store)
        let token = try put(2, in: store)
        let source = Source()
        let api = API(store: store, upstream: source)
        for target in [
            "/feeds/news?since=\(first)", "/feeds/news?since=\(token)", "/feeds/news", "/feeds",
            "/feeds/other", "/feeds/news?since=nonsense", "/pull?feed=news@\(first)&feed=other",
        ] {
            _ = try await api.get(target)
        }
        #expect(source.questions == [])
    }

    /// Each case has a method, a target, If-Match, the version that is asked about, and a status.
    ///
    /// The server knows versions 1 and 2; the upstream has version 3.
    @Test(
        arguments: [
            ("GET", "/versions?before=VERSION3", nil, 3, 200),
            ("GET", "/versions?before=VERSION1", nil, nil, 200),
            ("POST", "/restore?version=VERSION3", nil, 3, 200),
            ("POST", "/restore?version=VERSION1", "VERSION3", 3, 200),
            // The current version may be an older one elsewhere.
            ("POST", "/restore?version=VERSION1", "VERSION2", 2, 412),
            ("DELETE", "/versions/VERSION2", nil, 2, 204),
            ("DELETE", "/versions/VERSION3", nil, 3, 409),
            ("DELETE", "/versions/VERSION1", "VERSION3", 3, 204),
            ("DELETE", "/versions/VERSION1", "VERSION2", 2, 412),
            ("DELETE", "/versions/VERSION1", nil, nil, 204),
        ] as [(String, String, String?, Int?, Int)]
    )
    func newerVersionsAreAskedAboutBeforeOneIsRestoredOrForgotten(
        _ method: String,
        _ target: String,
        _ match: String?,
        _ asked: Int?,
        _ status: Int
    ) async throws {
        let epoch = try put(1, in: store).epoch
        try put(2, in: store)
        let source = Source(takesPublishes: true) { [store] in _ = try? put(3, in: store) }
        let api = API(store: store, upstream: source)
        func named(_ text: String) -> String { text.replacing("VERSION", with: "\(epoch).") }
        var fields = ["Authorization": "Bearer " + API.key]
        fields["If-Match"] = match.map { "\"\(named($0))\"" }
        let answer = try await api.send(method, "/feeds/news" + named(target), nil, fields)
        #expect(answer.status == status, "\(answer.text)")
        #expect(source.questions == (asked.map { [["news@\(epoch).\($0)"]] } ?? []))
    }

    @Test func aStreamOfAFeedThatIsNotHereIsAskedAbout() async throws {
        let source = Source { [store] in _ = try? put(2, in: store) }
        let api = API(store: store, upstream: source)
        let answer = try await api.send("HEAD", "/feeds/news/events?since=aaaaaaaa.1")
        #expect(answer.status == 200)
        #expect(source.questions.first == ["news@aaaaaaaa.1"])
    }

    @Test func theAnswerIsOfWhatTheUpstreamHas() async throws {
        let token = try put(1, in: store)
        let source = Source { [store] in _ = try? put(2, in: store) }
        let api = API(store: store, upstream: source)
        let document = try await api.document("/feeds/news?since=\(next(token))")
        #expect(document["kind"] == "unchanged")
        #expect(document["count"]?.int == 2)
    }

    @Test func aWaitBeginsAfterTheQuestion() async throws {
        let token = try put(1, in: store)
        let source = Source { [store] in _ = try? put(2, in: store) }
        let api = API(store: store, upstream: source)
        let document = try await api.document("/feeds/news?since=\(next(token))&wait=1")
        #expect(document["kind"] == "unchanged")
    }

    @Test(arguments: [("aaaaaaaa.1", "epoch"), ("", "expired")])
    func aForgedTokenIsAnsweredAsEver(_ text: String, _ reason: String) async throws {
        let token = try put(1, in: store)
        let api = API(store: store, upstream: Source())
        let document = try await api.document(
            "/feeds/news?since=\(text.isEmpty ? next(token).description : text)"
        )
        #expect(document["kind"] == "snapshot")
        #expect(document["reason"]?.string == reason)
    }

    @Test func withoutAnAnswerItIsBehind() async throws {
        let token = try put(1, in: store)
        let source = Source()
        source.isAway = true
        let api = API(store: store, upstream: source)
        let answer = try await api.get("/feeds/news?since=\(next(token))")
        #expect(answer.status == 503)
        #expect(answer.problem == "behind")
        #expect(answer["Retry-After"] != nil)
        #expect(try await api.get("/feeds/news?since=\(token)").status == 200)
        #expect(try await api.get("/readyz").status == 503)
    }

    @Test func aConnectedServerThatDoesNotComeToWhatTheUpstreamHasSaysWhy() async throws {
        try put(1, in: store)
        let source = Source()
        source.trouble = "a feed went back"
        let api = API(store: store, upstream: source)
        let answer = try await api.get("/readyz")
        #expect(answer.status == 503 && answer.problem == "not-ready")
        #expect(answer.json["detail"]?.string == "a feed went back")
        #expect(try await api.get("/feeds/news").status == 200)
        source.trouble = nil
        #expect(try await api.get("/readyz").status == 200)
    }

    @Test func rightsComeBeforeQuestions() async throws {
        let token = try put(1, in: store)
        let source = Source()
        let api = API(store: store, upstream: source) { $0.openFeeds = [] }
        let answer = try await api.get("/feeds/news?since=\(next(token))")
        #expect(answer.status == 401 || answer.status == 404)
        #expect(source.questions == [])
    }

    @Test func aMirrorTakesNoPublishesWhateverTheKey() async throws {
        try put(1, in: store)
        let api = API(store: store, upstream: Source()) { $0.publishURL = "https://a.example" }
        for (method, target) in [
            ("PUT", "/feeds/news"), ("PATCH", "/feeds/none"), ("DELETE", "/feeds/news"),
            ("POST", "/feeds/news/items"), ("DELETE", "/feeds/news/items/i0"),
            ("POST", "/feeds/news/refresh"),
        ] {
            for key in ["", "Bearer unknown-unknown-unknown", "Bearer \(API.key)"] {
                let answer = try await api.send(method, target, "{}", ["Authorization": key])
                #expect(answer.status == 421, "\(method) \(target)")
                #expect(answer.problem == "mirror")
                #expect(answer.text.contains("https://a.example"))
            }
        }
    }

    @Test func untilItKnowsAllFeedsNoneIsMissing() async throws {
        try put(1, in: store)
        let source = Source()
        source.knowsAllFeeds = false
        let api = API(store: store, upstream: source)
        for target in ["/feeds/other", "/feeds", "/pull?feed=news&feed=other", "/readyz"] {
            let answer = try await api.get(target)
            #expect(answer.status == 503, "\(target)")
            #expect(answer.problem == "not-ready")
        }
        #expect(try await api.get("/feeds/news").status == 200)
        #expect(try await api.get("/pull?feed=news").status == 200)
        source.knowsAllFeeds = true
        #expect(try await api.get("/feeds/other").status == 404)
    }
}

/// Questions are gathered.
@Suite struct Questions {
    private final class Slow: Upstream {
        typealias Asked = (count: Int, tokens: [Token?], end: @Sendable (Bool) -> Void)

        let asked = Mutex<[Asked]>([])

        func ask(
            _ questions: [(feed: FeedName, token: Token?)],
            completion: @escaping @Sendable (Bool) -> Void
        ) {
            asked.withLock { $0.append((questions.count, questions.map(\.token), completion)) }
        }

        var cutOffTime: Duration? { nil }
        var trouble: String? { nil }
        var knowsAllFeeds: Bool { true }
        var takesPublishes: Bool { true }
    }

    @Test func theNewestTokenIsAskedAboutAndEachEpochOnItsOwn() throws {
        let upstream = Slow()
        let queue = FreshnessQueue(upstream)
        let feed = try #require(FeedName("news"))
        for text in ["aaaaaaaa.1", "aaaaaaaa.2", "aaaaaaaa.4", "aaaaaaaa.3", "bbbbbbbb.9"] {
            queue.ask(feed, try #require(Token(text))) { _ in }
        }
        var tokens: [String] = []
        while let next = upstream.asked.withLock({ $0.count > tokens.count ? $0.last : nil }) {
            tokens += next.tokens.compactMap { $0?.description }
            next.end(true)
        }
        #expect(tokens == ["aaaaaaaa.1", "aaaaaaaa.4", "bbbbbbbb.9"])
    }

    @Test func oneIsInFlightAboutAHundredFeedsAtMost() throws {
        let upstream = Slow()
        let queue = FreshnessQueue(upstream)
        let answered = Atomic(0)
        let token = try #require(Token("aaaaaaaa.1"))
        for number in 0..<250 {
            let feed = try #require(FeedName("f\(number)"))
            for _ in 0..<3 {
                queue.ask(feed, token) { _ in answered.add(1, ordering: .relaxed) }
            }
        }
        var counts: [Int] = []
        while counts.count < 4 {
            let (list, end) = upstream.asked.withLock { ($0, $0.last?.end) }
            guard list.count > counts.count else { break }
            counts.append(list[counts.count].count)
            end?(true)
        }
        // The first feed was asked about at once, and again by those who came meanwhile.
        #expect(counts == [1, 100, 100, 50])
        #expect(answered.load(ordering: .relaxed) == 750)
    }
}
