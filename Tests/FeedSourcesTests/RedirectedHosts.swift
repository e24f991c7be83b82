import FeedFormats
import FeedModel
import FeedStore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// Redirects to other hosts, which have a queue and pauses of their own.
@Suite struct RedirectedHosts {
    private let servers = RawServers()

    /// Sources at addresses of no real host, by way of a proxy that plays all of these.
    private func feeds(_ addresses: [String: String], _ proxy: RawServer) throws -> SourcedFeeds {
        try SourcedFeeds(
            addresses.map { name, address in
                var source = SourceSettings(
                    feed: try #require(FeedName(name)),
                    location: .web(address)
                )
                source.proxy = proxy.url
                return source
            }
        )
    }

    @Test func aPauseIsThatOfTheHostThatAskedForIt() async throws {
        let asked = Mutex<[String]>([])
        let proxy = servers.serving { head, connection in
            let url = String(head.split(separator: " ")[1])
            asked.withLock { $0.append(url) }
            if url.contains("b.invalid") {
                return connection.answer("429 Slow Down", ["Retry-After: 100"])
            }
            if url.hasSuffix("plain") { return connection.answer("200 OK", [], rss([1])) }
            return connection.answer("302 Found", ["Location: http://b.invalid/x"])
        }
        let feeds = try feeds(
            [
                "one": "http://a.invalid/1", "two": "http://a.invalid/2",
                "plain": "http://a.invalid/plain", "direct": "http://b.invalid/3",
            ],
            proxy
        )
        feeds.service.take(.ended)
        #expect(try await feeds.failure("one")?.contains("pause of 100 s") == true)
        #expect(try await feeds.failure("plain") == nil)
        #expect(try await feeds.failure("two")?.contains("pause of 100 s") == true)
        #expect(try await feeds.failure("direct")?.contains("pause of 100 s") == true)
        let own = ["http://a.invalid/1", "http://a.invalid/plain", "http://a.invalid/2"]
        #expect(asked.withLock { $0 }.filter { $0.contains("a.invalid") } == own)
        #expect(asked.withLock { $0 }.filter { $0.contains("b.invalid") }.count == 1)
        feeds.pass(seconds: 101)
        _ = try await feeds.failure("two")
        #expect(asked.withLock { $0 }.filter { $0.contains("b.invalid") }.count == 2)
    }

    @Test func namesOfHostsAreSentAsTheyAreLookedUp() async throws {
        let asked = Mutex<[String]>([])
        let proxy = servers.serving { head, connection in
            let url = String(head.split(separator: " ")[1])
            asked.withLock { $0.append(url) }
            if url.hasSuffix("/x") { return connection.answer("200 OK", [], rss([1])) }
            return connection.answer("302 Found", ["Location: http://\u{E4}.invalid/x"])
        }
        let feeds = try feeds(["one": "http://\u{DC}.invalid:81/1"], proxy)
        feeds.service.take(.ended)
        #expect(try await feeds.failure("one") == nil)
        let both = ["http://xn--tda.invalid:81/1", "http://xn--4ca.invalid/x"]
        #expect(asked.withLock(\.self) == both)
    }

    /// What looks like another host is checked as the one that it is.
    @Test(arguments: [
        ("http://\u{FC}.example/\u{E4}?\u{F6}", "http://xn--tda.example/\u{E4}?\u{F6}"),
        ("https://a\u{FC}:b@\u{65E5}.jp:8443", "https://a\u{FC}:b@xn--wgv.jp:8443"),
        ("http://\u{FF11}\u{FF12}\u{FF17}.0.0.1/", "http://127.0.0.1/"),
        ("http://\u{FF4C}ocalhost/", "http://localhost/"),
        ("http://\u{FF0F}\u{FF20}a/", "http://\u{FF0F}\u{FF20}a/"),
        ("http://a.example/\u{E4}", "http://a.example/\u{E4}"),
        ("http://\u{E4}..x/", "http://\u{E4}..x/"), ("\u{E4}", "\u{E4}"),
    ])
    func namesOfHostsAre(_ address: String, normalizedTo name: String) {
        #expect(WebAddress.withASCIIHost(address) == name)
    }

    @Test func allThatAreRedirectedToAHostAskItInTurn() async throws {
        let running = Atomic(0)
        let most = Atomic(0)
        let proxy = servers.serving { head, connection in
            let url = head.split(separator: " ")[1]
            guard url.contains("target.invalid") else {
                return connection.answer("302 Found", ["Location: http://target.invalid/"])
            }
            most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            let goesOn = connection.answer("200 OK", [], rss([1]))
            running.subtract(1, ordering: .relaxed)
            return goesOn
        }
        let names = (0..<12).map { "f\($0)" }
        let feeds = try feeds(
            Dictionary(uniqueKeysWithValues: names.map { ($0, "http://\($0).invalid/") }),
            proxy
        )
        try await withThrowingTaskGroup(of: String?.self) { group in
            for name in names { group.addTask { try await feeds.failure(name) } }
            for try await failure in group { #expect(failure == nil) }
        }
        #expect(most.load(ordering: .relaxed) == 1)
    }

    @Test func aHostIsGivenFromOneToTheNext() throws {
        let sources = try ["a", "b", "c"].map { name in
            SourceSettings(
                feed: try #require(FeedName(name)),
                location: .web("http://\(name).example/")
            )
        }
        var table = SourceTable(known: [:])
        table.take(sources, now: 100) { 0 }
        var attempts = table.due(now: 200).sorted { $0.host < $1.host }
        #expect(attempts.map(\.host) == ["a.example", "b.example", "c.example"])
        let turns = Mutex<[String]>([])
        for index in [0, 2] {
            let name = attempts[index].settings.feed.rawValue
            let isTurn = table.move(&attempts[index], to: "b.example") {
                turns.withLock { $0.append(name) }
            }
            #expect(!isTurn)
            #expect(attempts[index].host == "b.example")
        }
        #expect(table.hosts.earliest("a.example") == 0)
        #expect(turns.withLock { $0 }.isEmpty)
        // Each one's end is the next one's turn.
        for (ended, turn) in [(1, ["a"]), (0, ["a", "c"]), (2, ["a", "c"])] {
            let attempt = attempts[ended]
            _ = table.end(attempt, attempt.state, .success(nil), now: 200, random: 0)
            #expect(turns.withLock { $0 } == turn)
            #expect((table.hosts.earliest("b.example") == nil) == (ended != 2))
        }
    }
}
