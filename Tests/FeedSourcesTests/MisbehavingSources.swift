import FeedAPI
import FeedModel
import FeedSources
import HTTPClient
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// A source that lies, trickles, redirects and dies costs little and changes nothing.
@Suite struct MisbehavingSources {
    private let servers = RawServers()

    /// What a feed becomes whose source answers well once, and then like this.
    private func failure(
        _ answer: @escaping @Sendable (RawServer.Connection) -> Bool
    ) async throws -> String? {
        let count = Mutex(0)
        let server = servers.serving { _, connection in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? connection.answer("200 OK", [], rss([1])) : answer(connection)
        }
        let feeds = try SourcedFeeds([source(server.url) { $0.byteLimit = 1 << 20 }])
        try await feeds.refresh()
        let token = try feeds.token()
        let failure = try await feeds.failure()
        #expect(try feeds.token() == token)
        #expect(try feeds.ids() == ["n1"])
        #expect(feeds.service.report(on: try #require(FeedName("news")))?.error == failure)
        return failure
    }

    private static let answers: [(String, [String], String, String)] = [
        ("404 Not Found", [], "", "it answered 404"), ("500 Oops", [], rss([2]), "it answered 500"),
        ("403 Forbidden", ["cf-mitigated: challenge"], "<html>", "whether a human reads"),
        ("401 Unauthorized", [], "", "it answered 401"), ("410 Gone", [], "", "gone for good"),
        ("200 OK", [], "", "the document is empty"), ("304 Not Modified", [], "", "304"),
        ("200 OK", ["Content-Type: text/html"], "<!doctype html><title>Log in</title>", "“Log in”"),
        ("200 OK", [], "{\"a\":", "malformed"),
        ("200 OK", [], "\u{0}\u{1}\u{2}", "neither XML nor JSON"),
        ("200 OK", [], "<a>", "its root is <a>"), ("302 Found", [], "", "redirects to nowhere"),
        ("302 Found", ["Location: file:///etc/passwd"], "", "no web address"),
        ("302 Found", ["Location: /"], "", "in a circle"),
        ("302 Found", ["Location: /a", "Location: /b"], "", "several addresses at once"),
        ("301 Moved", ["Location: http://[::1]:9/"], "", "not allowed"),
        (
            "302 Found", ["Location: http://2130706433:9/"], "",
            "unreachable|not reachable|not allowed"
        ),
        ("302 Found", ["Location: http://localhost:9/"], "", "not allowed"),
        ("302 Found", ["Location: http://169.254.169.254/x"], "", "not allowed"),
        ("200 OK", ["Content-Encoding: gzip"], "no gzip", "neither XML nor JSON"),
        ("200 OK", ["Content-Encoding: br"], rss([2]), "coded as br, which was not asked for"),
    ]

    @Test(arguments: answers)
    func costsNothingButWords(
        _ status: String,
        _ fields: [String],
        _ body: String,
        _ words: String
    ) async throws {
        let failure = try await failure { $0.answer(status, fields, body) }
        let isExpected = words.split(separator: "|").contains { failure?.contains($0) ?? false }
        #expect(isExpected, "\(failure ?? "no failure")")
    }

    @Test func aResetCostsNothing() async throws {
        #expect(
            try await failure { connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<rss>")
                connection.reset()
                return false
            }?.contains("broken") == true
        )
    }

    @Test func aBodyWithoutEndIsCutOff() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 0x3C, count: 64 << 10)) {}
            return false
        }
        #expect(failure == "the body is longer than 1048576 bytes")
    }

    @Test func aPauseIsKept() async throws {
        let count = Mutex(0)
        let server = servers.serving { _, connection in
            count.withLock { $0 += 1 }
            return connection.answer("429 Slow Down", ["Retry-After: 100"])
        }
        let feeds = try SourcedFeeds([source(server.url)])
        #expect(try await feeds.failure()?.contains("pause of 100 s") == true)
        guard case .failure(.paused(_, let seconds)) = try await feeds.refresh() else {
            Issue.record("not paused")
            return
        }
        #expect(seconds == 100)
        #expect(count.withLock { $0 } == 1)
        feeds.pass(seconds: 101)
        _ = try await feeds.failure()
        #expect(count.withLock { $0 } == 2)
    }

    @Test func configuredFieldsAreSentOnceAndAsTheyAre() throws {
        let settings = try source("http://a.example/") {
            $0.fields = [.accept: "application/json", .ifNoneMatch: "\"old\""]
        }
        var state = SourceState(address: "http://a.example/")
        (state.eTag, state.validatorsSince) = (Array("\"new\"".utf8), 1_700_000_000)
        var fetch = SourceFetch(settings, state, now: 1_700_000_000)
        let fields = fetch.begin().fields
        #expect(fields.filter { $0.name == .accept }.map(\.value) == ["application/json"])
        #expect(fields.filter { $0.name == .ifNoneMatch }.map(\.value) == ["\"new\""])
    }

    @Test(arguments: ["http://b.example/x", "http://a.example:81/x", "https://a.example/x"])
    func secretsStayWithTheirOrigin(_ target: String) throws {
        let settings = try source("http://a.example/") {
            $0.fields = [.authorization: "Bearer secret", .acceptLanguage: "de"]
        }
        var fetch = SourceFetch(settings, SourceState(address: "http://a.example/"), now: 0)
        #expect(fetch.begin().fields[.authorization] == "Bearer secret")
        var head = HTTPClient.Response.Head()
        (head.status, head.fields) = (307, [.location: target])
        let step = fetch.take(.success(HTTPClient.Response(head: head, body: [])))
        guard case .follow(let request) = step else {
            Issue.record("not followed")
            return
        }
        #expect(request.url == target)
        #expect(request.fields[.authorization] == nil)
        #expect(request.fields[.acceptLanguage] == "de")
        // From the usual port to that of https; nowhere else.
        #expect(request.allowsAnyAddress == (target == "https://a.example/x"))
    }

    @Test func aPrivateAddressNeedsTheOperatorsWord() async throws {
        let server = servers.serving { _, connection in connection.answer("200 OK", [], rss([1])) }
        let feeds = try SourcedFeeds([source(server.url) { $0.allowsPrivate = false }])
        #expect(try await feeds.failure()?.contains("not allowed") == true)
        #expect(server.connectionCount == 0)
    }

    @Test func aMoveIsBelievedAfterDaysAndKeptWhenItFailsOnce() async throws {
        let asked = Mutex<[String]>([])
        let isGone = Mutex(false)
        let server = servers.serving { head, connection in
            let path = head.split(separator: " ")[1]
            asked.withLock { $0.append(String(path)) }
            if path == "/old" {
                return connection.answer("301 Moved Permanently", ["Location: /new"])
            }
            return isGone.withLock { $0 }
                ? connection.answer("500 Oops") : connection.answer("200 OK", [], rss([1]))
        }
        let feeds = try SourcedFeeds([source(server.url + "/old")])
        for _ in 0..<2 {
            _ = try await feeds.failure()
            feeds.pass(seconds: 86_400)
        }
        #expect(asked.withLock { $0 } == ["/old", "/new", "/old", "/new"])
        feeds.pass(seconds: 2 * 86_400)
        _ = try await feeds.failure()
        #expect(asked.withLock { $0.last } == "/new")
        #expect(asked.withLock { $0.count } == 5)
        isGone.withLock { $0 = true }
        _ = try await feeds.failure()
        isGone.withLock { $0 = false }
        _ = try await feeds.failure()
        #expect(asked.withLock { Array($0.suffix(2)) } == ["/old", "/new"])
        // Once it works again there is no need to ask at the old address.
        _ = try await feeds.failure()
        #expect(asked.withLock { Array($0.suffix(3)) } == ["/old", "/new", "/new"])
    }

    @Test func aMoveThatIsTakenBackIsForgotten() async throws {
        let redirect = Mutex(("301 Moved Permanently", "/mistake"))
        let asked = Mutex<[String]>([])
        let server = servers.serving { head, connection in
            let path = head.split(separator: " ")[1]
            asked.withLock { $0.append(String(path)) }
            guard path == "/old" else { return connection.answer("200 OK", [], rss([1])) }
            let (status, target) = redirect.withLock(\.self)
            return connection.answer(status, ["Location: \(target)"])
        }
        let feeds = try SourcedFeeds([source(server.url + "/old")])
        #expect(try await feeds.failure() == nil)
        redirect.withLock { $0 = ("302 Found", "/new") }
        for _ in 0..<3 {
            feeds.pass(seconds: 2 * 86_400)
            #expect(try await feeds.failure() == nil)
            #expect(asked.withLock { Array($0.suffix(2)) } == ["/old", "/new"])
        }
    }
}

/// When a source is tried next.
@Suite struct Scheduling {
    private static func next(
        every: Int? = nil,
        isGone: Bool = false,
        _ change: (inout SourceState) -> Void = { _ in }
    ) -> Int? {
        var state = SourceState(address: "a")
        change(&state)
        return SourceSchedule.next(
            state,
            every: every,
            now: 1_000_000,
            random: 0.5,
            isGone: isGone
        )
        .map { $0 - 1_000_000 }
    }

    @Test func followsWhatTheOperatorSays() {
        #expect(Scheduling.next(every: 60) == 60)
        #expect(Scheduling.next(every: 60) { $0.asked = 3600 } == 60)
    }

    @Test func followsTheSourceOtherwise() {
        #expect(Scheduling.next() == 1800)
        #expect(Scheduling.next { $0.rhythm = 60 } == 900)
        #expect(Scheduling.next { $0.rhythm = 8 * 3600 } == 7200)
        #expect(Scheduling.next { $0.rhythm = 30 * 86_400 } == 4 * 3600)
        #expect(Scheduling.next { $0.asked = 3600 } == 3600)
        #expect(Scheduling.next { $0.asked = 31_536_000 } == 5 * 3600)
    }

    @Test func backsOffAndNeverGivesUp() {
        let waits = (1...20).map { count in
            Scheduling.next(every: 600) { $0.failureCount = count } ?? 0
        }
        #expect(Array(waits.prefix(4)) == [600, 1200, 2400, 4800])
        #expect(waits.max() == 86_400)
    }

    @Test func waitsForAPauseToEnd() {
        #expect(Scheduling.next(every: 60) { $0.pausedUntil = 1_009_000 } == 9000)
    }

    @Test func whatIsGoneForDaysIsNotAsked() {
        #expect(
            Scheduling.next(isGone: true) {
                ($0.goneSince, $0.failureCount) = (1_000_000 - 86_400, 3)
            } != nil
        )
        for isGone in [false, true] {
            let next = Scheduling.next(isGone: isGone) {
                ($0.goneSince, $0.failureCount) = (1_000_000 - 4 * 86_400, 9)
            }
            #expect((next == nil) == isGone)
        }
    }

    @Test func aRhythmIsThatOfTheNewestEntries() {
        let now = 1_000_000
        #expect(SourceSchedule.rhythm([], now: now) == nil)
        #expect(SourceSchedule.rhythm([now], now: now) == nil)
        #expect(SourceSchedule.rhythm([now, now - 100, now - 200], now: now) == 100)
        #expect(SourceSchedule.rhythm([now - 5000, now - 5100], now: now) == 2500)
        #expect(SourceSchedule.rhythm([now + 999, now - 10, now - 20], now: now) == 10)
    }

    @Test func oneRequestAtATimeGoesToAHost() throws {
        let sources = try (1...3).map { number in
            SourceSettings(
                feed: try #require(FeedName("f\(number)")),
                location: .web(number < 3 ? "http://a.example/\(number)" : "http://b.example/")
            )
        }
        var table = SourceTable(known: [:])
        table.take(sources, now: 100) { 0 }
        let first = table.due(now: 1000)
        #expect(Set(first.map(\.settings.feed.rawValue)).count == 2)
        #expect(table.due(now: 1000).isEmpty)
        let attempt = try #require(first.first { $0.settings.location.text.contains("a.example") })
        _ = table.end(attempt, attempt.state, .success(nil), now: 1000, random: 0)
        let second = table.due(now: 1000)
        #expect(second.count == 1)
        // A host that asks for a pause gets one, whichever feed it was about.
        var state = try #require(second.first).state
        state.pausedUntil = 5000
        let paused = SourceFailure.paused(429, seconds: 4000)
        _ = table.end(second[0], state, .failure(paused), now: 1000, random: 0)
        #expect(table.due(now: 4999).allSatisfy { $0.settings.location.text.contains("b.example") })
        #expect(table.due(now: 5001).contains { $0.settings.location.text.contains("a.example") })
    }

    @Test(arguments: [
        ("https://a.example/x", "https://A.example:443/y", true),
        ("http://a/", "https://a/", false),
        ("http://a:80/", "http://a/", true), ("http://u:p@a/", "http://a/", true),
        ("http://a/", "http://a:8080/", false), ("http://a/", "http://b/", false),
        ("https://a:80/", "https://a/", false), ("http://a/", "http://a:443/", false),
        ("https://[::1]/", "https://[::1]:443/", true), ("https://[::1]/", "https://[::2]/", false),
        ("https://a/", "https://a@b/", false), ("https://a/", "https://b@a/", true),
        ("no address", "no address", false), ("", "", false),
    ])
    func originsAreSchemeHostAndPort(_ one: String, _ other: String, _ isSame: Bool) {
        #expect(URLHost.isSameOrigin(one, other) == isSame)
    }
}
