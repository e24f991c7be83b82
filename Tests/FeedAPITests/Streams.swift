import FeedModel
import FeedStore
import Foundation
import HTTPServer
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// docs/READING.md, "Streams".
@Suite(.timeLimit(.minutes(2))) struct Streams {
    private static let filler = String(repeating: "x", count: 300)
    private static let one = #"{"items":[{"id":"a","n":1},{"id":"f","text":"\#(filler)"}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"f","text":"\#(filler)"}]}"#
    private static let three = #"{"items":[{"id":"a","n":3},{"id":"f","text":"\#(filler)"}]}"#

    /// Runs `body` against a server on a port of its own.
    private func withServer(
        _ configure: (inout APIConfiguration) -> Void = { _ in },
        _ body: (LiveAPI, Int, HTTPServer) async throws -> Void
    ) async throws {
        let live = try LiveAPI(configure)
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 2, handler: live.api)
        server.start()
        do {
            try await body(live, server.port, server)
        } catch {
            await server.stopped(within: .zero)
            throw error
        }
        await server.stopped(within: .zero)
    }

    /// What is asked for may be no name, and must not become a line of the stream.
    @Test(
        arguments: ["identity", "gzip"],
        [
            "x%0Adata:%20forged%0A%0A", "%0D%0Aid:%20y", "x,news", "%00",
            String(repeating: "%01", count: 7000),
        ]
    )
    func noNameIsMoreThanAName(_ coding: String, _ name: String) async throws {
        try await withServer { live, port, _ in
            let news = try live.put("news", Self.one)
            let events = try EventReader(
                port,
                "/events?feed=news&feed=\(name)@aaaaaaaa.1",
                "Accept-Encoding: \(coding)\r\n"
            )
            let first = try events.next()
            #expect(first.name == "snapshot")
            #expect(first.data["token"]?.string == "\(news)")
            #expect(first.id == "\(news),")
            let second = try events.next()
            #expect(second.name == "missing")
            let missing = try #require(name.removingPercentEncoding)
            #expect(second.data["feed"] == .string(ExactString(missing)))
            #expect(second.id == "\(news),")
        }
    }

    @Test func theFirstEventsBringUpToDateAndTheOthersFollow() async throws {
        try await withServer { live, port, _ in
            let old = try live.put("news", Self.one)
            let news = try live.put("news", Self.two)
            let sports = try live.put("sports", Self.one)
            let events = try EventReader(
                port,
                "/events?feed=news@\(old)&feed=sports@\(sports)&feed=gone&feed=new"
            )
            #expect(events.head["content-type"] == "text/event-stream")
            #expect(events.head["cache-control"] == "no-store")
            #expect(events.head["x-accel-buffering"] == "no")
            #expect(events.head["incremental"] == "?1")
            let first = try events.next()
            #expect(first.name == "changes")
            #expect(first.data["since"]?.string == "\(old)")
            #expect(first.id == "\(news),\(sports),,")
            let second = try events.next()
            #expect(second.name == "unchanged")
            #expect(second.data["feed"] == "sports")
            for name in ["gone", "new"] {
                let event = try events.next()
                #expect(event.name == "missing")
                #expect(event.data == ["kind": "missing", "feed": .string(ExactString(name))])
                #expect(event.id == "\(news),\(sports),,")
            }
            let new = try live.put("new", Self.one)
            let third = try events.next()
            #expect(third.name == "snapshot")
            #expect(third.data["reason"] == nil)
            #expect(third.id == "\(news),\(sports),,\(new)")
        }
    }

    @Test func aFeedThatGoesAndComesAgainIsToldOf() async throws {
        try await withServer { live, port, _ in
            let name = try #require(FeedName("news"))
            try live.put("news", Self.one)
            let events = try EventReader(port, "/feeds/news/events")
            #expect(try events.next().name == "snapshot")
            _ = live.api.store.remove(name) { _ in }
            let missing = try events.next()
            #expect(missing.name == "missing")
            #expect(missing.id == "")
            let token = try live.put("news", Self.one)
            let again = try events.next()
            #expect(again.name == "snapshot")
            #expect(again.id == "\(token)")
        }
    }

    @Test func lastEventIDWinsOverTheQuery() async throws {
        try await withServer { live, port, _ in
            let first = try live.put("news", Self.one)
            let second = try live.put("news", Self.two)
            try live.put("news", Self.three)
            try live.put("sports", Self.one)
            let events = try EventReader(
                port,
                "/events?feed=news@\(first)&feed=sports@\(first)",
                "Last-Event-ID: other@\(first),news@\(second),nonsense\r\n"
            )
            #expect(try events.next().data["since"]?.string == "\(second)")
            // It names none: from nothing.
            #expect(try events.next().data["reason"] == nil)
            let garbled = try EventReader(
                port,
                "/events?feed=news@\(first)",
                "Last-Event-ID: news@x\r\n"
            )
            #expect(try garbled.next().name == "snapshot")
        }
    }

    /// The id has a token for each feed in the query's order, in a field or in the query; names are
    /// taken.
    @Test(arguments: [
        ("Last-Event-ID: SPORTS,,NEWS\r\n", ""), ("", "&lastEventId=SPORTS,,NEWS"),
        ("", "&lastEventId=SPORTS%2C%2CNEWS"),
        ("Last-Event-ID: SPORTS,,NEWS\r\n", "&lastEventId=NEWS,NEWS,SPORTS"),
        ("Last-Event-ID: news@NEWS,x,sports@SPORTS\r\n", ""),
        ("Last-Event-ID: SPORTS,,NEWS,NEWS,NEWS\r\n", ""),
        ("Last-Event-ID: SPORTS,sports@NEWS,news@NEWS\r\n", ""),
        ("Last-Event-ID: \"SPORTS\",W/\"x\",NEWS-gzip\r\n", ""),
    ])
    func goOnAfterTheLastEvent(_ field: String, _ parameter: String) async throws {
        try await withServer { live, port, _ in
            let news = try live.put("news", Self.one)
            let sports = try live.put("sports", Self.two)
            let tokens = { (text: String) in
                text.replacing("NEWS", with: "\(news)").replacing("SPORTS", with: "\(sports)")
            }
            try live.put("news", Self.three)
            let events = try EventReader(
                port, "/events?feed=sports&feed=other@\(news)&feed=news" + tokens(parameter),
                field.hasPrefix("Last-Event-ID: ")
                    ? "Last-Event-ID: " + tokens(String(field.dropFirst(15))) : ""
            )
            let first = try events.next()
            #expect(first.name == "unchanged")
            #expect(first.data["feed"] == "sports")
            #expect(try events.next().name == "missing")
            #expect(try events.next().data["since"]?.string == "\(news)")
        }
    }

    @Test func aStreamOfAHundredLongNamesGoesOnBehindAProxy() async throws {
        try await withServer { live, port, _ in
            let names = (0..<100).map { "feed-\($0)-" + String(repeating: "x", count: 110) }
            for name in names { try live.put(name, Self.one) }
            let query = names.map { "feed=\($0)" }.joined(separator: "&")
            let events = try EventReader(port, "/events?\(query)")
            var id = ""
            for _ in names { id = try #require(try events.next().id) }
            #expect(id.utf8.count < 4_000, "proxies take lines of 8 KiB")
            let again = try EventReader(port, "/events?\(query)", "Last-Event-ID: \(id)\r\n")
            for _ in names { #expect(try again.next().name == "unchanged") }
        }
    }

    @Test(arguments: [nil, "gzip"])
    func aThousandChangesArriveAndAddUp(_ coding: String?) async throws {
        try await withServer { live, port, _ in
            try live.put("news", Self.one)
            try live.put("sports", Self.one)
            let events = try EventReader(
                port,
                "/events?feed=news&feed=sports",
                coding.map { "Accept-Encoding: \($0)\r\n" } ?? ""
            )
            #expect(events.head["content-encoding"] == coding)
            var feeds: [String: NaiveFeed] = [:]
            var random = SeededGenerator(seed: 5)
            for number in 0..<300 {
                let name = Bool.random(using: &random) ? "news" : "sports"
                let ids = (0..<Int.random(in: 0..<30, using: &random)).shuffled(using: &random)
                let items = ids.map { #"{"id":"\#($0)","n":\#(number / (1 + $0))}"# }
                try live.put(name, #"{"items":[\#(items.joined(separator: ","))]}"#)
                if number % 7 == 0 { try events.take(into: &feeds, upTo: live) }
            }
            try events.take(into: &feeds, upTo: live)
            for name in ["news", "sports"] {
                let now = try await live.get("/feeds/\(name)")
                #expect(feeds[name] == NaiveFeed(document: now.json))
            }
        }
    }

    @Test func aStopEndsThem() async throws {
        try await withServer { live, port, server in
            try live.put("news", Self.one)
            let events = try EventReader(port, "/events?feed=news", "Accept-Encoding: gzip\r\n")
            #expect(try events.next().name == "snapshot")
            let ended = server.stopping(within: .seconds(20))
            // The end of the gzip stream is there, with its check.
            #expect(try events.isWholeAtTheEnd())
            events.endSending()
            #expect(ended.wait())
        }
    }

    @Test func viewsAreStreamedToo() async throws {
        try await withServer { live, port, _ in
            try live.put("news", Self.two)
            let events = try EventReader(port, "/events?feed=news&limit=1")
            let first = try events.next()
            #expect(first.data["count"] == 1)
            #expect(first.data["total"] == 2)
        }
    }

    @Test func largeFeedsAreMadeElsewhereAndArrive() async throws {
        try await withServer { live, port, _ in
            let text = String(repeating: "x", count: 200)
            let items = (0..<3000).map { #"{"id":"\#($0)","text":"\#(text)"}"# }
            try live.put("news", #"{"items":[\#(items.joined(separator: ","))]}"#)
            let readers = try ["", "Accept-Encoding: gzip\r\n"].map {
                try EventReader(port, "/events?feed=news", $0)
            }
            for events in readers { #expect(try events.next().data["count"] == 3000) }
            try live.put("news", #"{"items":[\#(items.dropLast().joined(separator: ","))]}"#)
            for events in readers { #expect(try events.next().name == "changes") }
        }
    }

    /// Events of more than 4 MiB of a part of a feed are not cached, so each is made for its stream.
    @Test func eventsThatAreNotCachedArriveOfSeveralFeeds() async throws {
        try await withServer { live, port, _ in
            let text = String(repeating: "x", count: 1000)
            let items = (0..<4500).map { #"{"id":"\#($0)","text":"\#(text)"}"# }
            let document = #"{"items":[\#(items.joined(separator: ","))]}"#
            for name in ["a", "b"] { try live.put(name, document) }
            let events = try EventReader(port, "/events?feed=a&feed=b&limit=20000")
            for _ in 0..<2 { #expect(try events.next().data["count"] == 4500) }
        }
    }

    @Test func aKeyThatLosesItsRightsSeesTheFeedNoMore() async throws {
        try await withServer {
            $0.openFeeds = []
        } _: { live, port, _ in
            try live.put("news", Self.one)
            let events = try EventReader(
                port,
                "/events?feed=news",
                "Authorization: Bearer \(API.key)\r\n"
            )
            #expect(try events.next().name == "snapshot")
            var configuration = APIConfiguration()
            configuration.openFeeds = []
            configuration.keys = [
                AccessKey(API.key, write: [FeedPattern("other")].compactMap(\.self))
            ]
            let api = live.api.reconfigured(configuration)
            #expect(try events.next().name == "missing")
            withExtendedLifetime(api) {}
        }
    }

    /// Feeds come and go with what may be read; a key that is unknown ends the stream.
    @Test func rightsAreThoseOfNow() async throws {
        let configurations = try ["open", "*", "closed"].map { pattern in
            var configuration = APIConfiguration()
            configuration.openFeeds = [try #require(FeedPattern("open"))]
            configuration.keys = [
                AccessKey(API.key, read: [try #require(FeedPattern(pattern))], write: [])
            ]
            return configuration
        }
        try await withServer {
            $0 = configurations[0]
        } _: { live, port, _ in
            try live.put("open", Self.one)
            try live.put("closed", Self.one)
            let target = "/events?feed=closed&feed=open"
            let key = "Authorization: Bearer \(API.key)\r\n"
            let (withKey, without) = (
                try EventReader(port, target, key), try EventReader(port, target)
            )
            for events in [withKey, without] {
                #expect(try events.next().name == "missing")
                #expect(try events.next().data["feed"] == "open")
            }
            var api = live.api.reconfigured(configurations[1])
            #expect(try withKey.next().data["feed"] == "closed")
            api = api.reconfigured(configurations[2])
            try live.put("closed", Self.two)
            #expect(try withKey.next().name == "changes")
            // What the other one may not read has not come there meanwhile.
            try live.put("open", Self.two)
            #expect(try without.next().data["feed"] == "open")
            #expect(try withKey.next().data["feed"] == "open")
            var nobody = APIConfiguration()
            nobody.openFeeds = []
            api = api.reconfigured(nobody)
            #expect(try withKey.isWholeAtTheEnd())
            #expect(try without.next().name == "missing")
            withExtendedLifetime(api) {}
        }
    }

    @Test func thereIsNoStreamOfAFeedThatIsNotThere() async throws {
        let answer = try await LiveAPI().get("/feeds/none/events")
        #expect(answer.status == 404)
    }
}
