import COpenSSL
import FeedAPI
import FeedModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// A hub at work: it is asked, verifies and pushes.
@Suite struct Hubs {
    private let servers = RawServers()

    /// What came to a server.
    private final class Requests: Sendable {
        private let all = Mutex<[String]>([])
        let event = Event()

        func add(_ text: String) -> Int {
            let count = all.withLock { all in
                all.append(text)
                return all.count
            }
            event.happened()
            return count
        }

        var texts: [String] { all.withLock { $0 } }
    }

    /// A hub that answers so, and keeps the forms that it is sent.
    private func hub(_ requests: Requests, _ status: String = "202 Accepted") -> RawServer {
        servers.serving { head, connection in
            let length = head.firstMatch(of: #/(?i)content-length: (\d+)/#).flatMap { Int($0.1) }
            let body = connection.read(length ?? 0) ?? []
            let isAnswered = connection.answer(status)
            _ = requests.add(String(decoding: body, as: UTF8.self))
            return isAnswered
        }
    }

    private func form(_ text: String) -> [String: String] {
        let pairs = text.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(
            pairs.map { (String($0[0]), String($0.last ?? "").removingPercentEncoding ?? "") }
        ) { first, _ in first }
    }

    /// A source that has one more item each time, and names the hub.
    private func feed(_ hub: RawServer, _ requests: Requests) -> RawServer {
        servers.serving { head, connection in
            let links = ["Link: <\(hub.url)/>; rel=hub, <https://e.example/topic>; rel=self"]
            let isAnswered = connection.answer(
                "200 OK",
                links,
                rss(Array(1...requests.texts.count + 1).reversed())
            )
            _ = requests.add(head)
            return isAnswered
        }
    }

    private func sign(_ body: String, _ secret: String) throws -> String {
        let (key, bytes) = (Array(secret.utf8), Array(body.utf8))
        var code = [UInt8](repeating: 0, count: 32)
        try #require(freshet_hmac(key, key.count, bytes, bytes.count, &code) != 0)
        return "sha256=" + code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The feed of a source that was fetched, on a server that hubs can reach.
    private func subscribed(
        _ server: RawServer,
        hub: RawServer
    ) async throws -> SourcedFeeds {
        let feeds = try SourcedFeeds([source(server.url) { $0.privateHub = hub.url }])
        feeds.service.setCallbackBase("https://feeds.example/websub/")
        try await feeds.refresh()
        return feeds
    }

    @Test func areAskedVerifyAndHaveSourcesFetched() async throws {
        let (asked, fetched) = (Requests(), Requests())
        let hub = hub(asked)
        let feeds = try await subscribed(feed(hub, fetched), hub: hub)
        #expect(await fetched.event.awaited())
        #expect(await asked.event.awaited())
        let fields = form(try #require(asked.texts.first))
        #expect(fields["hub.mode"] == "subscribe")
        #expect(fields["hub.topic"] == "https://e.example/topic")
        let secret = try #require(fields["hub.secret"])
        let callback = try #require(fields["hub.callback"])
        #expect(callback.hasPrefix("https://feeds.example/websub/"))
        let id = try #require(callback.split(separator: "/").last.map(String.init))
        #expect(feeds.service.isSubscriber(id))
        #expect(!feeds.service.isSubscriber(id + "0"))

        let question = SourceHubQuestion(mode: "subscribe", topic: "https://e.example/topic")
        #expect(!feeds.service.verifyPush("0", question))
        #expect(feeds.service.verifyPush(id, question))
        let news = try #require(FeedName("news"))
        #expect(feeds.service.report(on: news)?.push?.until ?? 0 > 0)

        // Not signed, or wrongly: nothing happens.
        for signature in [nil, "sha256=00", try sign("other", secret)] {
            #expect(!feeds.service.receivePush(id, Array("body".utf8), signature: signature))
        }
        #expect(feeds.service.pushCounts.ignored == 3)
        #expect(fetched.texts.count == 1)

        let signature = try sign("body", secret)
        feeds.pass(seconds: 60)
        #expect(feeds.service.receivePush(id, Array("body".utf8), signature: signature))
        #expect(await fetched.event.awaited())
        #expect(fetched.texts.count == 2)
        #expect(feeds.service.pushCounts.received == 1)
        // Again at once: not before a pause is over.
        for _ in 0..<20 {
            #expect(feeds.service.receivePush(id, Array("body".utf8), signature: signature))
        }
        #expect(fetched.texts.count == 2)
        #expect(feeds.service.report(on: news)?.push?.missedCount == 0)
    }

    /// A source goes, gets another address, or is to be pushed no more: its hub is told, once.
    @Test(arguments: ["gone", "moved", "unwilling"])
    func areToldWhatIsWantedNoMore(_ change: String) async throws {
        let (asked, fetched) = (Requests(), Requests())
        let hub = hub(asked)
        let server = feed(hub, fetched)
        let feeds = try await subscribed(server, hub: hub)
        #expect(await asked.event.awaited())
        let id = try #require(
            form(asked.texts[0])["hub.callback"]?.split(separator: "/").last.map(String.init)
        )
        let topic = "https://e.example/topic"
        #expect(feeds.service.verifyPush(id, SourceHubQuestion(mode: "subscribe", topic: topic)))
        let ending = SourceHubQuestion(mode: "unsubscribe", topic: topic)
        #expect(!feeds.service.verifyPush(id, ending))

        let other = try source(server.url + (change == "moved" ? "/other" : "")) {
            $0.privateHub = hub.url
            $0.isSubscribing = change != "unwilling"
        }
        feeds.service.take(change == "gone" ? [] : [other])
        feeds.service.subscribe(now: feeds.service.wall())
        #expect(await asked.event.awaited())
        try #require(asked.texts.count == 2)
        let fields = form(asked.texts[1])
        #expect(fields["hub.mode"] == "unsubscribe")
        #expect(fields["hub.topic"] == topic)
        #expect(fields["hub.callback"] == "https://feeds.example/websub/" + id)
        #expect(fields["hub.secret"] == nil)
        #expect(fields["hub.lease_seconds"] == nil)
        #expect(!feeds.service.isSubscriber(id))
        #expect(!feeds.service.verifyPush(id, SourceHubQuestion(mode: "unsubscribe", topic: "x")))
        #expect(!feeds.service.verifyPush(id, SourceHubQuestion(mode: "subscribe", topic: topic)))
        #expect(feeds.service.verifyPush(id, ending))
        #expect(!feeds.service.verifyPush(id, ending))
        feeds.service.subscribe(now: feeds.service.wall())
        #expect(asked.texts.filter { $0.contains("unsubscribe") }.count == 1)
    }

    @Test func thatRefuseAreSaidSo() async throws {
        let (asked, fetched) = (Requests(), Requests())
        let hub = hub(asked, "403 Forbidden")
        let feeds = try SourcedFeeds([
            source(feed(hub, fetched).url) { $0.privateHub = hub.url }
        ])
        feeds.service.setCallbackBase("https://feeds.example/websub/")
        try await feeds.refresh()
        #expect(await asked.event.awaited())
        let news = try #require(FeedName("news"))
        while feeds.service.report(on: news)?.push?.error == nil { await Task.yield() }
        #expect(feeds.service.report(on: news)?.push?.error == "the hub answered 403")
    }

    /// By way of a proxy that plays the source's host and the hub's.
    @Test(arguments: [true, false])
    func areAskedByTheNameThatIsLookedUp(_ isInField: Bool) async throws {
        let asked = Requests()
        let hub = "http://\u{FC}.invalid/hub"
        let link = "<atom:link xmlns:atom='http://www.w3.org/2005/Atom' rel='hub' href='\(hub)'/>"
        let document = rss([1], more: isInField ? "" : link)
        let proxy = servers.serving { head, connection in
            guard head.hasPrefix("POST ") else {
                let fields = isInField ? ["Link: <\(hub)>; rel=hub"] : []
                return connection.answer("200 OK", fields, document)
            }
            _ = asked.add(String(head.split(separator: " ")[1]))
            return connection.answer("202 Accepted")
        }
        let feeds = try SourcedFeeds([source("http://a.invalid/") { $0.proxy = proxy.url }])
        feeds.service.setCallbackBase("https://feeds.example/websub/")
        try await feeds.refresh()
        let news = try #require(FeedName("news"))
        while asked.texts.isEmpty, feeds.service.report(on: news)?.push?.error == nil {
            await Task.yield()
        }
        #expect(asked.texts == ["http://xn--tda.invalid/hub"])
    }

    @Test(arguments: ["127.0.0.1", "[::ffff:127.0.0.1]"])
    func inThisMachineAreNotAskedUnlessTheyAreAllowed(_ host: String) async throws {
        let (asked, fetched) = (Requests(), Requests())
        let hub = hub(asked)
        // The source's own host and port are allowed; its hub is elsewhere in this machine.
        let other = hub.url.replacing("127.0.0.1", with: host)
        let server = servers.serving { head, connection in
            let isAnswered = connection.answer("200 OK", ["Link: <\(other)/>; rel=hub"], rss([1]))
            _ = fetched.add(head)
            return isAnswered
        }
        let feeds = try SourcedFeeds([source(server.url)])
        feeds.service.setCallbackBase("https://feeds.example/websub/")
        try await feeds.refresh()
        let news = try #require(FeedName("news"))
        while feeds.service.report(on: news)?.push?.error == nil { await Task.yield() }
        #expect(asked.texts.isEmpty)
        #expect(hub.connectionCount == 0)
    }

    @Test func areNotAskedWithoutAPublicAddressOrWhereTheOperatorSaysSo() async throws {
        let (asked, fetched) = (Requests(), Requests())
        let address = feed(hub(asked), fetched).url
        let news = try #require(FeedName("news"))
        let closed = try SourcedFeeds([source(address)])
        try await closed.refresh()
        #expect(closed.service.report(on: news)?.push == nil)
        let unwilling = try SourcedFeeds([source(address) { $0.isSubscribing = false }])
        unwilling.service.setCallbackBase("https://feeds.example/websub/")
        try await unwilling.refresh()
        #expect(unwilling.service.report(on: news)?.push == nil)
        #expect(asked.texts.isEmpty)
    }
}
