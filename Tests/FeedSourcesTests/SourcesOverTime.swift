import FeedAPI
import FeedFormats
import FeedModel
import FeedSources
import FeedStore
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// What becomes of a feed as its source and its settings change.
@Suite struct SourcesOverTime {
    private let servers = RawServers()

    /// A server that gives one document after another, the last one again and again.
    private func server(_ documents: [String], tag: String? = nil) -> RawServer {
        let count = Mutex(0)
        return servers.serving { head, connection in
            let number = count.withLock { count in
                defer { count += 1 }
                return min(count, documents.count - 1)
            }
            if tag != nil, head.contains("If-None-Match") {
                return connection.answer("304 Not Modified")
            }
            return connection.answer("200 OK", tag.map { ["ETag: \($0)"] } ?? [], documents[number])
        }
    }

    private func title(_ feeds: SourcedFeeds) throws -> String? {
        let members = feeds.store.current(try #require(FeedName("news")))?.snapshot.members
        return members?.list.first { $0.name == "title" }.map {
            String(decoding: $0.value.bytes, as: UTF8.self)
        }
    }

    @Test func otherSettingsCountThoughTheSourceIsTheSame() async throws {
        let server = server([rss([1])], tag: "\"x\"")
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        try await feeds.refresh()
        #expect(try title(feeds) == "\"News\"")
        feeds.service.take([try source(server.url) { $0.title = "Other" }])
        #expect(try await feeds.failure() == nil)
        #expect(try title(feeds) == "\"Other\"")
    }

    /// Caches serve old and new documents in turn; but a publisher takes items back, too.
    @Test(arguments: [false, true])
    func anOlderDocumentIsBelievedAfterAnHourOrAtARefreshThatSaysSo(_ isAsked: Bool) async throws {
        func document(_ numbers: [Int], _ minute: Int) -> String {
            let date = "Tue, 14 Nov 2023 10:\(minute):00 GMT"
            return rss(numbers, more: "<lastBuildDate>\(date)</lastBuildDate>")
        }
        let old = document([1], 10)
        let server = server([old, document([2, 1], 50), old, old, document([3, 1], 30)])
        let feeds = try SourcedFeeds([source(server.url)])
        for expected in [["n1"], ["n2", "n1"], ["n2", "n1"]] {
            feeds.pass(seconds: 60)
            try await feeds.refresh()
            #expect(try feeds.ids() == expected)
        }
        if !isAsked { feeds.pass(seconds: 3600) }
        try await feeds.refresh(mayRemoveAny: isAsked)
        #expect(try feeds.ids() == ["n1"])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n3", "n1"])
    }

    @Test func anEmptyDocumentIsBelievedTheSecondTime() async throws {
        let server = server([rss([2, 1]), rss([]), rss([3]), rss([])], tag: nil)
        let feeds = try SourcedFeeds([source(server.url)])
        for expected in [["n2", "n1"], ["n2", "n1"], ["n3"], ["n3"], [], []] {
            #expect(try await feeds.failure() == nil)
            #expect(try feeds.ids() == expected)
        }
    }

    @Test(arguments: [SourceKeeping.nothing, .count(10)])
    func anEmptyDocumentOfTheOwnFormIsBelievedTheSecondTime(
        _ keeping: SourceKeeping
    ) async throws {
        let full = "{\"title\":\"Theirs\",\"items\":[{\"id\":\"a\"}]}"
        let server = server([full, "{\"items\":[]}"])
        let feeds = try SourcedFeeds([
            source(server.url) { ($0.keeping, $0.title) = (keeping, "Mine") }
        ])
        for expected in [["a"], ["a"], keeping == .nothing ? [] : ["a"]] {
            #expect(try await feeds.failure() == nil)
            #expect(try feeds.ids() == expected)
            #expect(try title(feeds) == "\"Mine\"")
        }
    }

    @Test func aPasswordInAnAddressStaysThere() async throws {
        let item =
            "<item><guid>1</guid><link>/x</link><description>&lt;img src=y></description></item>"
        let document = "<rss><channel><title>T</title><link>/</link>\(item)</channel></rss>"
        let server = servers.serving { _, connection in
            connection.answer("200 OK", ["Link: </hub>; rel=\"hub\""], document)
        }
        let url = server.url.replacing("http://", with: "http://me:secret@")
        let feeds = try SourcedFeeds([source(url)])
        #expect(try await feeds.failure() == nil)
        let news = try #require(FeedName("news"))
        let snapshot = try #require(feeds.store.current(news)?.snapshot)
        let texts =
            snapshot.members.list.map { String(decoding: $0.value.bytes, as: UTF8.self) }
            + snapshot.sections.flatMap { Array($0.items) }
            .map { String(decoding: $0.json.bytes, as: UTF8.self) }
            + [feeds.service.report(on: news)?.location ?? ""]
        #expect(texts.contains { $0.contains("/x") })
        #expect(!texts.contains { $0.contains("secret") }, "\(texts)")
    }

    @Test func anEmptyDocumentTakesNothingThatIsKept() async throws {
        let server = server([rss([2, 1]), rss([])])
        let feeds = try SourcedFeeds([source(server.url) { $0.keeping = .count(10) }])
        for _ in 0..<4 {
            #expect(try await feeds.failure() == nil)
            #expect(try feeds.ids() == ["n2", "n1"])
        }
    }

    @Test(arguments: [("404 Not Found", ""), ("200 OK", "<html>Parked</html>")])
    func oneGoneLongAgoIsNotBelievedForAnotherFailure(
        _ status: String,
        _ body: String
    ) async throws {
        let answers = Mutex([
            ("200 OK", rss([1])), ("410 Gone", ""), (status, body), ("410 Gone", ""),
        ])
        let server = servers.serving { _, connection in
            let (status, body) = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return connection.answer(status, [], body)
        }
        let feeds = try SourcedFeeds([source(server.url)])
        let news = try #require(FeedName("news"))
        for _ in 0..<4 {
            try await feeds.refresh()
            #expect(feeds.service.report(on: news)?.next != nil)
            feeds.pass(seconds: 4 * 86_400)
        }
        // Now it has said nothing else for days.
        try await feeds.refresh()
        #expect(feeds.service.report(on: news)?.next == nil)
    }

    @Test func oneSourcesPrivateHostIsNotOpenToOthers() async throws {
        let server = server([rss([1])])
        let other = server.url
        let names = try ["one", "two", "three"].map { try #require(FeedName($0)) }
        let second = servers.serving { _, connection in
            connection.answer("302 Found", ["Location: \(other)/"])
        }
        let own = servers.serving { head, connection in
            head.hasPrefix("GET /x ")
                ? connection.answer("200 OK", [], rss([1]))
                : connection.answer("302 Found", ["Location: /x"])
        }
        func settings(_ index: Int, _ url: String, _ isAllowed: Bool) -> SourceSettings {
            var settings = SourceSettings(feed: names[index], location: .web(url))
            settings.allowsPrivate = isAllowed
            return settings
        }
        let feeds = try SourcedFeeds([
            settings(0, own.url, true), settings(1, server.url, false),
            settings(2, second.url, true),
        ])
        #expect(try await feeds.failure("one") == nil)
        #expect(try await feeds.failure("two")?.contains("not allowed") == true)
        #expect(try await feeds.failure("three")?.contains("not allowed") == true)
        #expect(server.connectionCount == 0)
        // A connection that was allowed to one is no way for another.
        feeds.service.take([settings(0, own.url + "/x", true), settings(1, own.url + "/x", false)])
        #expect(try await feeds.failure("one") == nil)
        #expect(try await feeds.failure("two")?.contains("not allowed") == true)
    }

    private func settings(_ name: String, _ url: String) throws -> SourceSettings {
        SourceSettings(feed: try #require(FeedName(name)), location: .web(url))
    }

    @Test func aSourceThatIsTakenOutLeavesItsHostToOthers() throws {
        let first = try settings("s1", "http://a.example/1")
        let second = try settings("s2", "http://a.example/2")
        let elsewhere = try settings("s1", "http://b.example/")
        for change in [[second], [elsewhere, second]] {
            var table = SourceTable(known: [:])
            table.take([first], now: 100) { 0 }
            let attempt = try #require(table.due(now: 200).first)
            let answered = Mutex(0)
            _ = table.refresh(first.feed, now: 200) { _ in answered.withLock { $0 += 1 } }
            for waiter in table.take(change, now: 200, random: { 0 }) {
                waiter(.failure(.removed))
            }
            #expect(answered.withLock { $0 } == (change.count == 1 ? 1 : 0))
            let others = table.due(now: 300)
            #expect(others.allSatisfy { $0.host == "b.example" })
            // The old try's end is not that of the new one.
            let (waiting, _) = table.end(attempt, attempt.state, .success(nil), now: 300, random: 0)
            #expect(waiting.isEmpty)
            #expect(table.due(now: 300).map(\.host) == ["a.example"])
        }
    }

    /// After a restart, too.
    @Test func aPauseIsKeptThoughTheSettingsChange() throws {
        let feed = try settings("s1", "http://a.example/1")
        var state = SourceState(address: "http://a.example/1")
        (state.pausedUntil, state.nextTry) = (1_000, 1_000)
        var table = SourceTable(known: ["s1": state])
        table.take([feed], now: 100) { 0 }
        #expect(table.due(now: 200).isEmpty)
        var other = feed
        other.title = "Other"
        table.take([other], now: 200) { 0 }
        #expect(table.due(now: 200).isEmpty)
        #expect(table.due(now: 1_001).count == 1)
    }

    /// What it was before may be slow, and say it all after the new one has.
    @Test(arguments: [true, false])
    func aSourceThatIsTakenOutPublishesNothingAnyMore(isReplaced: Bool) async throws {
        let (came, turn) = (Event(), Event())
        let proxy = servers.serving { head, connection in
            guard head.contains("a.invalid/slow") else {
                return connection.answer("200 OK", [], rss([2]))
            }
            came.happened()
            return turn.wait() && connection.answer("200 OK", [], rss([1]))
        }
        func settings(_ name: String, _ url: String) throws -> SourceSettings {
            var settings = SourceSettings(feed: try #require(FeedName(name)), location: .web(url))
            settings.proxy = proxy.url
            return settings
        }
        let feeds = try SourcedFeeds([settings("news", "http://a.invalid/slow")])
        feeds.service.take(.ended)
        let first = Task { try await feeds.refresh() }
        #expect(await came.awaited())
        let other = try settings("news", "http://b.invalid/")
        feeds.service.take(isReplaced ? [other] : [])
        if isReplaced { #expect(try await feeds.failure() == nil) }
        // Its host is free for the next one when all is done.
        let next = try settings("next", "http://a.invalid/next")
        feeds.service.take(isReplaced ? [other, next] : [next])
        turn.happened()
        #expect(try await feeds.failure("next") == nil)
        #expect(try feeds.ids() == (isReplaced ? ["n2"] : []))
        _ = try await first.value
    }
}
