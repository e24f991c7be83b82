import FeedModel
import FeedStore
import Testing

@testable import FeedMirror

/// A mirror's stream from its origin: how it begins, and what the mirror makes of each event.
@Suite(.timeLimit(.minutes(2))) struct FollowedStreams {
    private typealias Exchange = ScriptedOrigin.Exchange

    private let origin = ScriptedOrigin()
    private let trial: MirrorTrial

    init() throws {
        trial = try MirrorTrial(of: origin.url)
    }

    /// Waits for a request for the stream, and begins the stream.
    private func begun(isReady: Bool = true) async throws -> Exchange {
        let stream = try #require(await origin.stream())
        stream.beginStream()
        if isReady { stream.ready() }
        return stream
    }

    /// Starts the mirror with a version of `news` that the stream has brought.
    private func following(_ version: Told) async throws -> Exchange {
        trial.start()
        let stream = try await begun(isReady: false)
        stream.event(try version.whole())
        stream.ready()
        await until { trial.mirror.isFollowing }
        return stream
    }

    @Test func namesPatternsAndTheTokensThatAreThere() async throws {
        let version = try Told("aaaaaaaa.3", "a")
        let stream = try await following(version)
        #expect(stream.line == "POST /events")
        #expect(stream.head.contains("Authorization: Bearer a-key\r\n"))
        #expect(stream.body == #"{"match":["*"],"feeds":{}}"#)
        #expect(trial.token() == "aaaaaaaa.3" && trial.ids() == ["a"])
        stream.end()
        let again = try await begun()
        #expect(again.body == #"{"match":["*"],"feeds":{"news":"aaaaaaaa.3"}}"#)
        again.end()
    }

    @Test func isReadyOnceWhenItHasAllFeeds() async throws {
        trial.start()
        let stream = try await begun(isReady: false)
        stream.event(try Told("aaaaaaaa.1", "a").whole())
        await trial.has("aaaaaaaa.1")
        #expect(!trial.mirror.knowsAllFeeds && !trial.mirror.isFollowing)
        #expect(trial.mirror.cutOffTime != nil && trial.readyCount == 0)
        stream.ready()
        await until { trial.mirror.isFollowing }
        #expect(trial.mirror.knowsAllFeeds && trial.mirror.cutOffTime == nil)
        stream.end()
        let again = try await begun(isReady: false)
        #expect(!trial.mirror.isFollowing && trial.mirror.cutOffTime != nil)
        #expect(trial.mirror.knowsAllFeeds)
        again.ready()
        await until { trial.mirror.isFollowing }
        #expect(trial.readyCount == 1)
    }

    @Test func bringsVersionsInTheirOrder() async throws {
        let first = try Told("aaaaaaaa.1", "a")
        let second = try Told("aaaaaaaa.2", "b", "a")
        let fourth = try Told("aaaaaaaa.4", "c", "b")
        let stream = try await following(first)
        stream.event(try second.changes(since: first))
        await trial.has("aaaaaaaa.2")
        #expect(trial.ids() == ["b", "a"])
        stream.event(try first.whole())
        stream.event(try second.changes(since: first))
        stream.event(try fourth.changes(since: second))
        await trial.has("aaaaaaaa.4")
        #expect(trial.ids() == ["c", "b"])
        #expect(trial.mirror.behindFeedCount == 0)
        let name = try #require(FeedName("news"))
        let token = try #require(Token("aaaaaaaa.2"))
        #expect(trial.store.version(token, of: name) != nil)
    }

    @Test func bringsDeletionsAndNewEpochs() async throws {
        let stream = try await following(try Told("aaaaaaaa.5", "a"))
        stream.event(try Told("bbbbbbbb.1", "b").whole())
        await trial.has("bbbbbbbb.1")
        #expect(trial.ids() == ["b"])
        stream.event(Told.missing())
        await trial.has(nil)
        stream.event(try Told("cccccccc.1", "c").whole())
        await trial.has("cccccccc.1")
    }

    @Test func endsFeedsThatWentWhileItWasAway() async throws {
        let stream = try await following(try Told("aaaaaaaa.1", "a"))
        stream.event(try Told("dddddddd.1", "d").whole(of: "other"))
        await trial.has("dddddddd.1", of: "other")
        stream.end()
        let again = try await begun(isReady: false)
        again.event(Told.missing())
        again.ready()
        await trial.has(nil)
        // Silence about a feed that it was told of means that nothing has changed.
        #expect(trial.token("other") == "dddddddd.1")
    }

    @Test func leavesOutFeedsThatAreNotFollowed() async throws {
        let store = FeedStore(volatileFeeds: [try #require(FeedName("news-demo"))], hasDates: false)
        let trial = try MirrorTrial(of: origin.url, store, following: "n*")
        trial.start()
        let stream = try await begun()
        #expect(stream.body == #"{"match":["n*"],"feeds":{}}"#)
        let version = try Told("aaaaaaaa.1", "a")
        stream.event(try version.whole(of: "sports"))
        stream.event(try version.whole(of: "news-demo"))
        stream.event(try version.whole())
        await trial.has("aaaaaaaa.1")
        #expect(store.all().map(\.feed.rawValue) == ["news"])
    }

    @Test func passesOverEventsThatItDoesNotUnderstand() async throws {
        let first = try Told("aaaaaaaa.1", "a")
        let stream = try await following(first)
        for damaged in [#"{"kind":"changes","fee"#, #"{"kind":"changes","fee"#, "7"] {
            stream.event(damaged)
        }
        stream.send(": a comment\n\nid: without data\n\n")
        stream.event(try Told("aaaaaaaa.2", "b").changes(since: first))
        await trial.has("aaaaaaaa.2")
        let passedOver = trial.reports.filter { $0.contains("is passed over") }
        #expect(passedOver.count == 2 && trial.reports.count == 2)
        #expect(trial.mirror.isFollowing)
    }

    @Test(arguments: ["spoiled", "unknown since", "unreadable", "spoiled whole"])
    func fetchesAFeedAsAWholeAfterADocumentThatDoesNotFit(_ fault: String) async throws {
        let first = try Told("aaaaaaaa.1", "a")
        let second = try Told("aaaaaaaa.2", "b", "c")
        let stream = try await following(first)
        switch fault {
        case "spoiled": stream.event(try second.changes(since: first).spoiled)
        case "unknown since":
            stream.event(try second.changes(since: try Told("aaaaaaaa.9", "z")))
        case "unreadable":
            stream.event(#"{"kind":"changes","feed":"news","token":"aaaaaaaa.2"}"#)
        default: stream.event(try second.whole().spoiled)
        }
        // The connection has not ended by itself.
        let again = try await begun(isReady: false)
        #expect(again.body == #"{"match":["*"],"feeds":{}}"#)
        #expect(trial.token() == "aaaaaaaa.1" && trial.ids() == ["a"])
        #expect(trial.mirror.behindFeedCount == 1)
        again.event(try second.whole())
        again.ready()
        await until { trial.mirror.isFollowing }
        #expect(trial.token() == "aaaaaaaa.2" && trial.ids() == ["b", "c"])
        #expect(trial.mirror.behindFeedCount == 0)
        again.end()
        let last = try await begun()
        #expect(last.body == #"{"match":["*"],"feeds":{"news":"aaaaaaaa.2"}}"#)
    }

    @Test func takesTheVersionThatItHasAgainAfterADocumentThatDidNotFit() async throws {
        let first = try Told("aaaaaaaa.1", "a")
        let stream = try await following(first)
        stream.event(try Told("aaaaaaaa.2", "b").changes(since: first).spoiled)
        let again = try await begun(isReady: false)
        again.event(try first.whole())
        again.ready()
        await until { trial.mirror.isFollowing }
        #expect(trial.mirror.behindFeedCount == 0 && trial.token() == "aaaaaaaa.1")
    }

    @Test func takesNothingOfAnEventThatIsCut() async throws {
        let first = try Told("aaaaaaaa.1", "a")
        let second = try Told("aaaaaaaa.2", "b")
        let event = "event: changes\ndata: \(try second.changes(since: first))\n"
        var stream = try await following(first)
        for count in [1, 20, event.utf8.count / 2, event.utf8.count] {
            stream.send(String(event.prefix(count)))
            stream.end()
            stream = try await begun()
            #expect(stream.body == #"{"match":["*"],"feeds":{"news":"aaaaaaaa.1"}}"#)
            #expect(trial.token() == "aaaaaaaa.1")
        }
        stream.send(event)
        stream.send("\n")
        await trial.has("aaaaaaaa.2")
    }

    @Test func isNotFollowedBackToAnEarlierVersion() async throws {
        let stream = try await following(try Told("aaaaaaaa.7", "a"))
        stream.event(try Told("aaaaaaaa.3", "b").whole())
        await until { trial.mirror.behindFeedCount == 1 }
        #expect(trial.token() == "aaaaaaaa.7" && trial.mirror.isFollowing)
        // The origin is there, and its version may be late.
        #expect(trial.mirror.cutOffTime == nil && trial.mirror.trouble == nil)
        stream.event(try Told("bbbbbbbb.1", "b").whole())
        await trial.has("bbbbbbbb.1")
        await until { trial.mirror.behindFeedCount == 0 }
        #expect(trial.mirror.cutOffTime == nil)
    }

    @Test(arguments: ["aaaaaaaa.8", "bbbbbbbb.1"])
    func saysThatTheOriginHasGoneBackUntilItIsPastThat(_ next: String) async throws {
        let trial = try MirrorTrial(of: origin.url) { $0.lateness = .zero }
        trial.start()
        let stream = try await begun()
        stream.event(try Told("aaaaaaaa.7", "a").whole())
        await trial.has("aaaaaaaa.7")
        #expect(trial.mirror.trouble == nil)
        stream.event(try Told("aaaaaaaa.3", "b").whole())
        await until { trial.mirror.trouble != nil }
        #expect(trial.mirror.trouble?.hasSuffix("new epoch there: 1") == true)
        #expect(trial.mirror.cutOffTime == nil)
        stream.event(try Told(next, "b").whole())
        await until { trial.mirror.trouble == nil }
        await trial.has(next)
    }

    @Test func removesFeedsThatAreNoLongerFollowed() async throws {
        let stream = try await following(try Told("aaaaaaaa.1", "a"))
        stream.event(try Told("aaaaaaaa.1", "a").whole(of: "sports"))
        await trial.has("aaaaaaaa.1", of: "sports")
        trial.mirror.stop()
        let narrow = try MirrorTrial(of: origin.url, trial.store, following: "s*")
        narrow.mirror.removeOthers()
        #expect(trial.store.all().map(\.feed.rawValue) == ["sports"])
        #expect(narrow.reports == ["feeds that are no longer followed were removed: 1"])
        narrow.mirror.removeOthers()
        #expect(narrow.reports.count == 1)
    }
}
