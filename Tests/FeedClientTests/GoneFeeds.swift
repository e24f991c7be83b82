import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// Feeds that the server does not have any more: what was open stays for a day (docs/READING.md,
/// "When a feed is gone").
@Suite struct GoneFeeds {
    private let folder: URL
    private let cache: FeedCache
    private let name: FeedName

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        cache = FeedCache(directory: folder)
        name = try #require(FeedName("news"))
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func snapshot(
        _ token: String = "q7x2m5kd.1",
        vary: String? = nil
    ) -> ScriptedTransport.Answer {
        let body = """
            {"kind":"snapshot","feed":"news","token":"\(token)","title":"News","count":1,\
            "order":"c46b34a2","sections":[{"id":"a","count":1,"items":[{"id":"x"}]}]}
            """
        return .response(200, vary.map { ["Vary": $0] } ?? [:], body)
    }

    private static let missing = ScriptedTransport.Answer.response(
        404,
        ["Content-Type": "application/problem+json"],
        #"{"type":"/problems/not-found","title":"Not found","status":404}"#
    )

    private static func unchanged(vary: String?) -> ScriptedTransport.Answer {
        .response(
            200,
            vary.map { ["Vary": $0] } ?? [:],
            #"{"kind":"unchanged","feed":"news","token":"q7x2m5kd.1","count":1,"order":"c46b34a2"}"#
        )
    }

    private func files() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test(
        arguments: [
            (nil, nil, true), (nil, "Accept-Encoding, Authorization", true),
            ("a-key", "Accept-Encoding", true), ("a-key", nil, true),
            ("a-key", "Accept-Encoding, authorization", false), ("a-key", "Authorization", false),
            ("a-key", "*", false),
        ] as [(String?, String?, Bool)]
    )
    func whatWasReadWithAKeyGoesAtOnce(_ key: String?, _ vary: String?, stays: Bool) async throws {
        defer { remove() }
        let transport = ScriptedTransport(
            Self.snapshot(vary: vary),
            Self.missing,
            Self.missing,
            Self.snapshot("aaaaaaaa.1")
        )
        let feed = Feed(name, of: transport.service(key: key, cache: cache))
        try await feed.refresh()
        guard case .gone = try await feed.refresh() else {
            Issue.record("not gone")
            return
        }
        #expect(await feed.copy.snapshot.count == (stays ? 1 : 0))
        #expect(await feed.copy.isMissing)
        #expect(await (feed.copy.missingSince != nil) == stays)
        guard case .gone(let since) = await feed.freshness else {
            #expect(!stays)
            #expect(await feed.freshness == .missing)
            #expect(files().isEmpty)
            return
        }
        #expect(stays)
        #expect(abs(since.timeIntervalSinceNow) < 60)
        // It is no news the second time, and since when does not change.
        guard case .unchanged = try await feed.refresh() else {
            Issue.record("news again")
            return
        }
        #expect(await feed.freshness == .gone(since: since))
        guard case .replaced = try await feed.refresh() else {
            Issue.record("not back")
            return
        }
        #expect(await !feed.copy.isMissing)
        #expect(transport.seen.map(\.target).dropFirst(2).allSatisfy { !$0.contains("since=") })
    }

    @Test func whatWasOpenIsThereAfterARestart() async throws {
        defer { remove() }
        let first = ScriptedTransport(Self.snapshot(), Self.missing)
        let feed = Feed(name, of: first.service(cache: cache))
        try await feed.refresh()
        try await feed.refresh()
        let again = ScriptedTransport(Self.missing, Self.snapshot("aaaaaaaa.1"), Self.missing)
        let second = Feed(name, of: again.service(cache: cache))
        await second.load()
        let since = try #require(await second.copy.missingSince)
        #expect(abs(since.timeIntervalSinceNow) < 60)
        #expect(await second.freshness == .gone(since: since))
        #expect(await second.copy.snapshot.count == 1)
        try await second.refresh()
        #expect(await second.copy.missingSince == since)
        #expect(again.seen.first?.target == "/feeds/news")
        try await second.refresh()
        let third = Feed(name, of: again.service(cache: cache))
        await third.load()
        #expect(await third.copy.missingSince == nil)
        #expect(await third.copy.token?.description == "aaaaaaaa.1")
        // What is kept knows that it was open.
        try await third.refresh()
        #expect(await third.copy.snapshot.count == 1)
    }

    @Test func itGoesAfterADay() async throws {
        defer { remove() }
        let transport = ScriptedTransport(Self.snapshot(), Self.missing, Self.missing)
        let feed = Feed(name, of: transport.service(cache: cache))
        try await feed.refresh()
        try await feed.refresh()
        let url = folder.appendingPathComponent(try #require(files().first))
        let text = try String(contentsOf: url, encoding: .utf8)
        let since = try #require(await feed.copy.missingSince?.timeIntervalSince1970)
        let then = Int(Date().timeIntervalSince1970) - 24 * 3600 + 60
        func write(_ time: Int) throws {
            let changed = text.replacing("missing-\(Int(since))", with: "missing-\(time)")
            try changed.write(to: url, atomically: true, encoding: .utf8)
        }
        try write(then)
        let kept = Feed(name, of: transport.service(cache: cache))
        await kept.load()
        #expect(await kept.copy.snapshot.count == 1)
        try write(then - 60)
        let late = Feed(name, of: transport.service(cache: cache))
        await late.load()
        #expect(await late.copy.snapshot.count == 0)
        #expect(await late.freshness == .neverLoaded)
        #expect(files().isEmpty)
    }

    @Test func aCopyGoesAfterADay() throws {
        let text = """
            {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":0,"order":"00000000",\
            "sections":[]}
            """
        for (age, isKept) in [(86_399.0, true), (86_401, false)] {
            var copy = FeedCopy(name)
            var document = try ServedDocument(parsing: Array(text.utf8))
            document.isPrivate = false
            _ = try copy.take(document)
            copy.markMissing(since: Date(timeIntervalSinceNow: -age))
            _ = try copy.take(.missing(name))
            #expect((copy.missingSince != nil) == isKept)
            #expect(copy.isMissing)
        }
    }

    @Test func whatWasReadWithAnotherKeyIsNotShown() async throws {
        defer { remove() }
        let first = ScriptedTransport(Self.snapshot(vary: "Authorization"))
        try await Feed(name, of: first.service(key: "a-key", cache: cache)).refresh()
        let same = Feed(name, of: first.service(key: "a-key", cache: cache))
        await same.load()
        #expect(await same.copy.snapshot.count == 1)
        for key in ["another-key", nil] {
            let other = Feed(name, of: first.service(key: key, cache: cache))
            await other.load()
            #expect(await other.copy.snapshot.count == 0)
            #expect(files().isEmpty)
        }
        // What is open is for everyone.
        let open = ScriptedTransport(Self.snapshot())
        try await Feed(name, of: open.service(key: "a-key", cache: cache)).refresh()
        let other = Feed(name, of: open.service(key: "another-key", cache: cache))
        await other.load()
        #expect(await other.copy.snapshot.count == 1)
    }

    /// Any file may be the one that was not used for longest, and goes first.
    @Test func whatWasReadWithAnotherKeyIsNotShownWhicheverFileIsMissing() async throws {
        defer { remove() }
        let server = FeedClient.InMemoryServer()
        try server.replace(name, withItems: (0..<200).map { ["id": "\($0)", "text": "a text"] })
        let document = String(decoding: try await server.service().get(name), as: UTF8.self)
        var (index, count) = (0, 1)
        while index < count {
            let first = ScriptedTransport(.response(200, ["Vary": "Authorization"], document))
            try await Feed(name, of: first.service(key: "a-key", cache: cache)).refresh()
            let all = files().sorted()
            count = all.count
            try FileManager.default.removeItem(at: folder.appendingPathComponent(all[index]))
            let other = Feed(name, of: first.service(key: "another-key", cache: cache))
            #expect(other.cached?.readAtOnce() == nil, "without \(all[index])")
            await other.load()
            #expect(await other.copy.snapshot.count == 0, "without \(all[index])")
            index += 1
        }
        #expect(count > 1)
    }

    /// An answer without news may say it, too, also to an app whose last write was cut off.
    @Test(arguments: [nil, "Authorization"] as [String?], [false, true])
    func whoMaySeeItIsWhatTheLastAnswerSays(_ vary: String?, _ isTorn: Bool) async throws {
        defer { remove() }
        let before = vary == nil ? "Authorization" : nil
        let transport = ScriptedTransport(
            Self.snapshot(vary: before),
            Self.unchanged(vary: vary),
            Self.missing
        )
        try await Feed(name, of: transport.service(key: "a-key", cache: cache)).refresh()
        if isTorn {
            let url = folder.appendingPathComponent(try #require(files().first))
            try (Data(contentsOf: url) + Data("99 0 q7x".utf8)).write(to: url)
        }
        try await Feed(name, of: transport.service(key: "a-key", cache: cache)).refresh()
        let isOpen = vary == nil
        let same = Feed(name, of: transport.service(key: "a-key", cache: cache))
        await same.load()
        #expect(await same.copy.snapshot.count == 1)
        try await same.refresh()
        #expect(await same.copy.snapshot.count == (isOpen ? 1 : 0))
        let other = Feed(name, of: transport.service(key: "another-key", cache: cache))
        await other.load()
        #expect(await other.copy.snapshot.count == (isOpen ? 1 : 0))
    }

    @Test(.timeLimit(.minutes(1))) func aStreamSaysItToo() async throws {
        let token = "q7x2m5kd.1"
        let document = """
            {"kind":"snapshot","feed":"news","token":"\(token)","count":1,"order":"c46b34a2",\
            "sections":[{"id":"a","count":1,"items":[{"id":"x"}]}]}
            """
        let events = """
            event: snapshot
            id: \(token)
            data: \(document)

            event: missing
            id:
            data: {"kind":"missing","feed":"news"}


            """
        let transport = ScriptedTransport(.stream(events))
        let feed = Feed(name, of: transport.service())
        var count = 0
        for try await event in feed.live() {
            count += 1
            if case .gone = event.change { break }
        }
        #expect(count == 2)
        #expect(await feed.copy.snapshot.count == 1)
        #expect(await feed.copy.missingSince != nil)
        transport.release()
    }
}
