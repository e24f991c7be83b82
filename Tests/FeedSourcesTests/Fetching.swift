import FeedAPI
import FeedFormats
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// A source is fetched, and what it holds is published.
@Suite struct Fetching {
    private let servers = RawServers()

    private final class Heads: Sendable {
        private let heads = Mutex<[String]>([])
        func add(_ head: String) -> Int {
            heads.withLock { heads in
                heads.append(head)
                return heads.count
            }
        }
        var all: [String] { heads.withLock { $0 } }
    }

    @Test func aFeedIsMadeOfItsSource() async throws {
        let server = servers.serving { _, connection in
            connection.answer("200 OK", [], rss([2, 1]))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        guard case .success(let publication?) = try await feeds.refresh() else {
            Issue.record("not published")
            return
        }
        #expect(publication.isChanged)
        #expect(try feeds.ids() == ["n2", "n1"])
    }

    @Test func theSecondFetchIsConditional() async throws {
        let heads = Heads()
        let server = servers.serving { head, connection in
            heads.add(head) == 1
                ? connection.answer(
                    "200 OK",
                    ["ETag: W/\"x\u{e9} y\"", "Last-Modified: yesterday, about noon"],
                    rss([1])
                ) : connection.answer("304 Not Modified", ["ETag: \"z\""])
        }
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        for _ in 0..<2 {
            guard case .success(nil) = try await feeds.refresh() else {
                Issue.record("not unchanged")
                return
            }
        }
        #expect(!heads.all[0].contains("If-"))
        #expect(heads.all[1].contains("If-None-Match: W/\"x\u{e9} y\"\r\n"))
        #expect(heads.all[1].contains("If-Modified-Since: yesterday, about noon\r\n"))
        #expect(heads.all[2].contains("If-None-Match: \"z\"\r\n"))
    }

    /// A `304` has no document, so it cannot take back what the last one asks for.
    @Test(arguments: [nil, 60, 3 * 3600, 5 * 3600])
    func theTimeThatADocumentAsksForHoldsWhileItIsUnchanged(_ freshness: Int?) async throws {
        let fields = freshness.map { ["Cache-Control: max-age=\($0)"] } ?? []
        let server = servers.serving { head, connection in
            head.contains("If-None-Match")
                ? connection.answer("304 Not Modified", fields)
                : connection.answer("200 OK", ["ETag: \"x\""], rss([1], more: "<ttl>240</ttl>"))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        for _ in 0..<3 {
            try await feeds.refresh()
            let next = feeds.service.reports.first?.report.next ?? 0
            // The time of a try is spread by 5 % to both sides.
            #expect(next - 1_700_000_000 >= 240 * 60 * 95 / 100 - 1)
        }
    }

    @Test func validatorsAreDroppedInTheEnd() async throws {
        let heads = Heads()
        let server = servers.serving { head, connection in
            head.contains("If-None-Match")
                ? connection.answer("304 Not Modified")
                : connection.answer("200 OK", ["ETag: \"x\""], rss([heads.add(head)]))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        feeds.pass(seconds: 7 * 86_400)
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n1"])
        feeds.pass(seconds: 2 * 86_400)
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n2"])
    }

    /// A server that says so for ever is found out when it is asked for the document.
    @Test func notModifiedIsNotBelievedUnasked() async throws {
        let heads = Heads()
        let server = servers.serving { head, connection in
            heads.add(head) == 1
                ? connection.answer("200 OK", ["ETag: \"x\""], rss([1]))
                : connection.answer("304 Not Modified")
        }
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        feeds.pass(seconds: 7 * 86_400)
        try await feeds.refresh()
        feeds.pass(seconds: 2 * 86_400)
        let failure = try await feeds.failure()
        #expect(failure?.contains("it says “not modified” though it was not asked") == true)
        #expect(try feeds.ids() == ["n1"])
    }

    @Test func whatIsTheSameMakesNoVersion() async throws {
        let server = servers.serving { head, connection in
            let date = "<lastBuildDate>\(Date())\(Int.random(in: 0...1_000_000))</lastBuildDate>"
            return connection.answer("200 OK", [], rss([1], more: date))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        let token = try feeds.token()
        try await feeds.refresh()
        #expect(try feeds.token() == token)
    }

    @Test func refreshesAtTheSameTimeShareOne() async throws {
        let (came, turn, heads) = (Event(), Event(), Heads())
        let server = servers.serving { head, connection in
            // Tasks that begin late come after the first answer, and are answered at once.
            let isFirst = heads.add(head) == 1
            came.happened()
            return (!isFirst || turn.wait()) && connection.answer("200 OK", [], rss([1]))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        async let first = feeds.refresh()
        #expect(await came.awaited())
        let second = Task { try await feeds.refresh() }
        let third = Task { try await feeds.refresh() }
        turn.happened()
        for outcome in [try await first, try await second.value, try await third.value] {
            guard case .success = outcome else {
                Issue.record("failed")
                continue
            }
        }
        #expect(heads.all.count <= 3)
        #expect(try feeds.ids() == ["n1"])
    }

    @Test func theOwnFormIsPublishedAsItIs() async throws {
        let server = servers.serving { _, connection in
            connection.answer(
                "200 OK",
                ["Content-Type: application/json"],
                "{\"title\":\"T\",\"sections\":[{\"id\":\"s\",\"items\":[{\"id\":\"a\",\"n\":1.50}]}]}"
            )
        }
        let feeds = try SourcedFeeds([source(server.url)])
        try await feeds.refresh()
        let snapshot = feeds.store.current(try #require(FeedName("news")))?.snapshot
        #expect(snapshot?.sections.map(\.id) == ["s"])
        #expect(try feeds.ids() == ["a"])
    }

    @Test func aFileIsASource() async throws {
        let folder = try TemporaryFolder()
        try folder.write(rss([3]), to: "feed.xml")
        var settings = try source("http://unused.invalid/")
        settings.location = .file(folder.path("feed.xml"))
        let feeds = try SourcedFeeds([settings])
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n3"])
        settings.location = .file(folder.path("none.xml"))
        let none = try SourcedFeeds([settings])
        #expect(try await none.failure()?.contains("cannot be opened") == true)
    }

    /// A preview shows what is published, and nothing else.
    @Test(arguments: [
        ("{\"title\":\"A\",\"items\":[{\"id\":\"1\"},{\"id\":\"2\"}]}", 2),
        ("{\"items\":[]}", 0), ("{\"items\":[{\"id\":1}]}", nil), ("{\"items\":[{}]}", nil),
        ("{\"items\":[{\"id\":\"1\"},{\"id\":\"1\"}]}", nil),
    ])
    func aPreviewOfTheOwnFormIsWhatIsPublished(_ text: String, _ count: Int?) throws {
        let settings = try source("http://127.0.0.1/") { $0.title = "Other" }
        let document = SourceFetch.Document(file: Array(text.utf8))
        guard let count else {
            #expect(throws: SourceFailure.self) {
                try SourcePreview.read(document, settings, now: 1_700_000_000)
            }
            return
        }
        let feed = try SourcePreview.read(document, settings, now: 1_700_000_000).snapshot
        #expect(feed.count == count)
        #expect(feed.members["title"]?.stringValue == "Other")
    }

    @Test func aFileIsInItsFolderHoweverLinksLead() async throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        try outside.write(rss([1]), to: "secret.xml")
        try folder.write(rss([2]), to: "feed.xml")
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.path("out.xml"),
            withDestinationPath: outside.path("secret.xml")
        )
        try manager.createSymbolicLink(
            atPath: folder.path("in.xml"),
            withDestinationPath: "feed.xml"
        )
        var settings = try source("http://unused.invalid/")
        settings.folder = folder.path("")
        for (path, isThere) in [
            ("feed.xml", true), ("in.xml", true), ("out.xml", false), ("../secret.xml", false),
            (outside.path("secret.xml"), false), ("", false), (".", false), ("none.xml", false),
        ] {
            settings.location = .file(path)
            let failure = try await SourcedFeeds([settings]).failure()
            #expect((failure == nil) == isThere, "\(path): \(failure ?? "")")
        }
        settings.location = .file("feed.xml")
        settings.byteLimit = 10
        #expect(try await SourcedFeeds([settings]).failure()?.contains("longer than 10") == true)
    }

    private final class Secure: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            .response(Response(status: .ok, body: .bytes(Array(rss([1]).utf8))))
        }
    }

    /// An authority of one source is no other's.
    @Test func aSourceMayHaveAnAuthorityOfItsOwn() async throws {
        let certificate = TestCertificate.ecdsa.files
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: Secure(),
            limits: .patient,
            tls: TLSContext(certificate)
        )
        server.start()
        var sources: [SourceSettings] = []
        for (name, authorities) in [("own", certificate.certificate), ("system", nil)] {
            var settings = SourceSettings(
                feed: try #require(FeedName(name)),
                location: .web("https://localhost:\(server.port)/")
            )
            settings.allowsPrivate = true
            settings.authorities = authorities
            sources.append(settings)
        }
        let feeds = try SourcedFeeds(sources)
        for _ in 0..<2 {
            #expect(try await feeds.failure("own") == nil)
            #expect(try await feeds.failure("system")?.contains("no trusted connection") == true)
        }
        #expect(try feeds.ids("own") == ["n1"])
        await server.stopped(within: .zero)
    }

    @Test func whatLeavesTheWindowIsKept() async throws {
        let heads = Heads()
        let server = servers.serving { head, connection in
            connection.answer("200 OK", [], heads.add(head) == 1 ? rss([2, 1]) : rss([3, 2]))
        }
        let feeds = try SourcedFeeds([source(server.url) { $0.keeping = .count(10) }])
        try await feeds.refresh()
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n3", "n2", "n1"])
    }

    @Test func whatIsKnownIsKeptOverARestartUnlessTheFeedIsGone() async throws {
        let heads = Heads()
        let server = servers.serving { head, connection in
            _ = heads.add(head)
            return connection.answer("200 OK", ["ETag: \"x\""], rss([1]))
        }
        let medium = MemoryJournal.Medium()
        let journal = MemoryJournal(medium)
        let first = try SourcedFeeds([source(server.url)], keptBy: journal)
        try await first.refresh()
        first.service.stop()
        journal.close()
        // Another store, without the feed: nothing may be taken for known.
        let second = try SourcedFeeds([source(server.url)], keptBy: MemoryJournal(medium))
        #expect(second.service.reports.first?.report.succeeded == 1_700_000_000)
        try await second.refresh()
        #expect(try second.ids() == ["n1"])
        #expect(!heads.all[1].contains("If-None-Match"))
    }
}
